"""What a run costs: `python -m benchmarks sync|rebuild|search|hub`; each measures a naive way beside ours."""
