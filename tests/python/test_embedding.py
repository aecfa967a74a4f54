import numpy as np
import pytest

import mgnn

DATA = {"node": "karate", "graph": "mutag"}
METHODS = [(row["name"], DATA[row["level"]]) for row in mgnn.embedding.methods()
           if row["kind"] == "embedding"]


@pytest.mark.parametrize("name, data", METHODS)
def test_as_the_tool(tool, tmp_path, data_dir, name, data):
    tool("embed", data, "--data-dir", data_dir, "--method", name, "-s", 3, "-o", tmp_path / "z.npy")
    found = mgnn.embed(mgnn.load(data, data_dir=data_dir), name, seed=3)
    assert np.array_equal(np.load(tmp_path / "z.npy"), found)
    assert np.isfinite(found).all() and np.ptp(found) > 0
