#!/bin/sh
# The tool on several ranks gives what it gives on one: census, matrices, a search, a comparison; a search
# whose rank is killed goes on; what cannot be divided, or is wrong, is said once.
#   tests/cluster/tool.sh MGNN MPIRUN
set -eu
mgnn=$1
mpirun=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 MGNN_OFFLINE=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ranks() {
  count=$1
  shift
  "$mpirun" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n "$count" "$mgnn" "$@"
}
ranks_of() {  # processes of rank 1 in this folder
  for process in /proc/[0-9]*; do
    [ "$(readlink -f "$process/cwd" 2>/dev/null)" = "$folder" ] &&
      tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -q '^OMPI_COMM_WORLD_RANK=1$' &&
      echo "${process#/proc/}"
  done
  true
}
# What is printed, without times and colours.
numbers() { sed 's/\x1b\[[0-9;]*m//g; s/ in [0-9.]* .*//; /"seconds\|"peak_memory\|"path"\|"run_dir"/d' "$1"; }
same() {
  numbers "$1" >a
  numbers "$2" >b
  diff a b || { echo "$1 and $2 differ"; exit 1; }
}

"$mgnn" generate rmat --nodes 500 --arcs 4000 -o edges.tsv -q
awk '{ print "n" $1 "\tn" $2 }' edges.tsv >names.tsv
for edges in edges.tsv names.tsv; do
  for verb in "census --json" "census --counting induced --json"; do
    "$mgnn" $verb $edges -q >one.json
    for count in 2 4; do
      ranks $count $verb $edges -q >many.json
      same one.json many.json
    done
  done
  "$mgnn" census $edges -q --force --per-node one.csv --roles >/dev/null
  ranks 2 census $edges -q --force --per-node many.csv --roles >/dev/null
  cmp one.csv many.csv
  for flags in "--counting published" "--counting induced --entry pair" "--entry arc --motifs 1,5,9"; do
    "$mgnn" motifs $edges -q -o one.npz --force $flags >/dev/null
    ranks 2 motifs $edges -q -o many.npz --force $flags >/dev/null
    cmp one.npz many.npz
  done
done
ranks 3 motifs names.tsv -q -o pieces --pieces >/dev/null
[ "$(ls pieces)" = "index.json
rows-0000-of-0003.npz
rows-0001-of-0003.npz
rows-0002-of-0003.npz" ]

search="search karate --trials 6 --epochs 30"
"$mgnn" $search -q --folder one >one.txt
ranks 2 $search -q --folder many >many.txt
same one.txt many.txt
diff -r one many
compare="compare karate --models mgnn,gcn,deepwalk --seeds 2 --epochs 10 --json --no-folder"
"$mgnn" $compare -q >one.json
ranks 2 $compare -q >many.json
same one.json many.json

# Training: nodes of a graph that is large enough, and seeds of a small one; the folders are those of one.
"$mgnn" generate er --nodes 17000 --arcs 70000 -o large.tsv -q
awk 'BEGIN { OFS = "\t"; print "id", "x", "y", "class" }
     { a[$1]++; b[$2]++; s[$1] = s[$2] = 1 }
     END { for (v in s) print v, a[v] + 0, b[v] + 0, (a[v] + 0 > b[v] + 0 ? "out" : "in") }' large.tsv >large-nodes.tsv
large="--edges large.tsv --nodes large-nodes.tsv --features x,y --label-column class"
trainings="train $large --model mgnn --epochs 8 --patience 0 --set layers=8|train $large --model gcn --epochs 8|\
train karate --model gcn --seeds 3 --epochs 20"
IFS='|'
for training in $trainings; do
  unset IFS
  "$mgnn" $training -q -o one-run --force --json >one.json
  for count in 2 4; do
    ranks $count $training -q -o many-run --force --json >many.json
    cmp one-run/model.safetensors many-run/model.safetensors
    cmp one-run/predictions.csv many-run/predictions.csv
  done
done
"$mgnn" train $large --model gcn --epochs 8 -q -o gcn-run --json >/dev/null
"$mgnn" predict gcn-run -o one.csv --force >/dev/null
ranks 2 predict gcn-run -o many.csv --force >/dev/null
cmp one.csv many.csv
"$mgnn" embed --model gcn-run -o one.npy --force -q >/dev/null
ranks 2 embed --model gcn-run -o many.npy --force -q >/dev/null
cmp one.npy many.npy
links="train --edges large.tsv --task link --model gcn --epochs 4 --set layers=8 --set link.dimension=8 -q"
"$mgnn" $links -o one-links --json >/dev/null
ranks 2 $links -o many-links --json >/dev/null
cmp one-links/model.safetensors many-links/model.safetensors
"$mgnn" rank one-links --score network --top 50 -o one.tsv --force -q >/dev/null
ranks 2 rank one-links --score network --top 50 -o many.tsv --force -q >/dev/null
cmp one.tsv many.tsv

# The second rank is killed once a trial is stored; mpirun ends the others.
long="search karate --trials 8 --epochs 3000 --set train.patience=0"
ranks 2 $long -q --folder killed >killed.txt 2>&1 &
job=$!
while [ ! -f killed/trial-1.json ] && kill -0 $job 2>/dev/null; do sleep 0.02; done
victim=$(ranks_of)
if [ -n "$victim" ]; then
  kill -9 "$victim"
  if wait $job; then echo "a killed rank was not noticed"; exit 1; fi
else
  wait $job || true
fi
ranks 2 search --resume killed -q >resumed.txt
"$mgnn" $long -q --no-folder >whole.txt
same whole.txt resumed.txt

# Said once, with the exit code of one process.
refused() {
  code=$1
  text=$2
  shift 2
  status=0
  ranks 2 "$@" >out 2>err || status=$?
  [ "$status" = "$code" ] || { echo "$*: exit code $status, not $code"; cat err; exit 1; }
  [ "$(grep -c '^mgnn: ' err)" = 1 ] || { echo "$*: not one sentence"; cat err; exit 1; }
  grep -qF -e "$text" err || { cat err; exit 1; }
}
refused 2 "demo cannot be divided among 2 ranks" demo
refused 2 "embed is divided among ranks with --model alone" embed karate
refused 2 "are not divided among ranks" census karate --null 10
refused 2 "--weights is not divided among ranks" motifs karate -o x.npz --weights mean
refused 2 "--pieces holds counts" motifs karate -o x --pieces --normalise row
refused 2 "exists already" motifs karate -o one.npz
refused 2 "there is no dataset or file named" census nothing
sed '100s/.*/1/' edges.tsv >wrong.tsv
refused 3 "wrong.tsv:100: " census wrong.tsv

# Ranks of another job, and one that stands still.
status=0
"$mpirun" --oversubscribe --bind-to none -n 1 "$mgnn" census edges.tsv : -n 1 "$mgnn" census names.tsv \
  >out 2>err || status=$?
[ $status = 2 ] && grep -q "the command is not the same on all ranks" err || { cat err; exit 1; }
export MGNN_RANK_DEADLINE=2
ranks 2 search karate --trials 50 --epochs 3000 --set train.patience=0 -q --folder still >out 2>err &
job=$!
while [ ! -f still/trial-1.json ] && kill -0 $job 2>/dev/null; do sleep 0.05; done
kill -STOP $(ranks_of)
if wait $job; then echo "a rank that stands still was not noticed"; exit 1; fi
grep -q "nothing was heard of rank 1 for 2 seconds; the job ends" err || { cat err; exit 1; }
