// The C interface of mgnn, for programs in any language: libmgnn_c.so.
//
// What holds for all functions
//
//   Results    Every function returns 0, or a kind of error: MGNN_FAILED and so on. mgnn_error() says what
//              went wrong; nothing is printed, and what was given stays as it was. Functions whose
//              name ends in _free return nothing and take NULL.
//   Handles    Objects are opaque and belong to the caller, who frees each by the function of its
//              type. They keep alive what they need of each other, so the order does not matter.
//              Unless said otherwise they never change: any number of threads may use one at a time.
//   Arrays     Given ones are read during the call and never kept, unless said otherwise. Borrowed ones
//              (`const T** array`) live as long as their handle and are not to be written to.
//              Sizes are int64_t and count elements. Matrices are row by row, without gaps.
//   Strings    UTF-8 that ends in NUL. Documents are JSON or TOML in an mgnn_buffer.
//   Settings   One string: TOML, or lines of key=value (`model.dropout=0.3`). Names, types and defaults
//              are those of the tool `mgnn` (--show-config) and of mgnn_settings(). NULL: none.
//   Structs    that are passed begin with their size: set `size` to sizeof. Later versions add members
//              at the end, whose zero means what it was before; so zero those that you do not set.
//   Threads    A function works with the threads that its mgnn_call says, whatever other calls do
//              at the same time. Results do not depend on their number, nor on the machine's load.
//              In a child made by fork() all work is done by one thread.
#ifndef MGNN_C_H
#define MGNN_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MGNN_API __attribute__((visibility("default")))
#else
#define MGNN_API
#endif

// ---- version, errors, documents

// Grows when something that was there changes or goes; additions leave it.
#define MGNN_ABI_VERSION 1
MGNN_API int32_t mgnn_abi_version(void);

enum {
  MGNN_OK = 0,
  MGNN_FAILED = 1,        // something that should work did not: a full disk, no network
  MGNN_USAGE = 2,         // asked for something impossible: an unknown name, a wrong shape
  MGNN_DATA = 3,          // the data are wrong
  MGNN_MEMORY = 12,       // too little of it
  MGNN_INTERRUPTED = 130  // by poll, by a token, or by a callback
};

typedef struct mgnn_error_info {
  int64_t size;
  int32_t kind;         // as returned
  int64_t line;         // of the file, from 1; 0: not known
  const char* message;  // one sentence: "edges.txt:3: expected two numbers"
  const char* path;     // of the file; "": not known
  // What would help: "" or a word such as "label_column", "download" (mgnn/base/error.h has all of them),
  // with its value: for "setting" that is "name=value".
  const char* hint;
  const char* hint_value;
} mgnn_error_info;

// The last error of a call by this thread. Its strings live until the next error of this thread.
MGNN_API int mgnn_error(mgnn_error_info* info);

// Bytes that a function made: a document, or a file. Text is followed by a NUL that is not counted.
typedef struct mgnn_buffer mgnn_buffer;
MGNN_API int mgnn_buffer_data(const mgnn_buffer* buffer, const char** bytes, int64_t* size);
MGNN_API void mgnn_buffer_free(mgnn_buffer* buffer);

// A matrix that a function made, (rows, cols). It belongs to the caller alone, who may write to it.
typedef struct mgnn_matrix mgnn_matrix;
MGNN_API int mgnn_matrix_data(mgnn_matrix* matrix, int64_t* rows, int64_t* cols, float** values);
MGNN_API void mgnn_matrix_free(mgnn_matrix* matrix);

// JSON: version, abi, compiler, instructions, components with their versions.
MGNN_API int mgnn_version(mgnn_buffer** json);
// JSON: what of this machine matters: threads, memory, instructions, optional libraries and whether they
// are there, data folders.
MGNN_API int mgnn_doctor(mgnn_buffer** json);

// ---- how a call works: threads, progress, interruption

// By the calling thread, about ten times a second while something takes longer than half a second.
// `total` is 0 if it is not known. `note` may be "". Work may be part of other work: the latest label
// is the innermost. `finished`: this was the last call for this label.
typedef void (*mgnn_progress_function)(void* context, const char* label, int64_t done,
                                       int64_t total, const char* unit, const char* note,
                                       int32_t finished);
// By the calling thread, at most every 50 ms. Other than 0: stop; the call returns MGNN_INTERRUPTED.
typedef int32_t (*mgnn_poll_function)(void* context);

