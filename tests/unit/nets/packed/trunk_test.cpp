// Tests of the layers as a whole against a plain computation in float64.
#include "nets/packed/trunk.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

using Values = std::vector<double>;

struct Linear {
  std::vector<float> matrix, bias;
  std::size_t out = 0, in = 0;

  DenseWeights view() const { return {matrix.data(), bias.data()}; }
  Values apply(const Values& x, std::size_t rows) const {
    Values y(rows * out);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t o = 0; o < out; ++o) {
        double sum = bias[o];
        for (std::size_t i = 0; i < in; ++i) sum += x[r * in + i] * matrix[o * in + i];
        y[r * out + o] = sum;
      }
    }
    return y;
  }
};

// A layer of drawn weights, and what it computes.
class Layer {
 public:
  Layer(std::size_t hidden, std::size_t heads, std::size_t wide, unsigned seed)
      : hidden_(hidden), heads_(heads), random_(seed) {
    for (Linear* one : {&query_, &key_, &value_, &output_}) *one = linear(hidden, hidden);
    up_ = linear(wide, hidden);
    down_ = linear(hidden, wide);
    for (auto* one : {&weight_, &bias_}) *one = drawn(hidden, 0.5F);
  }

  LayerWeights view() const {
    const NormWeights norm = {weight_.data(), bias_.data()};
    return {query_.view(), key_.view(), value_.view(), output_.view(),
            norm,          up_.view(),  down_.view(),  norm};
  }

  // What a query's head adds to its score of a key.
  using Bias = std::function<double(std::size_t head, std::size_t query, std::size_t key)>;

  // One sequence, of which `seen` tokens are attended to.
  Values apply(const Values& x, std::size_t tokens, std::size_t seen,
               const Bias& bias = no_bias) const {
    Values attended = output_.apply(attend(x, tokens, seen, bias), tokens);
    Values middle = norm(added(x, attended), tokens);
    Values wide = up_.apply(middle, tokens);
    for (double& value : wide) value = value / 2 * (1 + std::erf(value / std::sqrt(2.0)));
    return norm(added(middle, down_.apply(wide, tokens)), tokens);
  }

 private:
  static double no_bias(std::size_t, std::size_t, std::size_t) { return 0; }
  std::vector<float> drawn(std::size_t count, float spread) {
    std::normal_distribution<float> normal(0, spread);
    std::vector<float> values(count);
    for (float& value : values) value = normal(random_);
    return values;
  }
  Linear linear(std::size_t out, std::size_t in) {
    const float spread = 1 / std::sqrt(static_cast<float>(in));
    return {drawn(out * in, spread), drawn(out, 0.1F), out, in};
  }
  static Values added(Values a, const Values& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  Values norm(Values x, std::size_t rows) const {
    for (std::size_t r = 0; r < rows; ++r) {
      double mean = 0, squares = 0;
      double* row = x.data() + r * hidden_;
      const auto width = static_cast<double>(hidden_);
      for (std::size_t i = 0; i < hidden_; ++i) mean += row[i] / width;
      for (std::size_t i = 0; i < hidden_; ++i)
        squares += (row[i] - mean) * (row[i] - mean) / width;
      for (std::size_t i = 0; i < hidden_; ++i) {
        row[i] = (row[i] - mean) / std::sqrt(squares + 1e-12) * weight_[i] + bias_[i];
      }
    }
    return x;
  }
  Values attend(const Values& x, std::size_t tokens, std::size_t seen, const Bias& bias) const {
    const Values q = query_.apply(x, tokens), k = key_.apply(x, tokens),
                 v = value_.apply(x, tokens);
    const std::size_t width = hidden_ / heads_;
    Values y(tokens * hidden_);
    for (std::size_t head = 0; head < heads_; ++head) {
      for (std::size_t t = 0; t < tokens; ++t) {
        Values share(seen);
        double total = 0;
        for (std::size_t s = 0; s < seen; ++s) {
          double score = 0;
          for (std::size_t i = head * width; i < (head + 1) * width; ++i) {
            score += q[t * hidden_ + i] * k[s * hidden_ + i];
          }
          share[s] = std::exp(score / std::sqrt(static_cast<double>(width)) + bias(head, t, s));
          total += share[s];
        }
        for (std::size_t s = 0; s < seen; ++s) {
          for (std::size_t i = head * width; i < (head + 1) * width; ++i) {
            y[t * hidden_ + i] += share[s] / total * v[s * hidden_ + i];
          }
        }
      }
    }
    return y;
  }

  std::size_t hidden_, heads_;
  std::mt19937 random_;
  Linear query_, key_, value_, output_, up_, down_;
  std::vector<float> weight_, bias_;
};

std::vector<float> drawn_tokens(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

class PackedTrunkTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_packed_kernel(GetParam())); }
  void TearDown() override { use_packed_kernel(""); }

  static PackedTrunk trunk(const Layer& first, const Layer& second, const TrunkShape& shape) {
    PackedTrunk made(shape);
    made.add_layer(first.view());
    made.add_layer(second.view());
    return made;
  }
};

struct Form {
  std::size_t hidden, heads, wide;
};

