cp code-colosseum/alice.received code-colosseum/spectator.received .
urtext verify alice.received

urtext verify --together alice.received spectator.received