// Stops calls from other threads.
typedef struct mgnn_cancel mgnn_cancel;
MGNN_API int mgnn_cancel_new(mgnn_cancel** cancel);
// All calls with this token, running and future, end with MGNN_INTERRUPTED. Safe at any time.
MGNN_API int mgnn_cancel_request(mgnn_cancel* cancel);
MGNN_API int mgnn_cancel_clear(mgnn_cancel* cancel);
MGNN_API void mgnn_cancel_free(mgnn_cancel* cancel);  // once no call uses it

// NULL in its place, or all zeros but for `size`: nobody watches, as many threads as OpenMP says.
typedef struct mgnn_call {
  int64_t size;
  int64_t threads;  // 0: as many as omp_get_max_threads() says to the calling thread now
  mgnn_progress_function progress;
  void* progress_context;
  mgnn_poll_function poll;
  void* poll_context;
  const mgnn_cancel* cancel;
} mgnn_call;

// How many threads a call with 0 would use now.
MGNN_API int mgnn_threads(int64_t* threads);

// ---- graphs: directed, without loops and repeated arcs, of the nodes 0 .. num_nodes - 1

typedef struct mgnn_graph mgnn_graph;

enum { MGNN_INT32 = 4, MGNN_INT64 = 8 };  // types of given indices
enum { MGNN_UNDIRECTED = 1 };             // flag: the reverse of every arc is added

// Arc i goes from source[i * stride] to target[i * stride]; `type` is that of both. Loops and repeated
// arcs are left out and counted (mgnn_graph_info). num_nodes < 0: one more than the largest node.
MGNN_API int mgnn_graph_from_arcs(const mgnn_call* call, int64_t num_nodes, int64_t num_arcs,
                                  const void* source, const void* target, int64_t stride,
                                  int32_t type, uint32_t flags, mgnn_graph** graph);
// Row u lists the v with u -> v: indices[indptr[u]] .. indices[indptr[u + 1] - 1], in any order.
MGNN_API int mgnn_graph_from_csr(const mgnn_call* call, int64_t num_nodes, const void* indptr,
                                 int32_t indptr_type, const void* indices, int32_t indices_type,
                                 uint32_t flags, mgnn_graph** graph);
// The graph of what mgnn_dataset_load would load.
MGNN_API int mgnn_graph_load(const mgnn_call* call, const char* what, const char* settings,
                             mgnn_graph** graph);
MGNN_API void mgnn_graph_free(mgnn_graph* graph);

typedef struct mgnn_graph_info {
  int64_t size;
  int64_t num_nodes, num_arcs;
  int64_t arcs_given, loops_dropped, duplicates_dropped;
  uint64_t fingerprint;  // of nodes and arcs
  int32_t undirected;    // every arc has its reverse
  int32_t ids;           // MGNN_NO_IDS …
} mgnn_graph_info;
MGNN_API int mgnn_graph_get_info(const mgnn_graph* graph, mgnn_graph_info* info);

// Neighbours ascend in each row. `start` has num_nodes + 1 elements, `index` num_arcs.
MGNN_API int mgnn_graph_out_rows(const mgnn_graph* graph, const int64_t** start,
                                 const int32_t** index);
MGNN_API int mgnn_graph_in_rows(const mgnn_graph* graph, const int64_t** start,
                                const int32_t** index);
// All arcs in the order of the out-rows, into memory of the caller (num_arcs each).
MGNN_API int mgnn_graph_arcs(const mgnn_graph* graph, int64_t* source, int64_t* target);

// What people call the nodes. Strings: name i is text[start[i]] .. text[start[i + 1] - 1].
enum { MGNN_NO_IDS = 0, MGNN_INTEGER_IDS = 1, MGNN_STRING_IDS = 2 };
typedef struct mgnn_ids {
  int64_t size;
  int32_t kind;
  int64_t count;
  const int64_t* number;  // (count) integers
  const char* text;
  const int64_t* start;  // (count + 1) strings
} mgnn_ids;
MGNN_API int mgnn_graph_get_ids(const mgnn_graph* graph, mgnn_ids* ids);
// The same graph under other names, without a copy of it. Kind MGNN_NO_IDS: none. Names must differ.
MGNN_API int mgnn_graph_with_ids(const mgnn_graph* graph, const mgnn_ids* ids, mgnn_graph** named);

MGNN_API int mgnn_graph_reversed(const mgnn_call* call, const mgnn_graph* graph,
                                 mgnn_graph** reversed);
MGNN_API int mgnn_graph_undirected(const mgnn_call* call, const mgnn_graph* graph,
                                   mgnn_graph** undirected);