TEST_P(PackedTrunkTest, EqualsAPlainComputation) {
  for (const Form& form : {Form{64, 2, 96}, Form{36, 3, 50}, Form{80, 2, 33}}) {
    const Layer first(form.hidden, form.heads, form.wide, 1);
    const Layer second(form.hidden, form.heads, form.wide, 2);
    const TrunkShape shape = {static_cast<std::int64_t>(form.hidden),
                              static_cast<std::int64_t>(form.heads),
                              static_cast<std::int64_t>(form.wide), 1e-12F, PackedFormat::float32};
    const PackedTrunk packed = trunk(first, second, shape);
    const std::vector<std::int64_t> offsets = {0, 1, 34, 39, 139}, seen = {1, 20, 5, 100};
    std::vector<float> x = drawn_tokens(139 * form.hidden, 3);
    const std::vector<float> before = x;
    packed.run({offsets, seen}, x.data());
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const auto begin = static_cast<std::size_t>(offsets[s]);
      const std::size_t length = static_cast<std::size_t>(offsets[s + 1]) - begin;
      Values wanted(before.begin() + static_cast<long>(begin * form.hidden),
                    before.begin() + static_cast<long>((begin + length) * form.hidden));
      const auto attended = static_cast<std::size_t>(seen[s]);
      wanted = second.apply(first.apply(wanted, length, attended), length, attended);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_NEAR(x[begin * form.hidden + i], wanted[i], 2e-5) << "sequence " << s;
      }
    }
  }
}

// The kinds of a sequence's pairs, with what may be read behind them.
std::vector<std::uint8_t> drawn_kinds(std::size_t length, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> kinds(length * length + kBiasKinds);
  for (std::uint8_t& kind : kinds) kind = static_cast<std::uint8_t>(random() % kBiasKinds);
  return kinds;
}

TEST_P(PackedTrunkTest, AddsToAttentionWhatThePairsSay) {
  constexpr std::size_t kHidden = 36, kHeads = 3;
  const Layer first(kHidden, kHeads, 50, 13), second(kHidden, kHeads, 50, 14);
  const PackedTrunk packed = trunk(first, second, {kHidden, kHeads, 50, 1e-12F, {}});
  const std::vector<std::int64_t> offsets = {0, 33, 50, 150}, seen = {20, 17, 100};
  const std::vector<std::uint8_t> some = drawn_kinds(33, 15), others = drawn_kinds(100, 16);
  const std::vector<const std::uint8_t*> relations = {some.data(), nullptr, others.data()};
  const std::vector<float> numbers = drawn_tokens(2 * kHeads * kBiasKinds, 17);
  std::vector<float> x = drawn_tokens(150 * kHidden, 18);
  const std::vector<float> before = x;
  packed.run({offsets, seen, relations, numbers.data()}, x.data());
  for (std::size_t s = 0; s < relations.size(); ++s) {
    const auto begin = static_cast<std::size_t>(offsets[s]);
    const std::size_t length = static_cast<std::size_t>(offsets[s + 1]) - begin;
    const auto bias_of = [&](std::size_t layer) {
      return [&, layer](std::size_t head, std::size_t query, std::size_t key) -> double {
        if (relations[s] == nullptr) return 0;
        const std::size_t kind = relations[s][query * length + key];
        return numbers[(layer * kHeads + head) * kBiasKinds + kind];
      };
    };
    Values wanted(before.begin() + static_cast<long>(begin * kHidden),
                  before.begin() + static_cast<long>((begin + length) * kHidden));
    const auto attended = static_cast<std::size_t>(seen[s]);
    wanted = first.apply(wanted, length, attended, bias_of(0));
    wanted = second.apply(wanted, length, attended, bias_of(1));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_NEAR(x[begin * kHidden + i], wanted[i], 2e-5) << "sequence " << s;
    }
  }
}

TEST_P(PackedTrunkTest, OfASequenceDoesNotDependOnItsCompany) {
  const Layer first(64, 2, 96, 4), second(64, 2, 96, 5);
  for (const PackedFormat format : {PackedFormat::float32, PackedFormat::int8}) {
    const PackedTrunk packed = trunk(first, second, {64, 2, 96, 1e-12F, format});
    const std::vector<std::int64_t> offsets = {0, 17, 60, 61};
    std::vector<float> all = drawn_tokens(61 * 64, 6);
    std::vector<float> alone(all.begin() + 17 * 64, all.begin() + 60 * 64);
    packed.run({offsets, {}}, all.data());
    const std::vector<std::int64_t> own = {0, 43};
    packed.run({own, {}}, alone.data());
    EXPECT_EQ(std::memcmp(alone.data(), all.data() + 17 * 64, alone.size() * sizeof(float)), 0);
  }
}

TEST_P(PackedTrunkTest, CodesStayNearFloat32) {
  const Layer first(64, 2, 96, 7), second(64, 2, 96, 8);
  const std::vector<std::int64_t> offsets = {0, 30};
  std::vector<float> exact = drawn_tokens(30 * 64, 9), codes = exact;
  trunk(first, second, {64, 2, 96, 1e-12F, PackedFormat::float32}).run({offsets, {}}, exact.data());
  trunk(first, second, {64, 2, 96, 1e-12F, PackedFormat::int8}).run({offsets, {}}, codes.data());
  double dot = 0, a = 0, b = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    dot += double{exact[i]} * codes[i];
    a += double{exact[i]} * exact[i];
    b += double{codes[i]} * codes[i];
  }
  EXPECT_GT(dot / std::sqrt(a * b), 0.999);
  EXPECT_NE(std::memcmp(exact.data(), codes.data(), exact.size() * sizeof(float)), 0);
}

TEST_P(PackedTrunkTest, TellsOfEachLayer) {
  const Layer first(32, 1, 40, 10), second(32, 1, 40, 11);
  const PackedTrunk packed = trunk(first, second, {32, 1, 40, 1e-12F, PackedFormat::float32});
  const std::vector<std::int64_t> offsets = {0, 3};
  std::vector<float> x = drawn_tokens(3 * 32, 12);
  int layers = 0;
  packed.run({offsets, {}}, x.data(), [&] { ++layers; });
  EXPECT_EQ(layers, 2);
}

INSTANTIATE_TEST_SUITE_P(Kernels, PackedTrunkTest, testing::ValuesIn(packed_kernels()),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace fineprint::nets
