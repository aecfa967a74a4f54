// NetLSD: the trace of a diffusion on a graph, at several points of time t:
//
//   heat:  h(t) = tr e^-tL,    wave:  w(t) = tr e^-itL,    L the normalised Laplacian,
//
// divided by that of the empty graph, n, or about that of the complete graph, 1 + (n - 1) e^-t.
// Heat: t evenly in log t from 0.01 to 100; wave: evenly from 0 to 2π, real parts, then imaginary.
// Directed graphs are taken as undirected. Parallel over graphs. Small graphs by all their
// eigenvalues, large ones by stochastic Lanczos quadrature (laplacian_spectrum.h).
//
// karateclub drops the two smallest eigenvalues and divides by n - 2.
//
// Tsitsulin, Mottin, Karras, Bronstein, Müller. "NetLSD: Hearing the Shape of a Graph", KDD 2018.

#include <cmath>
#include <complex>
#include <numbers>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/laplacian_spectrum.h"
#include "mgnn/embed/methods.h"

namespace mgnn {
namespace {

enum class LsdKernel { heat, wave };
constexpr auto enum_names(LsdKernel) {
  return std::to_array<Named<LsdKernel>>({{"heat", LsdKernel::heat}, {"wave", LsdKernel::wave}});
}

enum class LsdNormalisation { none, empty, complete };
constexpr auto enum_names(LsdNormalisation) {
  return std::to_array<Named<LsdNormalisation>>({{"none", LsdNormalisation::none},
                                                 {"empty", LsdNormalisation::empty},
                                                 {"complete", LsdNormalisation::complete}});
}

struct NetLsdOptions {
  LsdKernel kernel = LsdKernel::heat;
  LsdNormalisation normalisation = LsdNormalisation::empty;
  int64_t scales = 250;        // points of time
  int64_t exact_up_to = 1000;  // nodes; larger graphs by stochastic Lanczos quadrature:
  int64_t probes = 32;         // random vectors
  int64_t steps = 64;          // Lanczos steps for each
  bool karateclub = false;     // without the two smallest eigenvalues
  uint64_t seed = 0;
};

using Complex = std::complex<double>;

// e^-tλ or e^-itλ
Complex kernel_value(LsdKernel kernel, double t, double lambda) {
  return kernel == LsdKernel::heat ? Complex(std::exp(-t * lambda)) : std::polar(1., -t * lambda);
}

Complex trace(const Spectrum& spectrum, LsdKernel kernel, double t) {
  Complex sum = 0;
  for (size_t i = 0; i < spectrum.value.size(); i++)
    sum += spectrum.weight[i] * kernel_value(kernel, t, spectrum.value[i]);
  return sum;
}

Complex divisor(const NetLsdOptions& o, double n, double t) {
  switch (o.normalisation) {
    case LsdNormalisation::none:
      return 1;
    case LsdNormalisation::empty:
      return n;
    default:
      return 1. + (n - 1) * kernel_value(o.kernel, t, 1);
  }
}

// karateclub requests the n - 2 eigenvalues of largest magnitude.
void drop_two_smallest(Spectrum& spectrum) {
  const auto count = std::min<std::ptrdiff_t>(2, std::ssize(spectrum.value));  // they are ascending
  spectrum.value.erase(spectrum.value.begin(), spectrum.value.begin() + count);
  spectrum.weight.resize(spectrum.value.size());
}

class NetLsd : public Embedding {
 public:
  Options options() override {
    return {choice("kernel", o_.kernel, "diffusion whose trace is the signature"),
            choice("normalisation", o_.normalisation, "graph whose trace normalises the signature"),
            option("scales", o_.scales, "points of time: length of a vector (wave: half of it)"),
            option("exact_up_to", o_.exact_up_to,
                   "nodes; larger graphs by stochastic Lanczos quadrature"),
            option("probes", o_.probes, "random vectors of the quadrature"),
            option("steps", o_.steps, "Lanczos steps of the quadrature"),
            option("karateclub", o_.karateclub, "drop the two smallest eigenvalues"),
            option("seed", o_.seed, "random seed")};
  }

  Matrix run(const EmbedInput& input) const override {
    check(o_.probes > 0 && o_.steps > 0, "netlsd: probes and steps must be above 0, not {} and {}",
          o_.probes, o_.steps);
    check(o_.scales > 0, "netlsd: scales must be above 0, not {}", o_.scales);
    const LaplacianSpectra spectra(input);
    Matrix z(input.num_graphs(), o_.scales * (o_.kernel == LsdKernel::wave ? 2 : 1));
    const Rng rng(o_.seed);
    ParallelError error;
    Progress progress("spectra", z.rows, "graphs");
#pragma omp parallel for schedule(dynamic, 1) if (z.rows > 1 && worth_threads(z.rows * 20'000))
    for (int64_t g = 0; g < z.rows; g++)
      error.run([&] {
        check_interrupted();
        const auto [first, last] = input.nodes_of(NodeId(g));
        if (first < last)
          fill_row(spectrum(spectra, NodeId(g), last - first, rng), last - first, z.row(g));
        progress.advance(1);
      });
    error.rethrow();
    return z;
  }

 private:
  Spectrum spectrum(const LaplacianSpectra& spectra, NodeId graph, NodeId n, const Rng& rng) const {
    Spectrum result = n <= o_.exact_up_to
                          ? spectra.exact(graph)
                          : spectra.sampled(graph, o_.probes, o_.steps, rng.split(uint64_t(graph)));
    if (o_.karateclub) drop_two_smallest(result);
    return result;
  }

  double time(int64_t i) const {
    const double part = o_.scales == 1 ? 0 : double(i) / double(o_.scales - 1);
    return o_.kernel == LsdKernel::heat ? std::pow(10., 4 * part - 2) : 2 * std::numbers::pi * part;
  }

  void fill_row(const Spectrum& spectrum, NodeId num_nodes, std::span<float> row) const {
    const double n = o_.karateclub ? std::max(1., num_nodes - 2.) : num_nodes;
    for (int64_t i = 0; i < o_.scales; i++) {
      const double t = time(i);
      const Complex value = trace(spectrum, o_.kernel, t) / divisor(o_, n, t);
      row[i] = float(value.real());
      if (o_.kernel == LsdKernel::wave) row[o_.scales + i] = float(value.imag());
    }
  }

  NetLsdOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_netlsd() { return std::make_unique<NetLsd>(); }

}  // namespace mgnn