// Of `count` nodes, ascending, and the arcs among them; they keep their names.
MGNN_API int mgnn_graph_subgraph(const mgnn_call* call, const mgnn_graph* graph,
                                 const int64_t* nodes, int64_t count, mgnn_graph** part);
// JSON: nodes, arcs, degrees, reciprocity, components.
MGNN_API int mgnn_graph_summary(const mgnn_call* call, const mgnn_graph* graph, mgnn_buffer** json);

// ---- datasets: a graph, or a set of graphs as their block-diagonal union, with all that is known of it

typedef struct mgnn_dataset mgnn_dataset;

// `what`: a path to a graph file or to a folder, or a dataset's name. Settings are those of data.* in
// mgnn_settings without that prefix ("nodes", "undirected", …), and data_dir, download, seed.
MGNN_API int mgnn_dataset_load(const mgnn_call* call, const char* what, const char* settings,
                               mgnn_dataset** dataset);
// JSON: the datasets that have a name: what they are, their sizes, and whether they are here.
MGNN_API int mgnn_datasets(const char* data_dir, mgnn_buffer** json);
MGNN_API void mgnn_dataset_free(mgnn_dataset* dataset);

// ---- made of the caller's arrays: mgnn_dataset_new, then what there is, then use. The setters copy, are
// for one thread, and refuse what does not fit the graph. Items are nodes, or graphs in a set.
MGNN_API int mgnn_dataset_new(const mgnn_graph* graph, const char* name, mgnn_dataset** dataset);
// Graph g is the nodes graph_start[g] .. graph_start[g + 1] - 1; num_graphs + 1 elements.
MGNN_API int mgnn_dataset_set_graphs(mgnn_dataset* dataset, int64_t num_graphs,
                                     const int64_t* graph_start);
// (nodes, cols). The first num_attributes columns are measured, and are standardised in training (unless
// train.standardise is false); the others are one-hot or counts. < 0: all are measured.
MGNN_API int mgnn_dataset_set_features(mgnn_dataset* dataset, int64_t rows, int64_t cols,
                                       const float* values, int64_t num_attributes);
// The same without a copy: the values stay where they are, and nobody may write to them until `release` is
// called, once, by any thread, when neither the dataset nor a run needs them any more.
MGNN_API int mgnn_dataset_borrow_features(mgnn_dataset* dataset, int64_t rows, int64_t cols,
                                          const float* values, int64_t num_attributes,
                                          void (*release)(void* context), void* context);
// CSR (nodes, cols); columns ascend in each row, none twice.
MGNN_API int mgnn_dataset_set_sparse_features(mgnn_dataset* dataset, int64_t rows, int64_t cols,
                                              const void* indptr, int32_t indptr_type,
                                              const void* indices, int32_t indices_type,
                                              const float* values, int64_t num_attributes);
MGNN_API int mgnn_dataset_set_feature_names(mgnn_dataset* dataset, int64_t count,
                                            const char* const* names);
// Classes of items; -1: unknown. Without names (NULL) they are called 0, 1, … up to the largest.
MGNN_API int mgnn_dataset_set_labels(mgnn_dataset* dataset, int64_t items, const int64_t* label,
                                     int64_t classes, const char* const* class_names);
// Several labels for an item: start (items + 1), label ascending in each; none: unknown.
MGNN_API int mgnn_dataset_set_label_sets(mgnn_dataset* dataset, int64_t items, const int64_t* start,
                                         const int64_t* label, int64_t classes,
                                         const char* const* class_names);
// Numbers to predict; NaN: unknown.
MGNN_API int mgnn_dataset_set_targets(mgnn_dataset* dataset, int64_t items, const double* target);
MGNN_API int mgnn_dataset_set_types(mgnn_dataset* dataset, int64_t nodes, const int64_t* type,
                                    int64_t types, const char* const* type_names);
// In the order of the out-rows.
MGNN_API int mgnn_dataset_set_arc_weights(mgnn_dataset* dataset, int64_t arcs, const float* weight);
// Typed edges; each must be an arc of the graph.
MGNN_API int mgnn_dataset_add_relation(mgnn_dataset* dataset, const char* name, int64_t edges,
                                       const int64_t* source, const int64_t* target);
// role[i] of each item: MGNN_UNUSED …
enum { MGNN_UNUSED = 0, MGNN_TRAIN = 1, MGNN_VALIDATION = 2, MGNN_TEST = 3 };
MGNN_API int mgnn_dataset_add_split(mgnn_dataset* dataset, const char* name, int64_t items,
                                    const uint8_t* role);
