"""The declarations of c/mgnn_c.h; python/generate_abi.py writes this file."""
from ctypes import (CFUNCTYPE, Structure, c_char_p, c_double, c_float, c_int, c_int32,
                    c_int64, c_uint8, c_uint32, c_uint64, c_void_p)

ABI_VERSION = 1
OK = 0
FAILED = 1
USAGE = 2
DATA = 3
MEMORY = 12
INTERRUPTED = 130
INT32 = 4
INT64 = 8
UNDIRECTED = 1
NO_IDS = 0
INTEGER_IDS = 1
STRING_IDS = 2
UNUSED = 0
TRAIN = 1
VALIDATION = 2
TEST = 3
MOTIFS = 13
POSITIONS = 30
TRIADS = 16
ZERO_MATRIX = -1
NOT_COUNTED = -2
PROBABILITIES = 0
OUTPUTS = 1
REPRESENTATIONS = 2

progress_function = CFUNCTYPE(
    None, c_void_p, c_char_p, c_int64, c_int64, c_char_p, c_char_p, c_int32)

poll_function = CFUNCTYPE(
    c_int32, c_void_p)

epoch_function = CFUNCTYPE(
    c_int32, c_void_p, c_void_p)


class error_info(Structure):
    _fields_ = [
        ("size", c_int64),
        ("kind", c_int32),
        ("line", c_int64),
        ("message", c_char_p),
        ("path", c_char_p),
        ("hint", c_char_p),
        ("hint_value", c_char_p),
    ]


class call(Structure):
    _fields_ = [
        ("size", c_int64),
        ("threads", c_int64),
        ("progress", progress_function),
        ("progress_context", c_void_p),
        ("poll", poll_function),
        ("poll_context", c_void_p),
        ("cancel", c_void_p),
    ]


class graph_info(Structure):
    _fields_ = [
        ("size", c_int64),
        ("num_nodes", c_int64),
        ("num_arcs", c_int64),
        ("arcs_given", c_int64),
        ("loops_dropped", c_int64),
        ("duplicates_dropped", c_int64),
        ("fingerprint", c_uint64),
        ("undirected", c_int32),
        ("ids", c_int32),
    ]


class ids(Structure):
    _fields_ = [
        ("size", c_int64),
        ("kind", c_int32),
        ("count", c_int64),
        ("number", c_void_p),
        ("text", c_void_p),
        ("start", c_void_p),
    ]


class dataset_arrays(Structure):
    _fields_ = [
        ("size", c_int64),
        ("num_nodes", c_int64),
        ("num_items", c_int64),
        ("num_graphs", c_int64),
        ("graph_start", c_void_p),
        ("num_features", c_int64),
        ("features", c_void_p),
        ("feature_indptr", c_void_p),
        ("feature_indices", c_void_p),
        ("feature_values", c_void_p),
        ("label", c_void_p),
        ("target", c_void_p),
        ("node_type", c_void_p),
        ("arc_weight", c_void_p),
    ]


class census_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("counting", c_char_p),
        ("num_graphs", c_int64),
        ("graph_start", c_void_p),
    ]


class census_counts(Structure):
    _fields_ = [
        ("size", c_int64),
        ("total", c_void_p),
        ("per_node", c_void_p),
        ("per_arc", c_void_p),
        ("per_graph", c_void_p),
        ("per_role", c_void_p),
    ]


class null_counts(Structure):
    _fields_ = [
        ("size", c_int64),
        ("observed", c_void_p),
        ("mean", c_void_p),
        ("deviation", c_void_p),
        ("z", c_void_p),
        ("p", c_void_p),
        ("q", c_void_p),
    ]


class motif_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("motifs", c_char_p),
        ("counting", c_char_p),
        ("entry", c_char_p),
        ("weights", c_char_p),
        ("arc_weight", c_void_p),
        ("pair_memory_limit", c_int64),
    ]


