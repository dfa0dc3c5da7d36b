# What scenarios force is left to chance, as for a referee without a hook.
only 'mutation score.*' urtext mutants --without-hook 1 --fault stacking --fault no-extra-turn-8 \
  --suite royalur/referee/own-token --suite royalur/referee/extra-turn-cell-8

# What never came up is no false alarm there.
only 'false alarm.*|mutation score.*' urtext mutants --without-hook 1 --fault captures-own-piece \
  --suite onitama/referee/no-valid-move-times-out --suite onitama/referee/invalid-own-piece