// Replaces the features by others: own, attributes, labels, or a maker's name ("structure", "degree"…;
// mgnn_settings lists them).
MGNN_API int mgnn_dataset_choose_features(const mgnn_call* call, mgnn_dataset* dataset,
                                          const char* kind, uint64_t seed);

// ---- what is in one
// JSON: name, counts, class_names, feature_names, node_type_names, relations, splits, remarks, …
MGNN_API int mgnn_dataset_info(const mgnn_dataset* dataset, mgnn_buffer** json);
MGNN_API int mgnn_dataset_graph(const mgnn_dataset* dataset, mgnn_graph** graph);  // to be freed
// Pointers are NULL where the dataset has no such thing.
typedef struct mgnn_dataset_arrays {
  int64_t size;
  int64_t num_nodes, num_items, num_graphs;
  const int32_t* graph_start;     // (num_graphs + 1) of a set
  int64_t num_features;           // columns
  const float* features;          // (num_nodes, num_features) dense
  const int64_t* feature_indptr;  // or CSR
  const int32_t* feature_indices;
  const float* feature_values;
  const int32_t* label;      // (num_items)
  const double* target;      // (num_items)
  const int32_t* node_type;  // (num_nodes)
  const float* arc_weight;   // in the order of the out-rows
} mgnn_dataset_arrays;
MGNN_API int mgnn_dataset_get_arrays(const mgnn_dataset* dataset, mgnn_dataset_arrays* arrays);
MGNN_API int mgnn_dataset_graph_ids(const mgnn_dataset* dataset,
                                    mgnn_ids* ids);  // of a set's graphs
// Sizes of label sets into start (items + 1); with labels != NULL, start is as it was given back, and the
// labels are filled in.
MGNN_API int mgnn_dataset_label_sets(const mgnn_dataset* dataset, int64_t* start, int32_t* labels);
// Edges of relation i as pairs: from, to, from, to, … (2 * count).
MGNN_API int mgnn_dataset_relation(const mgnn_dataset* dataset, int64_t i, const char** name,
                                   int64_t* count, const int32_t** edges);
// Which items train, validate and test in one repetition of an experiment (and in cross-validation of
// graphs, one of `folds`): name as data.split in mgnn_settings; role (items).
MGNN_API int mgnn_dataset_split(const mgnn_dataset* dataset, const char* name, uint64_t seed,
                                int64_t repetition, int64_t folds, int64_t fold, uint8_t* role);
// As a graph file of the format that the path's ending says, or of `format` if not NULL.
MGNN_API int mgnn_dataset_write(const mgnn_call* call, const mgnn_dataset* dataset,
                                const char* path, const char* format, int32_t overwrite);

// ---- census: how often each of the thirteen motifs occurs

enum { MGNN_MOTIFS = 13, MGNN_POSITIONS = 30, MGNN_TRIADS = 16 };
// JSON: the motifs with number, name, triad code, arcs, drawing; and the triads in the order of
// mgnn_triad_census.
MGNN_API int mgnn_motif_table(mgnn_buffer** json);

typedef struct mgnn_census_options {
  int64_t size;
  const char* counting;  // NULL or "subgraph"; "induced"
  // A set of graphs in one; NULL: one graph. num_graphs + 1 elements.
  int64_t num_graphs;
  const int64_t* graph_start;
} mgnn_census_options;
// Into memory of the caller; NULL: not wanted. Column k - 1 is motif k.
typedef struct mgnn_census_counts {
  int64_t size;
  int64_t* total;      // (13)
  int64_t* per_node;   // (num_nodes, 13): instances that the node is part of
  int64_t* per_arc;    // (num_arcs, 13), in the order of the out-rows: that contain the arc
  int64_t* per_graph;  // (num_graphs, 13)
  int64_t* per_role;   // (num_nodes, 30): by the place that the node has in the instance
} mgnn_census_counts;
MGNN_API int mgnn_census(const mgnn_call* call, const mgnn_graph* graph,
                         const mgnn_census_options* options, const mgnn_census_counts* counts);
// 003 012 102 021D 021U 021C 111D 111U 030T 030C 201 120D 120U 120C 210 300
MGNN_API int mgnn_triad_census(const mgnn_call* call, const mgnn_graph* graph, int64_t* count);

