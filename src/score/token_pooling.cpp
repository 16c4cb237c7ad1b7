// Ward's clustering by chains of nearest neighbours, in time quadratic in the number of rows.
#include "fineprint/score/token_pooling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace fineprint::score {
namespace {

// One merge of two clusters.
struct Merge {
  std::uint32_t kept;  // contains the union afterwards
  std::uint32_t gone;
  double distance;  // squared
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Squared distances between clusters. A cluster is identified by its first row. [n, n], symmetric.
class Distances {
 public:
  // Ward's criterion takes for a row the list of its products with all rows, S = X X^T. Two such
  // lists are |S_a - S_b|^2 apart, which equals (x_a - x_b)^T C (x_a - x_b) with C = X^T X. That
  // takes dim numbers for a pair instead of n.
  explicit Distances(const Matrix& x) : n_(x.rows), values_(n_ * n_), size_(n_, 1) {
    const std::vector<double> columns = transposed(x);            // [padded dim, n]
    const std::vector<double> moved = times_moments(x, columns);  // X C, [n, padded dim]
    for (std::size_t a = 0; a < n_; ++a) add_products(moved.data() + a * padded(x), columns, a);
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double squared = values_[a * n_ + a] + values_[b * n_ + b] - 2 * values_[a * n_ + b];
        set(a, b, squared);
      }
    }
  }

  double between(std::size_t a, std::size_t b) const { return values_[a * n_ + b]; }

  // Returns the cluster in `alive` that is nearest to `a`. If several are, returns `preferred` if
  // it is one of them, and the first otherwise.
  std::uint32_t nearest(std::uint32_t a, const std::vector<std::uint32_t>& alive,
                        std::uint32_t preferred) const {
    const double* row = values_.data() + a * n_;
    std::uint32_t best = preferred;
    for (const std::uint32_t b : alive) {
      if (b != a && row[b] < row[best]) best = b;
    }
    return best;
  }

  // Makes `kept` the union of both, by Lance and Williams's formula for Ward's criterion.
  void merge(std::uint32_t kept, std::uint32_t gone, const std::vector<std::uint32_t>& alive) {
    const double together = between(kept, gone);
    const double a = size_[kept];
    const double b = size_[gone];
    for (const std::uint32_t c : alive) {
      if (c == kept) continue;
      const double s = size_[c];
      set(kept, c,
          ((a + s) * between(kept, c) + (b + s) * between(gone, c) - s * together) / (a + b + s));
    }
    size_[kept] += size_[gone];
  }

 private:
  // Columns are processed four at a time, with one pass over the output.
  static constexpr std::size_t kColumns = 4;

  static std::size_t padded(const Matrix& x) {
    return (x.cols + kColumns - 1) / kColumns * kColumns;
  }

  // Column by column, so that the inner loops run over consecutive numbers.
  static std::vector<double> transposed(const Matrix& x) {
    std::vector<double> columns(x.rows * padded(x));
    for (std::size_t r = 0; r < x.rows; ++r) {
      for (std::size_t d = 0; d < x.cols; ++d) {
        columns[d * x.rows + r] = static_cast<double>(x.row(r)[d]);
      }
    }
    return columns;
  }

  // Returns X C, in rows * dim^2 operations.
  static std::vector<double> times_moments(const Matrix& x, const std::vector<double>& columns) {
    std::vector<double> moments(x.cols * x.cols);
    for (std::size_t r = 0; r < x.rows; ++r) {
      for (std::size_t d = 0; d < x.cols; ++d) {
        const double factor = columns[d * x.rows + r];
        for (std::size_t e = 0; e < x.cols; ++e) {
          moments[d * x.cols + e] += factor * static_cast<double>(x.row(r)[e]);
        }
      }
    }
    std::vector<double> moved(x.rows * padded(x));
    for (std::size_t r = 0; r < x.rows; ++r) {
      for (std::size_t d = 0; d < x.cols; ++d) {
        const double factor = columns[d * x.rows + r];
        for (std::size_t e = 0; e < x.cols; ++e) {
          moved[r * padded(x) + e] += factor * moments[d * x.cols + e];
        }
      }
    }
    return moved;
  }

