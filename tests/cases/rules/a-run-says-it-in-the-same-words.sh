# With this seed, the bot's second move leads to a rosette: it plays again. A check of that move has the same words for it.
cp $cases/rules/_two-moves-of-a-bot.yaml any.yaml; urtext run any.yaml --seed 7

sed 's/> any/> 0/' any.yaml > rosette.yaml; urtext check rosette.yaml