// The counts among random graphs with the same degrees; each array (13), NULL: not wanted. z is
// ±infinity where there is no spread; p is two-sided, from the ranks among the random graphs; q is p
// adjusted for thirteen tests (Benjamini and Hochberg).
typedef struct mgnn_null_counts {
  int64_t size;
  int64_t* observed;
  double* mean;
  double* deviation;
  double* z;
  double* p;
  double* q;
} mgnn_null_counts;
MGNN_API int mgnn_null_model(const mgnn_call* call, const mgnn_graph* graph, const char* counting,
                             int64_t graphs, uint64_t seed, const mgnn_null_counts* counts);

// ---- motif matrices: how often each pair of nodes meets in instances of a motif

typedef struct mgnn_motifs mgnn_motifs;
typedef struct mgnn_motif_options {
  int64_t size;
  const char* motifs;    // NULL or "all"; "1,4,13", "closed", "M1-M7"
  const char* counting;  // NULL or "subgraph"; "induced", "published"
  const char* entry;     // NULL or "edge"; "arc", "pair"
  const char* weights;   // NULL or "none"; "mean", "product": of the weights of an instance's arcs
  const float* arc_weight;    // (num_arcs) in the order of the out-rows, with weights
  int64_t pair_memory_limit;  // bytes; 0: half of what is free
} mgnn_motif_options;
MGNN_API int mgnn_motifs_new(const mgnn_call* call, const mgnn_graph* graph,
                             const mgnn_motif_options* options, mgnn_motifs** motifs);
MGNN_API void mgnn_motifs_free(mgnn_motifs* motifs);

// Where the matrix of motif k is: values of array[k - 1] times factor[k - 1].
enum { MGNN_ZERO_MATRIX = -1, MGNN_NOT_COUNTED = -2 };
typedef struct mgnn_motifs_info {
  int64_t size;
  int64_t num_nodes, entries;  // places of the pattern
  int64_t num_arrays;          // of different values
  int32_t weighted;            // values are double, not uint32_t
  int32_t array[13];
  int64_t factor[13];
} mgnn_motifs_info;
MGNN_API int mgnn_motifs_get_info(const mgnn_motifs* motifs, mgnn_motifs_info* info);
// The places that all matrices share, as CSR.
MGNN_API int mgnn_motifs_pattern(const mgnn_motifs* motifs, const int64_t** start,
                                 const int32_t** index);
// The values of an array (entries): counts, or sums of weights. The other one is refused.
MGNN_API int mgnn_motifs_values(const mgnn_motifs* motifs, int64_t array, const uint32_t** values);
MGNN_API int mgnn_motifs_weights(const mgnn_motifs* motifs, int64_t array, const double** values);
// One matrix on the pattern, into memory of the caller (entries). `counts` needs instances counted.
MGNN_API int mgnn_motifs_counts(const mgnn_call* call, const mgnn_motifs* motifs, int32_t motif,
                                int64_t* counts);
// In a normalisation: none, row, symmetric, centred, published; also of weighted ones. `centred` needs
// places on the diagonal, which mgnn_motifs_with_diagonal adds.
MGNN_API int mgnn_motifs_normalised(const mgnn_call* call, const mgnn_motifs* motifs, int32_t motif,
                                    const char* kind, double* values);
// The same matrices on a pattern with the diagonal of every row that is not empty.
MGNN_API int mgnn_motifs_with_diagonal(const mgnn_call* call, const mgnn_motifs* motifs,
                                       mgnn_motifs** with);
// .npz, .h5, or a folder/ of .mtx; the names of the graph go with them. Normalisation NULL: none.
MGNN_API int mgnn_motifs_write(const mgnn_call* call, const mgnn_motifs* motifs, const char* path,
                               const char* normalisation, int32_t overwrite);

// ---- embeddings without training by gradients

// JSON: every method with name, summary, paper, level (node, graph), its options (name, type, default,
// help, choices), and whether it has a karateclub variant.
MGNN_API int mgnn_embed_methods(mgnn_buffer** json);
typedef struct mgnn_embed_options {
  int64_t size;
  const char* method;    // as in mgnn_embed_methods
  const char* settings;  // its options, `dimension` among them; NULL: defaults
  const char* variant;   // NULL or "paper"; "karateclub"
  uint64_t seed;
} mgnn_embed_options;
// (nodes, …), or (graphs, …) by methods for graphs.
MGNN_API int mgnn_embed(const mgnn_call* call, const mgnn_dataset* dataset,
                        const mgnn_embed_options* options, mgnn_matrix** vectors);