  // Adds <left, row b> to values_[a, b] for all b up to a.
  void add_products(const double* left, const std::vector<double>& columns, std::size_t a) {
    double* out = values_.data() + a * n_;
    for (const double* column = columns.data(); column != columns.data() + columns.size();
         column += kColumns * n_, left += kColumns) {
      for (std::size_t b = 0; b <= a; ++b) {
        out[b] += (left[0] * column[b] + left[1] * column[n_ + b]) +
                  (left[2] * column[2 * n_ + b] + left[3] * column[3 * n_ + b]);
      }
    }
  }

  // Turns NaN into the largest distance, so that such rows are joined last.
  void set(std::size_t a, std::size_t b, double squared) {
    const double value = std::isnan(squared) ? kInfinity : std::max(0.0, squared);
    values_[a * n_ + b] = values_[b * n_ + a] = value;
  }

  std::size_t n_;
  std::vector<double> values_;
  std::vector<double> size_;
};

// Returns every merge of the tree, in the order in which the chain finds them. Source: Murtagh
// 1983, "A survey of recent advances in hierarchical clustering algorithms" (nearest-neighbour
// chains).
std::vector<Merge> ward_merges(Distances& distances, std::size_t count) {
  std::vector<std::uint32_t> alive(count);
  std::iota(alive.begin(), alive.end(), 0U);
  std::vector<std::uint32_t> chain;
  std::vector<Merge> merges;
  while (alive.size() > 1) {
    if (chain.empty()) chain.push_back(alive.front());
    const std::uint32_t last = chain.back();
    // Of equally near clusters it takes the one that the chain came from. Otherwise it could run in
    // circles.
    const bool alone = chain.size() == 1;
    const std::uint32_t other = alive.front() == last ? alive[1] : alive.front();
    const std::uint32_t before = alone ? other : chain[chain.size() - 2];
    const std::uint32_t next = distances.nearest(last, alive, before);
    if (alone || next != before) {
      chain.push_back(next);
      continue;
    }
    chain.resize(chain.size() - 2);
    const Merge merge{std::min(last, next), std::max(last, next), distances.between(last, next)};
    alive.erase(std::find(alive.begin(), alive.end(), merge.gone));
    distances.merge(merge.kept, merge.gone, alive);
    merges.push_back(merge);
  }
  return merges;
}

// Joins the nearest pairs until `groups` are left, and returns the group of each row, named by its
// first row. Ward's distances never decrease along the tree, so cutting it means leaving out the
// most distant merges.
std::vector<std::uint32_t> cut(std::vector<Merge> merges, std::size_t count, std::size_t groups) {
  std::stable_sort(merges.begin(), merges.end(),
                   [](const Merge& a, const Merge& b) { return a.distance < b.distance; });
  std::vector<std::uint32_t> group(count);
  std::iota(group.begin(), group.end(), 0U);
  const auto first_of = [&](std::uint32_t row) {
    while (group[row] != row) row = group[row] = group[group[row]];
    return row;
  };
  for (std::size_t i = 0; i + groups < count; ++i) {
    const std::uint32_t a = first_of(merges[i].kept);
    const std::uint32_t b = first_of(merges[i].gone);
    group[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t row = 0; row < count; ++row) group[row] = first_of(row);
  return group;
}

// Returns the sum of each group's rows, scaled to unit length, which is the direction of their
// mean.
Matrix means(const Matrix& vectors, const std::vector<std::uint32_t>& group) {
  Matrix pooled{.rows = 0, .cols = vectors.cols, .values = {}};
  std::vector<double> sum(vectors.cols);
  for (std::uint32_t first = 0; first < group.size(); ++first) {
    if (group[first] != first) continue;
    std::fill(sum.begin(), sum.end(), 0);
    for (std::size_t r = first; r < group.size(); ++r) {
      if (group[r] != first) continue;
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += static_cast<double>(vectors.row(r)[d]);
    }
    double squares = 0;
    for (const double value : sum) squares += value * value;
    const double scale = squares > 0 ? 1 / std::sqrt(squares) : 1;
    for (const double value : sum) pooled.values.push_back(static_cast<float>(value * scale));
    ++pooled.rows;
  }
  return pooled;
}

}  // namespace

Matrix pool_tokens(const Matrix& vectors, int factor) {
  if (factor <= 1 || vectors.rows < 2) return vectors;
  const std::size_t groups =
      std::max<std::size_t>(1, vectors.rows / static_cast<std::size_t>(factor));
  Distances distances(vectors);
  return means(vectors, cut(ward_merges(distances, vectors.rows), vectors.rows, groups));
}

}  // namespace fineprint::score
