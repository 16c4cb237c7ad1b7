// Compares the mixture of two Gaussians on lists of scores, with the start and the stop rule of the
// case.
#include <algorithm>

#include "fineprint/score/mixture.h"

#include "verify/method_case_checks.h"

namespace fineprint::verify {
namespace {

using score::MixtureFit;
using score::TwoGaussians;

// From the case: "change of the mean log-likelihood below 1e-13, at most 5000 iterations".
constexpr double kStop = 1e-13;
constexpr int kMostIterations = 5000;

// From the case: "means = min and max, variances = population variance + 1e-6, weights 0.5".
TwoGaussians start_of(const std::vector<double>& x, double regularisation) {
  const auto count = static_cast<double>(x.size());
  double mean = 0;
  double variance = 0;
  for (const double value : x) mean += value / count;
  for (const double value : x) variance += (value - mean) * (value - mean) / count;
  variance += regularisation;
  const auto [low, high] = std::ranges::minmax(x);
  return {{0.5, 0.5}, {low, high}, {variance, variance}};
}

struct Posterior {
  std::vector<double> high;  // of the component with the higher mean
  int count = 0;             // items that this component claims
  bool is_prefix = true;     // whether they are the best items of the ranking
};

Posterior posterior_of(const TwoGaussians& model, std::vector<double> x) {
  Posterior posterior;
  for (const double value : x) posterior.high.push_back(posterior_high(model, value));
  std::ranges::sort(x, std::greater<>());
  bool ended = false;
  for (const double value : x) {
    const bool claimed = posterior_high(model, value) >= 0.5;
    posterior.count += claimed ? 1 : 0;
    posterior.is_prefix = posterior.is_prefix && !(claimed && ended);
    ended = ended || !claimed;
  }
  return posterior;
}

// Values of the two components, the lower mean first.
void check_pair(MethodCase& method, const std::string& name, const std::array<double, 2>& ours,
                const Json& expected) {
  method.compare(name, ours, expected.get<std::vector<double>>(), method.tolerance(name));
}

// The case also records another library's fit of the same list; these values are not compared.
bool is_about_peer(const std::string& key) { return key.find("sklearn") != std::string::npos; }

// Every key of the row must be known, so that a new value in the case cannot be overlooked.
void check_row(MethodCase& method, const Json& row, const MixtureFit& fit,
               const Posterior& posterior) {
  for (const auto& [key, value] : row.items()) {
    if (key == "list" || key == "n" || is_about_peer(key)) continue;
    if (key == "means") {
      check_pair(method, key, fit.model.mean, value);
    } else if (key == "variances") {
      check_pair(method, key, fit.model.variance, value);
    } else if (key == "weights") {
      check_pair(method, key, fit.model.weight, value);
    } else if (key == "mean_log_likelihood") {
      method.compare(key, fit.mean_log_likelihood, value.get<double>(), method.tolerance("means"));
    } else if (key == "iterations") {
      method.compare(key, fit.iterations, value.get<double>(), 0);
    } else if (key == "count_in_high_component") {
      method.compare(key, posterior.count, value.get<double>(), 0);
    } else if (key == "high_is_a_prefix_of_the_ranking") {
      method.compare(key, posterior.is_prefix, value.get<bool>(), 0);
    } else {
      method.unknown(row.at("list").get<std::string>() + "." + key);
    }
  }
}

}  // namespace

void check_gmm(MethodCase& method) {
  const auto regularisation = method.json().at("reg_covar").get<double>();
  for (const Json& row : method.json().at("rows")) {
    const auto list = row.at("list").get<std::string>();
    const std::vector<double> x = method.doubles(list + ".scores");
    method.compare("n", static_cast<double>(x.size()), row.at("n").get<double>(), 0);
    // A list without scores has no mixture; the case records only its length.
    if (x.empty()) continue;
    const MixtureFit fit =
        fit_two_gaussians(x, start_of(x, regularisation), {regularisation, kStop, kMostIterations});
    const Posterior posterior = posterior_of(fit.model, x);
    method.compare("posterior_high", posterior.high, method.doubles(list + ".posterior_high"),
                   method.tolerance("posterior"));
    check_row(method, row, fit, posterior);
  }
}

}  // namespace fineprint::verify
