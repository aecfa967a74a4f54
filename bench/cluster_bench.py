#!/usr/bin/python3
"""Counting and trials on several ranks against one, in turns, with one thread each.
    bench/cluster_bench.py MGNN [--arcs 10000000] [--ranks 2] [--rounds 3] [--train "hetionet --task link …"]
Prints medians of the seconds that mgnn counts, without reading, and of an epoch (of --train), and `ratio`
lines: how many times as fast the ranks are. Counts and scores are compared first. Ratios mean something where as many cores are free as ranks."""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import tempfile
import time

MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "OMP_NUM_THREADS": "1", "MGNN_OFFLINE": "1"}


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def counted(command):
    result = json.loads(run(command))
    return result["motifs"], result["seconds"], result["peak_memory_bytes"]


def timed(command):
    begin = time.monotonic()
    output = run(command)
    return output, time.monotonic() - begin


def trained(command):
    result = json.loads(run(command))
    scores = {part: result[part]["runs"] for part in ("test", "validation")}
    return scores, result["seconds_per_epoch"], result["peak_memory_bytes"]


def compare_epochs(options, several):
    train = ["train", *shlex.split(options.train), "--seeds", "1", "--patience", "0", "--no-output",
             "--json", "-q"]
    one, many = in_turns(options.rounds, lambda: trained([options.mgnn] + train),
                         lambda: trained(several + train))
    assert one[0][0] == many[0][0], "the scores differ"
    one_seconds = statistics.median(result[1] for result in one)
    many_seconds = statistics.median(result[1] for result in many)
    print(f"epoch of {options.train}: 1 process {one_seconds:.3f} s, "
          f"{options.ranks} ranks {many_seconds:.3f} s")
    print(f"peak memory of one: {one[0][2] / 2**20:.0f} MiB; of rank 0: {many[0][2] / 2**20:.0f} MiB")
    print(f"ratio epoch {one_seconds / many_seconds:.3f}")


def in_turns(rounds, *actions):
    """The results of each action, in a list of its own."""
    results = [[] for _ in actions]
    for _ in range(rounds):
        for result, action in zip(results, actions):
            result.append(action())
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mgnn")
    parser.add_argument("--arcs", type=int, default=10_000_000)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--train", default="", help="arguments of a training, whose epochs are timed instead")
    options = parser.parse_args()
    several = MPIRUN + ["-n", str(options.ranks), options.mgnn]
    if options.train:
        return compare_epochs(options, several)
    with tempfile.TemporaryDirectory() as folder:
        edges = folder + "/edges.tsv"
        run([options.mgnn, "generate", "rmat", "--nodes", str(options.arcs // 10), "--arcs",
             str(options.arcs), "-o", edges, "-q"])
        census = ["census", edges, "--json", "-q"]
        one, many = in_turns(options.rounds, lambda: counted([options.mgnn] + census),
                             lambda: counted(several + census))
        assert one[0][0] == many[0][0], "the counts differ"
        one_seconds = statistics.median(result[1] for result in one)
        many_seconds = statistics.median(result[1] for result in many)
        print(f"census of {options.arcs} arcs: 1 process {one_seconds:.2f} s, "
              f"{options.ranks} ranks {many_seconds:.2f} s")
        print(f"peak memory of one: {one[0][2] / 2**20:.0f} MiB; of rank 0: {many[0][2] / 2**20:.0f} MiB")
        search = ["search", "karate", "--trials", "24", "--epochs", "2000", "--set",
                  "train.patience=0", "--no-folder", "-q"]
        one, many = in_turns(1, lambda: timed([options.mgnn] + search), lambda: timed(several + search))
        print(f"search of 24 trials: 1 process {one[0][1]:.2f} s, {options.ranks} ranks {many[0][1]:.2f} s")
        print(f"ratio census {one_seconds / many_seconds:.3f}")
        print(f"ratio search {one[0][1] / many[0][1]:.3f}")


if __name__ == "__main__":
    main()
