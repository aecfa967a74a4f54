#include "mgnn/models/link_decoder.h"

namespace mgnn {
namespace {

class LinkNetwork : public Model {
 public:
  LinkNetwork(std::unique_ptr<Model> network, Decoder decoder)
      : network_(std::move(network)), decoder_(decoder) {}

  Options options() override { return network_->options(); }
  Operators operators(const GraphView& view) const override { return network_->operators(view); }
  ArcWeights arc_weights() const override { return network_->arc_weights(); }
  bool uses_relations() const override { return network_->uses_relations(); }
  std::optional<MotifWeights> motif_weights() const override { return network_->motif_weights(); }
  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const int64_t d = shape.out;
    Shape inner = shape;
    inner.level = Level::node;
    if (decoder_ == Decoder::source_target) inner.out = 2 * d;
    network_->build(inner, weights, rng);
    if (decoder_ == Decoder::bilinear)
      matrix_ = weights.add(kDecoderWeight, d, d, {.kind = Init::zeros}, rng);
  }
  std::vector<MotifBlock> motif_blocks() const override { return network_->motif_blocks(); }
  Linear output_layer() const override { return network_->output_layer(); }

  template <class T>
  Output<T> run(Step<T>& step) const {
    Output<T> output = network_->forward(step);
    if (decoder_ == Decoder::bilinear) {
      const Var<T> z = output.out;
      const Var<T> both[] = {z, add(z, matmul(z, step.weight(matrix_)))};
      output.out = concat_columns<T>(both);
    }
    return output;
  }

 private:
  std::unique_ptr<Model> network_;
  Decoder decoder_;
  Parameter matrix_;  // Mᵀ (d, d)
};

}  // namespace

std::unique_ptr<Model> with_decoder(std::unique_ptr<Model> network, Decoder decoder) {
  return make_model<LinkNetwork>(std::move(network), decoder);
}

template <class T>
PairEnds<T> pair_ends(Var<T> out, Decoder decoder) {
  if (!is_directed(decoder)) return {out, out};
  const int64_t d = out.cols / 2;
  return {slice_columns(out, 0, d), slice_columns(out, d, d)};
}
template PairEnds<float> pair_ends(Var<float>, Decoder);
template PairEnds<double> pair_ends(Var<double>, Decoder);

}  // namespace mgnn
