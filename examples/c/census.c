// How often each motif occurs in a graph: census [GRAPH], a file or a dataset's name.
#include <inttypes.h>
#include <stdio.h>

#include "mgnn_c.h"

static int fail(void) {
  mgnn_error_info error = {.size = sizeof error};
  mgnn_error(&error);
  fprintf(stderr, "census: %s\n", error.message);
  return error.kind;
}

int main(int count, char** words) {
  mgnn_graph* graph = NULL;
  if (mgnn_graph_load(NULL, count > 1 ? words[1] : "karate", NULL, &graph) != MGNN_OK)
    return fail();

  int64_t total[MGNN_MOTIFS];
  const mgnn_call call = {.size = sizeof call, .threads = 2};
  const mgnn_census_counts counts = {.size = sizeof counts, .total = total};
  const int failed = mgnn_census(&call, graph, NULL, &counts) != MGNN_OK;
  mgnn_graph_free(graph);
  if (failed) return fail();

  for (int k = 0; k < MGNN_MOTIFS; k++) printf("M%d\t%" PRId64 "\n", k + 1, total[k]);
  return 0;
}