class motifs_info(Structure):
    _fields_ = [
        ("size", c_int64),
        ("num_nodes", c_int64),
        ("entries", c_int64),
        ("num_arrays", c_int64),
        ("weighted", c_int32),
        ("array", c_int32 * 13),
        ("factor", c_int64 * 13),
    ]


class embed_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("method", c_char_p),
        ("settings", c_char_p),
        ("variant", c_char_p),
        ("seed", c_uint64),
    ]


class epoch(Structure):
    _fields_ = [
        ("size", c_int64),
        ("run", c_int64),
        ("epoch", c_int64),
        ("train_loss", c_double),
        ("validation_loss", c_double),
        ("validation_metric", c_double),
    ]


class train_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("settings", c_char_p),
        ("output", c_char_p),
        ("overwrite", c_int32),
        ("validated", epoch_function),
        ("context", c_void_p),
    ]


class weight_info(Structure):
    _fields_ = [
        ("size", c_int64),
        ("name", c_char_p),
        ("rows", c_int64),
        ("cols", c_int64),
        ("values", c_void_p),
        ("learns", c_int32),
    ]


class rank_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("top", c_int64),
        ("between", c_char_p),
        ("relation", c_char_p),
        ("partner_of", c_char_p),
    ]


class ranking_arrays(Structure):
    _fields_ = [
        ("size", c_int64),
        ("count", c_int64),
        ("from", c_void_p),
        ("to", c_void_p),
        ("score", c_void_p),
        ("probability", c_void_p),
        ("num_parts", c_int64),
        ("parts", c_void_p),
    ]


class explain_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("subject", c_char_p),
        ("first", c_char_p),
        ("second", c_char_p),
        ("class_name", c_char_p),
        ("top", c_int64),
        ("no_recount", c_int32),
        ("seed", c_uint64),
    ]


class compare_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("num_models", c_int64),
        ("models", c_void_p),
        ("settings", c_char_p),
        ("folder", c_char_p),
    ]


class search_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("trials", c_int64),
        ("seed", c_uint64),
        ("num_dimensions", c_int64),
        ("dimensions", c_void_p),
        ("settings", c_char_p),
        ("folder", c_char_p),
        ("rungs", c_char_p),
    ]


class network_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("name", c_char_p),
        ("settings", c_char_p),
        ("in", c_int64),
        ("out", c_int64),
        ("per_graph", c_int32),
        ("seed", c_uint64),
    ]


class operators_options(Structure):
    _fields_ = [
        ("size", c_int64),
        ("direction", c_char_p),
        ("arc_weight", c_void_p),
        ("num_graphs", c_int64),
        ("graph_start", c_void_p),
    ]


class operator_info(Structure):
    _fields_ = [
        ("size", c_int64),
        ("rows", c_int64),
        ("cols", c_int64),
        ("entries", c_int64),
        ("count", c_int64),
        ("start", c_void_p),
        ("index", c_void_p),
        ("value", c_void_p),
    ]


class forward(Structure):
    _fields_ = [
        ("size", c_int64),
        ("rows", c_int64),
        ("cols", c_int64),
        ("x", c_void_p),
        ("sparse", c_void_p),
        ("weights", c_void_p),
        ("training", c_int32),
        ("keeps_gradient", c_int32),
        ("x_learns", c_int32),
        ("seed", c_uint64),
        ("step", c_uint64),
        ("out", c_void_p),
        ("representation", c_void_p),
        ("statistics", c_void_p),
    ]


class backward(Structure):
    _fields_ = [
        ("size", c_int64),
        ("d_out", c_void_p),
        ("d_representation", c_void_p),
        ("d_weights", c_void_p),
        ("d_x", c_void_p),
    ]


