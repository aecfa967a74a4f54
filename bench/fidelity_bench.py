#!/usr/bin/python3
"""Do the arcs of an explanation carry the answer? Fidelity of explanations beside that of random arcs.

  fidelity_bench.py MGNN RUN [ITEMS] [SEED] [TYPE]

Asks `mgnn explain` about ITEMS (20) nodes that are drawn with SEED (1); of a network for links, about as many
pairs: a drawn node of TYPE and one drawn of its twenty likeliest partners. Prints means over the items: by how much the probability
falls without the strongest arcs (plus: should be large) and with these alone (minus: should be small), beside
as many random arcs that have a share, too, with the standard error of the difference.
"""
import json
import random
import statistics
import subprocess
import sys
import time
import urllib.request


class Server:
    def __init__(self, mgnn, run):
        self.process = subprocess.Popen([mgnn, "serve", "m=" + run, "--port", "0", "--json", "--deadline", "3600",
                                         "--workers", "1"], stdout=subprocess.PIPE, text=True)
        said = json.loads(self.process.stdout.readline())
        self.url, self.token = said["url"], said["token"]

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + "v1/models/m" + path, headers={
            "Authorization": "Bearer " + self.token, "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)


def questions(server, items, seed, kind):
    model = server.ask("")
    names = [n["node"] for prefix in ([kind] if kind else "0123456789")
             for n in server.ask(f"/nodes?limit=100&q={prefix}")["nodes"]]
    names = sorted(set(names))
    chance = random.Random(seed)
    chance.shuffle(names)
    for name in names[:items]:
        if model["links"]:
            pair = chance.choice(server.ask("/rank", {"node": name, "top": 20})["pairs"])
            yield {"pair": [pair["from"], pair["to"]]}
        else:
            yield {"node": name}


def main():
    mgnn, run = sys.argv[1:3]
    items, seed = (int(a) for a in (sys.argv[3:5] + ["20", "1"][len(sys.argv[3:5]):]))
    server = Server(mgnn, run)
    rows, started = [], time.time()
    try:
        for question in questions(server, items, seed, sys.argv[5] if len(sys.argv) > 5 else ""):
            fidelity = server.ask("/explain", {**question, "fidelity": True})["explanation"]["fidelity"]
            if fidelity:
                rows.append(fidelity)
                print(question, {k: round(v, 4) for k, v in fidelity.items()}, file=sys.stderr, flush=True)
    finally:
        server.process.terminate()
    print(f"{run}: {len(rows)} items, seed {seed}, {time.time() - started:.0f} s")
    for side, sign in (("plus", 1), ("minus", -1)):
        own, chance = [r[side] for r in rows], [r["random_" + side] for r in rows]
        gain = [sign * (a - b) for a, b in zip(own, chance)]
        error = statistics.stdev(gain) / len(gain) ** 0.5 if len(gain) > 1 else float("nan")
        print(f"fidelity {side:5}: {statistics.mean(own):.4f}, random {statistics.mean(chance):.4f}; "
              f"better by {statistics.mean(gain):.4f} ± {error:.4f}; in {sum(g > 0 for g in gain)} of {len(gain)} items better")


main()
