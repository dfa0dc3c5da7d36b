urtext run --as bot python3 b.py

urtext run --as bot scenarios/x.yaml
