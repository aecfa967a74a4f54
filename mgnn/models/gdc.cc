// GDC: graph diffusion convolution. GCN on a graph whose arcs are the strongest of a diffusion:
//
//   T = D^-½ (M + I) D^-½,   S = Σ_k θ_k T^k,   H' = relu(Ŝ H W + b)
//
// θ_k = a (1 - a)^k (personalised PageRank) or e^-t t^k / k! (heat). Ŝ has the `top` largest
// entries of every column of S, or those that are at least `threshold`, scaled so that columns sum
// to 1. With `renormalise`, Ŝ is normalised once more as in GCN (the authors' code does so, PyG's
// example does not).
//
// Klicpera, Weißenberger, Günnemann. "Diffusion improves graph learning", NeurIPS 2019.

#include "mgnn/models/convolution.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"
#include "mgnn/sparse/csr.h"
#include "mgnn/sparse/diffusion.h"

namespace mgnn {
namespace {

// Up to this size the exact solver takes a few seconds.
constexpr NodeId kMaxExactNodes = 6000;

enum class Solver { automatic, exact, push };
constexpr auto enum_names(Solver) {
  return std::to_array<Named<Solver>>(
      {{"auto", Solver::automatic}, {"exact", Solver::exact}, {"push", Solver::push}});
}

struct GdcOptions {
  DiffusionOptions diffusion = {};
  Solver solver = Solver::automatic;
  bool renormalise = false;
};

// D^-½ S D^-½
Operator renormalised(const Operator& s) {
  const Array<double> value(s.value.begin(), s.value.end());
  const Array<double> roots = inverse_roots(row_sums(s.pattern, value));
  return make_operator(s.pattern, rounded(scaled_both_sides(s.pattern, value, roots, roots)));
}

class Gdc : public Convolution {
 public:
  Options options() override {
    DiffusionOptions& d = o_.diffusion;
    Options options = stack_options(stack_);
    append(options,
           {choice("spread", d.spread, "diffusion: personalised PageRank or heat kernel"),
            searched_in_log(option("alpha", d.alpha, "teleport probability of ppr"), 0.01, 0.3),
            searched(option("time", d.time, "diffusion time of heat"), 1, 10),
            choice("keep", d.keep, "sparsification of every column"),
            option("top", d.top, "entries per column, with keep=top"),
            option("threshold", d.threshold, "smallest entry, with keep=threshold"),
            choice("solver", o_.solver,
                   "exact in blocks of columns, or forward push; auto: push for ppr on larger "
                   "graphs"),
            option("push_eps", d.push_eps, "tolerance of push"),
            option("push_arcs", d.push_arcs,
                   "arcs that push visits per column before its tolerance is raised"),
            option("renormalise", o_.renormalise, "normalise the result symmetrically, as gcn")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    const Csr pattern = message_pattern(view.graph, SelfLoops::added);
    const Array<double> weight = message_weights(view, pattern);
    const Array<double> value = message_values(pattern, weight, MessageNorm::sym_in);
    const Array<double> degree = row_sums(pattern, weight);
    DiffusionOptions options = o_.diffusion;
    options.push = o_.solver == Solver::push ||
                   (o_.solver == Solver::automatic && pattern.rows > kMaxExactNodes &&
                    options.spread == Spread::ppr);
    DiffusedColumns columns = diffused_columns(pattern, value, degree, options);
    Operator s = make_operator(std::move(columns.pattern), rounded(columns.value));
    if (!s.symmetric) {  // that was the transpose
      std::swap(s.pattern, s.transposed);
      std::swap(s.value, s.transposed_value);
    }
    return {.adjacency = o_.renormalise ? renormalised(s) : std::move(s)};
  }
  ArcWeights arc_weights() const override { return ArcWeights::non_negative; }

 private:
  GdcOptions o_;
};

}  // namespace

std::unique_ptr<Model> make_gdc() { return make_model<Gdc>(); }

}  // namespace mgnn
