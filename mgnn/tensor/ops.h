// Everything a network is made of.
#pragma once

#include "mgnn/tensor/attention.h"
#include "mgnn/tensor/dense.h"
#include "mgnn/tensor/elementwise.h"
#include "mgnn/tensor/loss.h"
#include "mgnn/tensor/norm.h"
#include "mgnn/tensor/redundancy.h"
#include "mgnn/tensor/segment.h"
#include "mgnn/tensor/sparse.h"
#include "mgnn/tensor/sparse_features.h"
