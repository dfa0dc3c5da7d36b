# Two of the three requirements need a game that is played to its end.
cp $cases/adaptive/_two-moves.yaml two.yaml; urtext run two.yaml

sed 's/, ur.win.seven-out, ur.exit.exact//' two.yaml > one.yaml; urtext run one.yaml

cp $cases/adaptive/_to-the-end.yaml end.yaml; urtext run end.yaml

cp $cases/adaptive/_silent.yaml silent.yaml; urtext run silent.yaml
