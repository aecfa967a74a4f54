// GDC: graph diffusion convolution. GCN on a graph whose arcs are the strongest of a diffusion:
//
//   T = D^-½ (M + I) D^-½,   S = Σ_k θ_k T^k,   H' = relu(Ŝ H W + b)
//
// θ_k = a (1 - a)^k (personalised PageRank) or e^-t t^k / k! (heat). Ŝ keeps the `top` largest
// entries of every column of S, or those from `threshold` on, scaled so that columns sum to 1.
// With `renormalise`, Ŝ is normalised once more as GCN normalises messages (the authors' code does
// so, PyG's example does not).
//
// Operators: fixed[0] is Ŝ.
//
// Klicpera, Weißenberger, Günnemann. "Diffusion improves graph learning", NeurIPS 2019.

#include "mgnn/models/convolution.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"
#include "mgnn/sparse/diffusion.h"
#include "mgnn/sparse/normalise.h"

namespace mgnn {
namespace {

// Below so many nodes the exact way takes a few seconds.
constexpr NodeId kFewNodes = 6000;

enum class Way { automatic, exact, push };

struct GdcOptions {
  DiffusionOptions diffusion = {};
  Way way = Way::automatic;
  bool renormalise = false;
};

Operator renormalised(const Operator& s) {
  const Array<double> value(s.value.begin(), s.value.end());
  const Array<double> roots = inverse_roots(row_sums(s.pattern, value));
  return rounded_operator(s.pattern, scaled_both_sides(s.pattern, value, roots, roots));
}

class Gdc : public Convolution {
 public:
  Options options() override {
    DiffusionOptions& d = o_.diffusion;
    Options all = stack_options(stack_);
    append(all, {choice("spread", d.spread, "personalised PageRank or heat"),
                 searched(option("alpha", d.alpha, "chance of going back to the start, of ppr"),
                          0.01, 0.3, true),
                 searched(option("time", d.time, "of heat"), 1, 10),
                 choice("keep", d.keep, "which entries of a column are kept"),
                 option("top", d.top, "so many of the largest"),
                 option("threshold", d.threshold, "those that are no smaller"),
                 choice<Way>(
                     "way", o_.way,
                     {{"auto", Way::automatic}, {"exact", Way::exact}, {"push", Way::push}},
                     "exact in blocks of columns, or by push; auto: push for ppr of larger graphs"),
                 option("push_eps", d.push_eps, "what push leaves unspread"),
                 option("push_arcs", d.push_arcs,
                        "walks of a column along arcs, after which push leaves more"),
                 option("renormalise", o_.renormalise, "normalise once more as gcn does")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    const Csr pattern = message_pattern(graph, true);
    const Array<double> ones(size_t(pattern.nnz()), 1.);
    const Array<double> degree = row_sums(pattern, ones), roots = inverse_roots(degree);
    const Array<double> value = scaled_both_sides(pattern, ones, roots, roots);
    DiffusionOptions options = o_.diffusion;
    options.push = o_.way == Way::push || (o_.way == Way::automatic && pattern.rows > kFewNodes &&
                                           options.spread == Spread::ppr);
    DiffusedColumns columns = diffused_columns(pattern, value, degree, options);
    Operator s = rounded_operator(std::move(columns.pattern), columns.value);
    if (!s.symmetric) {  // that was the transpose
      std::swap(s.pattern, s.transposed);
      std::swap(s.value, s.transposed_value);
    }
    if (o_.renormalise) s = renormalised(s);
    return {.fixed = {std::move(s)}};
  }

 private:
  GdcOptions o_;
};

}  // namespace

std::unique_ptr<Model> make_gdc() { return std::make_unique<Gdc>(); }

}  // namespace mgnn