// Of the graphs of `unseen`, by a method fitted on `fitted`.
MGNN_API int mgnn_embed_unseen(const mgnn_call* call, const mgnn_dataset* fitted,
                               const mgnn_dataset* unseen, const mgnn_embed_options* options,
                               mgnn_matrix** vectors);

// ---- training, and what trained networks say

// JSON: the tasks, and the networks with their options.
MGNN_API int mgnn_tasks(mgnn_buffer** json);
MGNN_API int mgnn_networks(mgnn_buffer** json);
// JSON: all settings of a training as they result from these: name, type, value, help, choices, range.
MGNN_API int mgnn_settings(const char* settings, mgnn_buffer** json);

typedef struct mgnn_run mgnn_run;

typedef struct mgnn_epoch {
  int64_t size;
  int64_t run;    // repetition, from 0
  int64_t epoch;  // finished ones
  double train_loss;
  double validation_loss, validation_metric;
} mgnn_epoch;
// After every evaluation on validation data: one call at a time, but by any of the call's threads. Other
// than 0: no more epochs in this repetition; the best so far is kept.
typedef int32_t (*mgnn_epoch_function)(void* context, const mgnn_epoch* epoch);

typedef struct mgnn_train_options {
  int64_t size;
  const char* settings;  // "task=node", "model=gcn", "seed=1", "train.epochs=100", …
  const char* output;    // folder of the run, as of `mgnn train`; NULL: nothing is written
  int32_t overwrite;     // a run that is there
  mgnn_epoch_function validated;
  void* context;
} mgnn_train_options;
// NULL for the dataset: that of the setting data.source.
MGNN_API int mgnn_train(const mgnn_call* call, const mgnn_dataset* dataset,
                        const mgnn_train_options* options, mgnn_run** run);
// A run's folder or a model file. Nothing in it is executed.
MGNN_API int mgnn_run_open(const mgnn_call* call, const char* path, mgnn_run** run);
MGNN_API int mgnn_run_from_bytes(const mgnn_call* call, const char* bytes, int64_t size,
                                 mgnn_run** run);
MGNN_API void mgnn_run_free(mgnn_run* run);

// The model file (safetensors): the same bytes for the same run.
MGNN_API int mgnn_run_to_bytes(const mgnn_run* run, mgnn_buffer** bytes);
MGNN_API int mgnn_run_save(const mgnn_run* run, const char* path, int32_t overwrite);

// JSON, as `mgnn train --json`: scores, costs, task, model, class_names, notes and warnings. Of an opened
// run, what its files hold.
MGNN_API int mgnn_run_result(const mgnn_run* run, mgnn_buffer** json);
// JSON: an array of the validated epochs: run, seed, fold, epoch, train_loss, …; of a run that was
// trained here, or opened from a folder.
MGNN_API int mgnn_run_history(const mgnn_run* run, mgnn_buffer** json);
MGNN_API int mgnn_run_config(const mgnn_run* run, mgnn_buffer** toml);
// JSON: test items by true (rows) and predicted class, of the best repetition; null where there are none.
MGNN_API int mgnn_run_confusion(const mgnn_run* run, mgnn_buffer** json);
// The page of `mgnn train --report` (HTML) of a run that was trained here; of an opened one: MGNN_USAGE.
MGNN_API int mgnn_run_report(const mgnn_call* call, const mgnn_run* run, const char* path,
                             int32_t overwrite);

typedef struct mgnn_weight_info {
  int64_t size;
  const char* name;  // "layer1.motif.weight"
  int64_t rows, cols;
  const float* values;
  int32_t learns;  // 0: running statistics
} mgnn_weight_info;
MGNN_API int mgnn_run_num_weights(const mgnn_run* run, int64_t* count);
MGNN_API int mgnn_run_weight(const mgnn_run* run, int64_t i, mgnn_weight_info* info);

// What the network says of all items of a dataset. NULL: the data of its training, of which those made by
// mgnn_dataset_new are kept, and files are read again.
enum {
  MGNN_PROBABILITIES = 0,   // (items, classes); of regression the numbers, (items, 1)
  MGNN_OUTPUTS = 1,         // logits, scaled numbers, vectors of the ends of links
  MGNN_REPRESENTATIONS = 2  // (items, …): what comes before the last linear layers
};
MGNN_API int mgnn_run_predict(const mgnn_call* call, const mgnn_run* run,
                              const mgnn_dataset* dataset, int32_t what, mgnn_matrix** result);

