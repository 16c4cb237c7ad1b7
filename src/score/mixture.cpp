// Expectation maximisation for two Gaussians on a line.
#include "fineprint/score/mixture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "score/sample.h"

namespace fineprint::score {
namespace {

// The logarithm of a component's weighted density: constant - distance^2 * steepness.
struct LogDensity {
  double mean, constant, steepness;

  double operator()(double x) const {
    const double distance = x - mean;
    return constant - distance * distance * steepness;
  }
};

LogDensity log_density(const TwoGaussians& model, std::size_t c) {
  return {model.mean[c],
          std::log(model.weight[c]) - 0.5 * std::log(2 * std::numbers::pi * model.variance[c]),
          0.5 / model.variance[c]};
}

// One list, with the share of each item that component 1 claims.
class Em {
 public:
  explicit Em(const Sample& sample) : sample_(sample), share_(sample.x.size()) {}

  // The E step: computes the shares. Returns the mean log-likelihood of `model`.
  double expect(const TwoGaussians& model) {
    const LogDensity low = log_density(model, 0);
    const LogDensity high = log_density(model, 1);
    double sum = 0;
    for (std::size_t i = 0; i < share_.size(); ++i) {
      const double a = low(sample_.x[i]);
      const double b = high(sample_.x[i]);
      // Far from both components both are minus infinity. Then the result is NaN, and the fit
      // counts as degenerate.
      const double rest = std::exp(-std::abs(a - b));
      share_[i] = (a > b ? rest : 1) / (1 + rest);
      sum += sample_.count[i] * (std::max(a, b) + std::log1p(rest));
    }
    return sum / sample_.total;
  }

  // The M step: returns the model that fits the shares best. `regularisation` keeps a variance
  // above 0 if a component claims a single value.
  TwoGaussians maximise(double regularisation) const {
    TwoGaussians model;
    for (std::size_t c = 0; c < 2; ++c) {
      double mass = 0;
      double sum = 0;
      for (std::size_t i = 0; i < share_.size(); ++i) {
        mass += share(i, c);
        sum += share(i, c) * sample_.x[i];
      }
      model.mean[c] = sum / mass;
      model.weight[c] = mass / sample_.total;
      double squares = 0;
      for (std::size_t i = 0; i < share_.size(); ++i) {
        const double distance = sample_.x[i] - model.mean[c];
        squares += share(i, c) * distance * distance;
      }
      model.variance[c] = squares / mass + regularisation;
    }
    return model;
  }

 private:
  double share(std::size_t i, std::size_t c) const {
    return sample_.count[i] * (c == 1 ? share_[i] : 1 - share_[i]);
  }

  const Sample& sample_;
  std::vector<double> share_;
};

// A component without weight or with a variance that is not positive describes nothing.
bool is_degenerate(const TwoGaussians& model) {
  for (std::size_t c = 0; c < 2; ++c) {
    const bool usable = model.weight[c] >= 1e-6 && std::isfinite(model.mean[c]) &&
                        std::isfinite(model.variance[c]) && model.variance[c] > 0;
    if (!usable) return true;
  }
  return false;
}

// Component 1 must be the higher one: see TwoGaussians.
void order_by_mean(TwoGaussians& model) {
  if (model.mean[0] <= model.mean[1]) return;
  std::swap(model.mean[0], model.mean[1]);
  std::swap(model.weight[0], model.weight[1]);
  std::swap(model.variance[0], model.variance[1]);
}

}  // namespace

MixtureFit fit_sample(const Sample& sample, const TwoGaussians& start, const EmOptions& options) {
  MixtureFit fit;
  fit.model = start;
  if (sample.x.empty()) {
    fit.degenerate = true;
    return fit;
  }
  Em em(sample);
  fit.mean_log_likelihood = em.expect(fit.model);
  // Written as "not below", so that a NaN change does not end the loop as success.
  for (double change = INFINITY;
       !(std::abs(change) < options.tolerance) && fit.iterations < options.max_iterations;) {
    fit.model = em.maximise(options.regularisation);
    ++fit.iterations;
    fit.degenerate = is_degenerate(fit.model);
    if (fit.degenerate) return fit;
    const double likelihood = em.expect(fit.model);
    change = likelihood - fit.mean_log_likelihood;
    fit.mean_log_likelihood = likelihood;
  }
  fit.degenerate = !std::isfinite(fit.mean_log_likelihood);
  order_by_mean(fit.model);
  return fit;
}

MixtureFit fit_two_gaussians(std::span<const double> x, const TwoGaussians& start,
                             const EmOptions& options) {
  return fit_sample(whole_sample(x), start, options);
}

// Works with logarithms, because the densities of distant values underflow.
double posterior_high(const TwoGaussians& model, double x) {
  const double difference = log_density(model, 0)(x) - log_density(model, 1)(x);
  const double rest = std::exp(-std::abs(difference));
  return (difference > 0 ? rest : 1) / (1 + rest);
}

}  // namespace fineprint::score
