// Exact 2-means on a line: tries every cut.
#include "score/two_means.h"

namespace fineprint::score {
namespace {

struct Group {
  double mean = 0;
  double squares = 0;  // sum of squared distances to the mean
};

Group group_of(std::span<const double> z) {
  const auto count = static_cast<double>(z.size());
  Group group;
  for (const double value : z) group.mean += value / count;
  for (const double value : z) group.squares += (value - group.mean) * (value - group.mean);
  return group;
}

// Computes squares[i] = the sum of squared distances of the first i + 1 values to their mean. Uses
// Welford's update, because a difference of sums would lose digits by cancellation.
std::vector<double> running_squares(std::span<const double> z, bool from_end) {
  std::vector<double> squares;
  double mean = 0;
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double value = from_end ? z[z.size() - 1 - i] : z[i];
    const double before = value - mean;
    mean += before / static_cast<double>(i + 1);
    sum += before * (value - mean);
    squares.push_back(sum);
  }
  return squares;
}

}  // namespace

// Both directions of running sums make the cost of every cut one addition.
TwoGaussians split_in_two(std::span<const double> z, double regularisation) {
  const std::vector<double> top = running_squares(z, false);
  const std::vector<double> bottom = running_squares(z, true);
  std::size_t cut = 1;  // items in the upper group
  const auto cost = [&](std::size_t c) { return top[c - 1] + bottom[z.size() - c - 1]; };
  for (std::size_t c = 2; c < z.size(); ++c) {
    if (cost(c) < cost(cut)) cut = c;
  }
  const Group high = group_of(z.first(cut));
  const Group low = group_of(z.subspan(cut));
  const auto above = static_cast<double>(cut);
  const auto below = static_cast<double>(z.size() - cut);
  return {
      .weight = {below / (above + below), above / (above + below)},
      .mean = {low.mean, high.mean},
      .variance = {low.squares / below + regularisation, high.squares / above + regularisation}};
}

}  // namespace fineprint::score
