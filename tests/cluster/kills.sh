#!/bin/sh
# Trainings under `mgnn launch` whose ranks are killed at random moments end with the bits of one that was
# left alone, and leave no process behind.
#   tests/cluster/kills.sh MGNN MPIRUN [KILLS]
set -eu
mgnn=$1
mpirun=$2
kills=${3:-50}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 MGNN_OFFLINE=1
export MGNN_RANK_DEADLINE=10
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
with="$mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1"

processes() { # of this folder: all, or those that are ranks
  for process in /proc/[0-9]*; do
    [ "$(readlink -f "$process/cwd" 2>/dev/null)" = "$folder" ] || continue
    tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -q "^$1" && echo "${process#/proc/}"
  done
  true
}
random() { od -An -N2 -tu2 /dev/urandom | awk -v n="$1" '{ print $1 % n }'; }

"$mgnn" generate er --nodes 17000 --arcs 70000 -o edges.tsv -q
awk 'BEGIN { OFS = "\t"; print "id", "x", "y", "class" }
     { a[$1]++; b[$2]++; s[$1] = s[$2] = 1 }
     END { for (v in s) print v, a[v] + 0, b[v] + 0, (a[v] + 0 > b[v] + 0 ? "out" : "in") }' edges.tsv >nodes.tsv
train="train --edges $folder/edges.tsv --nodes $folder/nodes.tsv --features x,y --label-column class --model gcn
  --epochs ${EPOCHS:-60} --patience 0 -q --checkpoint-every 5"
"$mgnn" $train -o whole >/dev/null
killed=0
runs=0
while [ "$killed" -lt "$kills" ]; do
  rm -rf run
  runs=$((runs + 1))
  "$mgnn" launch -n 2 --restarts 1000 --with "$with" -- $train -o run >/dev/null 2>log &
  job=$!
  before=$killed
  while kill -0 $job 2>/dev/null && [ "$killed" -lt "$kills" ] && [ $((killed - before)) -lt 5 ]; do
    sleep "$(random 3).$(random 10)"
    victim=$(processes OMPI_COMM_WORLD_RANK=$(random 2) | head -n 1)
    [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null && killed=$((killed + 1))
  done
  wait $job || { cat log; echo "launch gave up"; exit 1; }
  cmp whole/model.safetensors run/model.safetensors
  cmp whole/predictions.csv run/predictions.csv
  left=$(processes OMPI_COMM_WORLD)
  [ -z "$left" ] || { echo "left behind: $left"; exit 1; }
done
echo "$killed kills in $runs trainings: the same bits, and no process left"
