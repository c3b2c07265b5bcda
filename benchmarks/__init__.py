"""What a run costs: `python -m benchmarks sync|rebuild|search`; each measures a naive way beside ours."""
