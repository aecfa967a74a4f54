// Scores of pairs of nodes, made of what a network says of each node.
#pragma once

#include "mgnn/models/model.h"

namespace mgnn {

// With z what the network says of a node, in d columns:
//   inner          z_u · z_v: the same for (u, v) and (v, u)
//   bilinear       z_u · (I + M)ᵀ z_v, M learned, 0 at first
//   source_target  s_u · t_v: the network says two things of every node, d columns each
enum class Decoder { inner, bilinear, source_target };
const std::vector<std::pair<std::string, Decoder>>& decoder_names();
// Whether (u, v) and (v, u) may differ.
inline bool is_directed(Decoder decoder) { return decoder != Decoder::inner; }

// The network with the decoder's weights after its own. To be built with shape.out = d; its output
// then is (n, d), or (n, 2 d) if the decoder is directed, of which `pair_ends` are parts.
std::unique_ptr<Model> with_decoder(std::unique_ptr<Model> network, Decoder decoder);

// The score of (u, v) is left[u] · right[v]; both (n, d).
template <class T>
struct PairEnds {
  Var<T> left, right;
};
template <class T>
PairEnds<T> pair_ends(Var<T> out, Decoder decoder);

}  // namespace mgnn
