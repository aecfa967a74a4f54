// Scores of pairs of nodes from the embeddings of their ends.
#pragma once

#include "mgnn/models/model.h"

namespace mgnn {

// With z the embedding of a node in d columns:
//   inner          z_u · z_v: the same for (u, v) and (v, u)
//   bilinear       z_u · (I + M)ᵀ z_v, M learned, initially 0
//   source_target  s_u · t_v: two embeddings of every node, as source and as target, d columns each
enum class Decoder { inner, bilinear, source_target };
constexpr auto enum_names(Decoder) {
  return std::to_array<Named<Decoder>>({{"inner", Decoder::inner},
                                        {"bilinear", Decoder::bilinear},
                                        {"source-target", Decoder::source_target}});
}
// Whether (u, v) and (v, u) may differ.
inline bool is_directed(Decoder decoder) { return decoder != Decoder::inner; }

// The network with the decoder's weights after its own (bilinear: Mᵀ as kDecoderWeight). To be built
// with shape.out = d; its output is (n, d), or (n, 2 d) if the decoder is directed: see `pair_ends`.
inline constexpr const char* kDecoderWeight = "decoder.weight";
std::unique_ptr<Model> with_decoder(std::unique_ptr<Model> network, Decoder decoder);

// The score of (u, v) is left[u] · right[v]; both (n, d).
template <class T>
struct PairEnds {
  Var<T> left, right;
};
template <class T>
PairEnds<T> pair_ends(Var<T> out, Decoder decoder);

}  // namespace mgnn
