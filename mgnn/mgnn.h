// The public interface of mgnn. What is included here is installed; every other header is private and
// may change at any time. docs/api.md is a tour of it, and examples/ are complete programs.
//
// Everything is in the namespace mgnn. Functions that fail throw mgnn::Error (base/error.h), with one
// sentence for people, and leave what they were given as it was. Objects may be read by several
// threads at once unless their header says otherwise, and written by one. Results are the same for
// any number of threads.
#pragma once

// clang-format off: in groups

// ---- what all rooms share
#include "mgnn/base/error.h"
#include "mgnn/base/names.h"
#include "mgnn/base/options.h"
#include "mgnn/base/rng.h"
#include "mgnn/base/threads.h"
#include "mgnn/base/types.h"

// ---- graphs
#include "mgnn/graph/graph.h"
#include "mgnn/sparse/csr.h"

// ---- motifs: counts and matrices
#include "mgnn/motif/census.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/motif/roles.h"

// ---- data: from files and names to a Dataset
#include "mgnn/data/dataset.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/load.h"
#include "mgnn/io/edge_list.h"

// ---- from settings to a trained network, its predictions and rankings
#include "mgnn/task/config.h"
#include "mgnn/task/metrics.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/result.h"
#include "mgnn/task/trained_model.h"

// ---- embeddings without training by gradients
#include "mgnn/embed/embedding.h"

// ---- what a network of one's own is made of
#include "mgnn/models/layers.h"
#include "mgnn/models/model.h"
#include "mgnn/models/operators.h"
#include "mgnn/tensor/matrix.h"
#include "mgnn/tensor/meta.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/optimiser.h"
#include "mgnn/tensor/parameters.h"
#include "mgnn/tensor/tape.h"
// clang-format on
