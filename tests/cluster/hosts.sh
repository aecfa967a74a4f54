#!/bin/sh
# Two machines: network namespaces that a cable joins. Counts and trainings run on both with the bits of one
# process; a cut cable is noticed within the deadline, the job is started again, and no process stays.
# As root.
#   tests/cluster/hosts.sh MGNN MPIRUN [CUTS]
set -eu
mgnn=$1
mpirun=$2
cuts=${3:-10}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 MGNN_OFFLINE=1
export MGNN_RANK_DEADLINE=5
folder=$(mktemp -d)
one=mgnn-one-$$
two=mgnn-two-$$
clean() {
  for space in $one $two; do
    ip netns pids $space 2>/dev/null | xargs -r kill -9 2>/dev/null || true
    ip netns delete $space 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap clean EXIT
cd "$folder"

ip netns add $one
ip netns add $two
ip -n $one link add cable type veth peer name cable netns $two
ip -n $one address add 10.99.0.1/24 dev cable
ip -n $two address add 10.99.0.2/24 dev cable
cable() { ip -n $one link set cable "$1" && ip -n $two link set cable "$1"; }
for space in $one $two; do ip -n $space link set lo up; done
cable up
cat >enter <<END
#!/bin/sh
# What mpirun takes for ssh: enter HOST COMMAND
shift
exec ip netns exec $two sh -c "cd $folder; \$*"
END
chmod +x enter
printf '10.99.0.1 slots=1\n10.99.0.2 slots=1\n' >hosts
with="$mpirun --hostfile hosts --map-by node --bind-to none --mca plm_rsh_agent $folder/enter
  --mca btl tcp,self --mca btl_tcp_if_include 10.99.0.0/24 --mca oob_tcp_if_include 10.99.0.0/24
  --mca mpi_yield_when_idle 1"
with=$(echo $with)

"$mgnn" generate er --nodes 17000 --arcs 70000 -o edges.tsv -q
"$mgnn" census edges.tsv --json -q | grep -v seconds >one.json
ip netns exec $one $with -n 2 "$mgnn" census edges.tsv --json -q | grep -v seconds >many.json
grep -v 'seconds\|memory' one.json >a
grep -v 'seconds\|memory' many.json >b
diff a b
awk 'BEGIN { OFS = "\t"; print "id", "x", "y", "class" }
     { a[$1]++; b[$2]++; s[$1] = s[$2] = 1 }
     END { for (v in s) print v, a[v] + 0, b[v] + 0, (a[v] + 0 > b[v] + 0 ? "out" : "in") }' edges.tsv >nodes.tsv
train="train --edges $folder/edges.tsv --nodes $folder/nodes.tsv --features x,y --label-column class --model gcn
  --epochs ${EPOCHS:-200} --patience 0 -q --checkpoint-every 5"
"$mgnn" $train -o whole >/dev/null
slowest=0
for cut in $(seq "$cuts"); do
  rm -rf run
  ip netns exec $one "$mgnn" launch -n 2 --restarts 5 --with "$with" -- $train -o run >/dev/null 2>log &
  job=$!
  while [ ! -f run/checkpoint-0.safetensors ] && kill -0 $job 2>/dev/null; do sleep 0.1; done
  cable down
  at=$(date +%s)
  until grep -q 'nothing was heard of rank' log || ! kill -0 $job 2>/dev/null; do sleep 0.2; done
  took=$(($(date +%s) - at))
  [ $took -gt $slowest ] && slowest=$took
  [ $took -le $((MGNN_RANK_DEADLINE + 2)) ] || { cat log; echo "cut $cut: noticed after $took s"; exit 1; }
  cable up
  wait $job || { cat log; echo "launch gave up"; exit 1; }
  cmp whole/model.safetensors run/model.safetensors
  sleep 1
  left=$(ip netns pids $one; ip netns pids $two)
  [ -z "$left" ] || { ps -o args= -p "$(echo $left | tr ' ' ,)"; echo "left behind"; exit 1; }
done
echo "$cuts cut cables: noticed within $slowest s, the same bits, and no process left"