FUNCTIONS = {
    "mgnn_abi_version": (c_int32,),
    "mgnn_error": (c_int, c_void_p,),
    "mgnn_buffer_data": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_buffer_free": (None, c_void_p,),
    "mgnn_matrix_data": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_matrix_free": (None, c_void_p,),
    "mgnn_version": (c_int, c_void_p,),
    "mgnn_doctor": (c_int, c_void_p,),
    "mgnn_cancel_new": (c_int, c_void_p,),
    "mgnn_cancel_request": (c_int, c_void_p,),
    "mgnn_cancel_clear": (c_int, c_void_p,),
    "mgnn_cancel_free": (None, c_void_p,),
    "mgnn_threads": (c_int, c_void_p,),
    "mgnn_graph_from_arcs": (c_int, c_void_p, c_int64, c_int64, c_void_p, c_void_p, c_int64,
        c_int32, c_uint32, c_void_p,),
    "mgnn_graph_from_csr": (c_int, c_void_p, c_int64, c_void_p, c_int32, c_void_p, c_int32,
        c_uint32, c_void_p,),
    "mgnn_graph_load": (c_int, c_void_p, c_char_p, c_char_p, c_void_p,),
    "mgnn_graph_free": (None, c_void_p,),
    "mgnn_graph_get_info": (c_int, c_void_p, c_void_p,),
    "mgnn_graph_out_rows": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_graph_in_rows": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_graph_arcs": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_graph_get_ids": (c_int, c_void_p, c_void_p,),
    "mgnn_graph_with_ids": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_graph_reversed": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_graph_undirected": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_graph_subgraph": (c_int, c_void_p, c_void_p, c_void_p, c_int64, c_void_p,),
    "mgnn_graph_summary": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_dataset_load": (c_int, c_void_p, c_char_p, c_char_p, c_void_p,),
    "mgnn_datasets": (c_int, c_char_p, c_void_p,),
    "mgnn_dataset_free": (None, c_void_p,),
    "mgnn_dataset_new": (c_int, c_void_p, c_char_p, c_void_p,),
    "mgnn_dataset_set_graphs": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_dataset_set_features": (c_int, c_void_p, c_int64, c_int64, c_void_p, c_int64,),
    "mgnn_dataset_borrow_features": (c_int, c_void_p, c_int64, c_int64, c_void_p, c_int64,
        c_void_p, c_void_p,),
    "mgnn_dataset_set_sparse_features": (c_int, c_void_p, c_int64, c_int64, c_void_p, c_int32,
        c_void_p, c_int32, c_void_p, c_int64,),
    "mgnn_dataset_set_feature_names": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_dataset_set_labels": (c_int, c_void_p, c_int64, c_void_p, c_int64, c_void_p,),
    "mgnn_dataset_set_label_sets": (c_int, c_void_p, c_int64, c_void_p, c_void_p, c_int64,
        c_void_p,),
    "mgnn_dataset_set_targets": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_dataset_set_types": (c_int, c_void_p, c_int64, c_void_p, c_int64, c_void_p,),
    "mgnn_dataset_set_arc_weights": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_dataset_add_relation": (c_int, c_void_p, c_char_p, c_int64, c_void_p, c_void_p,),
    "mgnn_dataset_add_split": (c_int, c_void_p, c_char_p, c_int64, c_void_p,),
    "mgnn_dataset_choose_features": (c_int, c_void_p, c_void_p, c_char_p, c_uint64,),
    "mgnn_dataset_info": (c_int, c_void_p, c_void_p,),
    "mgnn_dataset_graph": (c_int, c_void_p, c_void_p,),
    "mgnn_dataset_get_arrays": (c_int, c_void_p, c_void_p,),
    "mgnn_dataset_graph_ids": (c_int, c_void_p, c_void_p,),
    "mgnn_dataset_label_sets": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_dataset_relation": (c_int, c_void_p, c_int64, c_void_p, c_void_p, c_void_p,),
    "mgnn_dataset_split": (c_int, c_void_p, c_char_p, c_uint64, c_int64, c_int64, c_int64,
        c_void_p,),
    "mgnn_dataset_write": (c_int, c_void_p, c_void_p, c_char_p, c_char_p, c_int32,),
    "mgnn_motif_table": (c_int, c_void_p,),
    "mgnn_census": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_triad_census": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_null_model": (c_int, c_void_p, c_void_p, c_char_p, c_int64, c_uint64, c_void_p,),
    "mgnn_motifs_new": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_motifs_free": (None, c_void_p,),
    "mgnn_motifs_get_info": (c_int, c_void_p, c_void_p,),
    "mgnn_motifs_pattern": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_motifs_values": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_motifs_weights": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_motifs_counts": (c_int, c_void_p, c_void_p, c_int32, c_void_p,),
    "mgnn_motifs_normalised": (c_int, c_void_p, c_void_p, c_int32, c_char_p, c_void_p,),
    "mgnn_motifs_with_diagonal": (c_int, c_void_p, c_void_p, c_void_p,),
    "mgnn_motifs_write": (c_int, c_void_p, c_void_p, c_char_p, c_char_p, c_int32,),
    "mgnn_embed_methods": (c_int, c_void_p,),
    "mgnn_embed": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_embed_unseen": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_tasks": (c_int, c_void_p,),
    "mgnn_networks": (c_int, c_void_p,),
    "mgnn_settings": (c_int, c_char_p, c_void_p,),
    "mgnn_train": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_run_open": (c_int, c_void_p, c_char_p, c_void_p,),
    "mgnn_run_from_bytes": (c_int, c_void_p, c_char_p, c_int64, c_void_p,),
    "mgnn_run_free": (None, c_void_p,),
    "mgnn_run_to_bytes": (c_int, c_void_p, c_void_p,),
    "mgnn_run_save": (c_int, c_void_p, c_char_p, c_int32,),
    "mgnn_run_result": (c_int, c_void_p, c_void_p,),
    "mgnn_run_history": (c_int, c_void_p, c_void_p,),
    "mgnn_run_config": (c_int, c_void_p, c_void_p,),
    "mgnn_run_confusion": (c_int, c_void_p, c_void_p,),
    "mgnn_run_report": (c_int, c_void_p, c_void_p, c_char_p, c_int32,),
    "mgnn_run_num_weights": (c_int, c_void_p, c_void_p,),
    "mgnn_run_weight": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_run_predict": (c_int, c_void_p, c_void_p, c_void_p, c_int32, c_void_p,),
    "mgnn_run_score_pairs": (c_int, c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_void_p,
        c_void_p, c_void_p,),
    "mgnn_run_rank": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_ranking_get_arrays": (c_int, c_void_p, c_void_p,),
    "mgnn_ranking_info": (c_int, c_void_p, c_void_p,),
    "mgnn_ranking_free": (None, c_void_p,),
    "mgnn_run_explain": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_run_explain_as": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_char_p, c_void_p,),
    "mgnn_compare": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_search": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_network_new": (c_int, c_void_p, c_void_p,),
    "mgnn_network_free": (None, c_void_p,),
    "mgnn_network_num_weights": (c_int, c_void_p, c_void_p,),
    "mgnn_network_weight": (c_int, c_void_p, c_int64, c_void_p,),
    "mgnn_network_info": (c_int, c_void_p, c_void_p,),
    "mgnn_operators_new": (c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_operators_free": (None, c_void_p,),
    "mgnn_operators_get": (c_int, c_void_p, c_char_p, c_void_p,),
    "mgnn_operators_map": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_sparse_new": (c_int, c_void_p, c_int64, c_int64, c_void_p, c_int32, c_void_p, c_int32,
        c_void_p, c_void_p,),
    "mgnn_sparse_free": (None, c_void_p,),
    "mgnn_pass_new": (c_int, c_void_p, c_void_p,),
    "mgnn_pass_free": (None, c_void_p,),
    "mgnn_pass_forward": (c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
    "mgnn_pass_backward": (c_int, c_void_p, c_void_p, c_void_p,),
}