// Of networks for links: scores, and the chances among as many pairs without an edge.
MGNN_API int mgnn_run_score_pairs(const mgnn_call* call, const mgnn_run* run,
                                  const mgnn_dataset* dataset, int64_t pairs, const int64_t* from,
                                  const int64_t* to, float* score, double* probability);
typedef struct mgnn_rank_options {
  int64_t size;
  int64_t top;             // 0: 1000
  const char* between;     // "Disease,Gene"; NULL: what it was trained for
  const char* relation;    // or the types that a relation joins
  const char* partner_of;  // a node's name
} mgnn_rank_options;
typedef struct mgnn_ranking mgnn_ranking;
MGNN_API int mgnn_run_rank(const mgnn_call* call, const mgnn_run* run, const mgnn_dataset* dataset,
                           const mgnn_rank_options* options, mgnn_ranking** ranking);
typedef struct mgnn_ranking_arrays {
  int64_t size;
  int64_t count;
  const int32_t* from;        // (count)
  const int32_t* to;          // (count)
  const float* score;         // (count) descending
  const double* probability;  // (count)
  int64_t num_parts;          // motifs and "bias", or 0
  const float* parts;         // (count, num_parts): what each adds to the score
} mgnn_ranking_arrays;
MGNN_API int mgnn_ranking_get_arrays(const mgnn_ranking* ranking, mgnn_ranking_arrays* arrays);
// JSON: names of the parts, directed, candidates, seconds, warnings.
MGNN_API int mgnn_ranking_info(const mgnn_ranking* ranking, mgnn_buffer** json);
MGNN_API void mgnn_ranking_free(mgnn_ranking* ranking);

// Why a run answers what it does about one item, as the JSON document of docs/explain.md. `subject` is "node",
// "pair" or "graph"; `first` and `second` are names as the data have them.
typedef struct mgnn_explain_options {
  int64_t size;
  const char* subject;
  const char* first;
  const char* second;      // of pairs
  const char* class_name;  // whose logit is explained; NULL: that of the predicted class
  int64_t top;             // length of the lists; 0: 10
  int32_t no_recount;      // 1: without fidelity and counterfactual, which count anew
  uint64_t seed;           // of the random arcs that fidelity is compared with
} mgnn_explain_options;
MGNN_API int mgnn_run_explain(const mgnn_call* call, const mgnn_run* run,
                              const mgnn_dataset* dataset, const mgnn_explain_options* options,
                              mgnn_buffer** json);
// The picture of the same explanation: "svg", "png", "html" or "graphml".
MGNN_API int mgnn_run_explain_as(const mgnn_call* call, const mgnn_run* run,
                                 const mgnn_dataset* dataset, const mgnn_explain_options* options,
                                 const char* format, mgnn_buffer** document);

// Several networks on the same splits: JSON with scores of each, and p-values of differences. `folder`
// (NULL: none) keeps what is finished; what is there of the same plan is not trained again.
typedef struct mgnn_compare_options {
  int64_t size;
  int64_t num_models;
  const char* const* models;
  const char* settings;  // of all of them
  const char* folder;
} mgnn_compare_options;
MGNN_API int mgnn_compare(const mgnn_call* call, const mgnn_dataset* dataset,
                          const mgnn_compare_options* options, mgnn_buffer** json);
// Good settings by validation scores: JSON, an array of trials with settings, validation and epochs, the best
// first.
typedef struct mgnn_search_options {
  int64_t size;
  int64_t trials;  // 0: 30
  uint64_t seed;   // of what is tried
  int64_t num_dimensions;
  const char* const* dimensions;  // "train.learning_rate=0.001~0.05", "model.gate=sigmoid|tanh"
  const char* settings;           // of all trials, and the first as it is
  const char* folder;             // as above
  const char*
      rungs;  // NULL, or trials x seeds of successive halving, "40x1,10x3,3x6"; then trials = 0
} mgnn_search_options;
MGNN_API int mgnn_search(const mgnn_call* call, const mgnn_dataset* dataset,
                         const mgnn_search_options* options, mgnn_buffer** json);

// ---- networks on the caller's tensors: forward and backward, for frameworks with their own training

