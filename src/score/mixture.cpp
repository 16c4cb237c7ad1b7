// Expectation maximisation for two Gaussians on a line.
#include "fineprint/score/mixture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace fineprint::score {
namespace {

double log_density(const TwoGaussians& model, int component, double x) {
  const auto c = static_cast<std::size_t>(component);
  const double distance = x - model.mean[c];
  return std::log(model.weight[c]) - 0.5 * (std::log(2 * std::numbers::pi * model.variance[c]) +
                                            distance * distance / model.variance[c]);
}

double log_sum(double a, double b) {
  const double high = std::max(a, b);
  // Both minus infinity: far from both components.
  return std::isinf(high) ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

// One list with the share of each item that component 1 claims.
class Em {
 public:
  explicit Em(std::span<const double> x) : x_(x), share_(x.size()) {}

  // Fills the shares; returns the mean log-likelihood of the model it was given.
  double expect(const TwoGaussians& model) {
    double sum = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double low = log_density(model, 0, x_[i]);
      const double high = log_density(model, 1, x_[i]);
      const double both = log_sum(low, high);
      share_[i] = std::exp(high - both);
      sum += both;
    }
    return sum / static_cast<double>(x_.size());
  }

  TwoGaussians maximise(double regularisation) const {
    TwoGaussians model;
    for (std::size_t c = 0; c < 2; ++c) {
      double mass = 0;
      double sum = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        mass += share(i, c);
        sum += share(i, c) * x_[i];
      }
      model.mean[c] = sum / mass;
      model.weight[c] = mass / static_cast<double>(x_.size());
      double squares = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        const double distance = x_[i] - model.mean[c];
        squares += share(i, c) * distance * distance;
      }
      model.variance[c] = squares / mass + regularisation;
    }
    return model;
  }

 private:
  double share(std::size_t i, std::size_t c) const { return c == 1 ? share_[i] : 1 - share_[i]; }

  std::span<const double> x_;
  std::vector<double> share_;
};

bool is_degenerate(const TwoGaussians& model) {
  for (std::size_t c = 0; c < 2; ++c) {
    const bool usable = model.weight[c] >= 1e-6 && std::isfinite(model.mean[c]) &&
                        std::isfinite(model.variance[c]) && model.variance[c] > 0;
    if (!usable) return true;
  }
  return false;
}

void order_by_mean(TwoGaussians& model) {
  if (model.mean[0] <= model.mean[1]) return;
  std::swap(model.mean[0], model.mean[1]);
  std::swap(model.weight[0], model.weight[1]);
  std::swap(model.variance[0], model.variance[1]);
}

}  // namespace

MixtureFit fit_two_gaussians(std::span<const double> x, const TwoGaussians& start,
                             const EmOptions& options) {
  MixtureFit fit;
  fit.model = start;
  if (x.empty()) {
    fit.degenerate = true;
    return fit;
  }
  Em em(x);
  fit.mean_log_likelihood = em.expect(fit.model);
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

double posterior_high(const TwoGaussians& model, double x) {
  const double low = log_density(model, 0, x);
  const double high = log_density(model, 1, x);
  return std::exp(high - log_sum(low, high));
}

}  // namespace fineprint::score