// A network and the shapes of its weights, which belong to the caller.
typedef struct mgnn_network mgnn_network;
typedef struct mgnn_network_options {
  int64_t size;
  const char* name;      // NULL or "mgnn"; as in mgnn_networks
  const char* settings;  // its options, without "model.": layers=[16], motifs=closed, …
  int64_t in, out;       // columns; out = 0 (mgnn, for nodes): the representation only, no head
  int32_t per_graph;     // an output for each graph, not node
  uint64_t seed;         // of initial weights
} mgnn_network_options;
MGNN_API int mgnn_network_new(const mgnn_network_options* options, mgnn_network** network);
MGNN_API void mgnn_network_free(mgnn_network* network);
MGNN_API int mgnn_network_num_weights(const mgnn_network* network, int64_t* count);
// `values` are the initial ones.
MGNN_API int mgnn_network_weight(const mgnn_network* network, int64_t i, mgnn_weight_info* info);
// JSON: columns of the representation, which of them belong to which motif, options.
MGNN_API int mgnn_network_info(const mgnn_network* network, mgnn_buffer** json);

// The matrices that a network multiplies by: counted once per graph, read-only.
typedef struct mgnn_operators mgnn_operators;
typedef struct mgnn_operators_options {
  int64_t size;
  const char* direction;    // of messages: NULL or "in"; "out", "both", "undirected"
  const float* arc_weight;  // (num_arcs) in the order of the out-rows; NULL: all 1
  int64_t num_graphs;       // of a set of graphs; 0: one graph
  const int64_t* graph_start;
} mgnn_operators_options;
MGNN_API int mgnn_operators_new(const mgnn_call* call, const mgnn_network* network,
                                const mgnn_graph* graph, const mgnn_operators_options* options,
                                mgnn_operators** operators);
MGNN_API void mgnn_operators_free(mgnn_operators* operators);
// K matrices on one pattern, CSR: value (nnz, K). `name`: "adjacency", "motifs". A network that does not
// use it has rows = 0.
typedef struct mgnn_operator_info {
  int64_t size;
  int64_t rows, cols, entries, count;
  const int64_t* start;
  const int32_t* index;
  const float* value;
} mgnn_operator_info;
MGNN_API int mgnn_operators_get(const mgnn_operators* operators, const char* name,
                                mgnn_operator_info* info);
// Motif k of those chosen is matrix index[k] of "motifs" times factor[k]; -1: zero. (count)
MGNN_API int mgnn_operators_map(const mgnn_operators* operators, int64_t* count,
                                const int32_t** index, const float** factor);

// Features as CSR (columns ascend in each row, none twice), copied once and used in many passes.
typedef struct mgnn_sparse mgnn_sparse;
MGNN_API int mgnn_sparse_new(const mgnn_call* call, int64_t rows, int64_t cols, const void* indptr,
                             int32_t indptr_type, const void* indices, int32_t indices_type,
                             const float* values, mgnn_sparse** sparse);
MGNN_API void mgnn_sparse_free(mgnn_sparse* sparse);

// One forward pass with what its backward pass needs; its memory is used again by the next forward. For one
// thread at a time; make one for each pass that is to be kept.
typedef struct mgnn_pass mgnn_pass;
MGNN_API int mgnn_pass_new(const mgnn_network* network, mgnn_pass** pass);
MGNN_API void mgnn_pass_free(mgnn_pass* pass);

typedef struct mgnn_forward {
  int64_t size;
  int64_t rows, cols;           // of x
  const float* x;               // dense: read until backward is done, not copied
  const mgnn_sparse* sparse;    // or sparse
  const float* const* weights;  // one pointer for each weight, in their order; copied
  int32_t training;             // dropout, running statistics; 0: evaluation
  int32_t keeps_gradient;       // a backward pass follows
  int32_t x_learns;             // … and wants the gradient of x (dense)
  uint64_t seed, step;          // of dropout: the same numbers give the same masks
  float* out;                   // (rows or graphs, out), or NULL
  float* representation;        // (rows or graphs, …), or NULL
  float* const*
      statistics;  // in training, running statistics are written to those not NULL; or NULL
} mgnn_forward;
MGNN_API int mgnn_pass_forward(const mgnn_call* call, mgnn_pass* pass,
                               const mgnn_operators* operators, const mgnn_forward* forward);
// Gradients are written (not added) to the pointers that are not NULL; x's only if it learns. Of
// d_out and d_representation one may be NULL. Once for each forward.
typedef struct mgnn_backward {
  int64_t size;
  const float* d_out;
  const float* d_representation;
  float* const* d_weights;  // one pointer for each weight, in their order
  float* d_x;               // (rows, cols)
} mgnn_backward;
MGNN_API int mgnn_pass_backward(const mgnn_call* call, mgnn_pass* pass,
                                const mgnn_backward* backward);

#ifdef __cplusplus
}
#endif
#endif  // MGNN_C_H
