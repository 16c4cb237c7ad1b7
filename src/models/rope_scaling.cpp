// Reads how rotary positions are changed for texts longer than those of the first training.
#include "models/rope_scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/format.h"

#include "models/config_facts.h"

namespace fineprint::models {
namespace {

using Factors = std::vector<double>;

constexpr double kMostFactor = 1024;

// The configuration and the part of it that describes the rotation.
struct RopeSource {
  const JsonFacts& config;
  JsonFacts facts;
  double theta;
  int width;  // values of a head that are rotated

  std::size_t pairs() const { return static_cast<std::size_t>(width / 2); }
  // Returns the frequency of a pair in turns over this many positions.
  double turns(int pair, double positions) const {
    return positions * std::pow(theta, -2.0 * pair / width) / (2 * std::numbers::pi);
  }
  // Returns the length of the texts of the first training. A key next to the object counts before
  // one in it, and without both it is the length of all texts, as in the reference.
  int trained_positions(int least) const {
    const std::string original = "original_max_position_embeddings";
    for (const JsonFacts* place : {&config, &facts}) {
      if (place->has(original)) return place->integer(original, least, kMaxPositions);
    }
    return config.integer("max_position_embeddings", least, kMaxPositions);
  }
  // Returns how many times longer texts may be: `factor`, or else the quotient of the lengths.
  double growth(int trained) const {
    if (facts.has("factor")) return facts.number("factor", 1e-3, kMostFactor);
    return static_cast<double>(config.integer("max_position_embeddings", 1, kMaxPositions)) /
           trained;
  }
};

void set_factors(const Factors& factors, Rope* rope) {
  rope->short_factors = rope->long_factors = factors;
}

void read_linear(const RopeSource& source, Rope* rope) {
  set_factors(Factors(source.pairs(), source.facts.number("factor", 1e-3, kMostFactor)), rope);
}

// Divides a frequency by `factor` if its turn is longer than the texts of the first training,
// leaves it unchanged if many turns fit in them, and interpolates between the two. Source: the
// reference's rope type "llama3".
void read_llama3(const RopeSource& source, Rope* rope) {
  const JsonFacts& facts = source.facts;
  const double factor = facts.number("factor", 1, kMostFactor);
  const double low = facts.number("low_freq_factor", 1e-3, 1024);
  const double high = facts.number("high_freq_factor", low, 4096);
  const int trained = facts.integer("original_max_position_embeddings", 1, kMaxPositions);
  if (high == low) facts.fail("high_freq_factor", "equals low_freq_factor");
  Factors factors;
  for (int pair = 0; pair < source.width / 2; ++pair) {
    const double turns = source.turns(pair, trained);
    const double smooth = (turns - low) / (high - low);
    factors.push_back(turns < low    ? factor
                      : turns > high ? 1
                                     : 1 / ((1 - smooth) / factor + smooth));
  }
  set_factors(factors, rope);
}

// Reads "factors", which the converter of a GGUF file has computed.
void read_given(const RopeSource& source, Rope* rope) {
  Factors factors = source.facts.numbers("factors", source.pairs(), 1e-3, 1e6);
  if (factors.size() != source.pairs()) {
    source.facts.fail("factors",
                      format("must list {} numbers, half a head's width", source.pairs()));
  }
  set_factors(factors, rope);
}

double yarn_magnitude(double growth, double weight) {
  return growth <= 1 ? 1 : 0.1 * weight * std::log(growth) + 1;
}

// Divides the frequencies of pairs after the second bound by `growth`, leaves those before the
// first unchanged, and interpolates linearly between the two.
Factors yarn_factors(const RopeSource& source, double growth, int trained) {
  const JsonFacts& facts = source.facts;
  const double fast = facts.number_or("beta_fast", 1e-3, 1e6, 32);
  const double slow = facts.number_or("beta_slow", 1e-3, 1e6, 1);
  // Returns the pair, not a whole number, that turns this often within the trained length.
  const auto pair_of = [&](double turns) {
    return source.width * std::log(trained / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(source.theta));
  };
  double first = pair_of(fast), last = pair_of(slow);
  if (facts.flag_or("truncate", true)) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, source.width - 1.0);
  if (first == last) last += 0.001;  // as in the reference
  Factors factors;
  for (int pair = 0; pair < source.width / 2; ++pair) {
    const double share = std::clamp((pair - first) / (last - first), 0.0, 1.0);
    factors.push_back(1 / (share / growth + (1 - share)));
  }
  return factors;
}

void read_yarn(const RopeSource& source, Rope* rope) {
  const JsonFacts& facts = source.facts;
  if (source.theta <= 1) source.config.fail("rope_theta", "must be over 1 for type \"yarn\"");
  const int trained = source.trained_positions(1);
  const double growth = source.growth(trained);
  set_factors(yarn_factors(source, growth, trained), rope);
  const double weight = facts.number_or("mscale", 0, 1024, 0);
  const double of_all = facts.number_or("mscale_all_dim", 0, 1024, 0);
  const bool weighted = weight > 0 && of_all > 0;
  const double usual = weighted ? yarn_magnitude(growth, weight) / yarn_magnitude(growth, of_all)
                                : yarn_magnitude(growth, 1);
  rope->magnitude = facts.number_or("attention_factor", 1e-6, 1e6, usual);
}

void read_longrope(const RopeSource& source, Rope* rope) {
  const auto factors = [&](const std::string& name) {
    Factors values = source.facts.numbers(name, source.pairs(), 1e-3, 1e6);
    if (values.size() != source.pairs()) {
      source.facts.fail(name, format("must list {} factors", source.pairs()));
    }
    return values;
  };
  rope->short_factors = factors("short_factor");
  rope->long_factors = factors("long_factor");
  rope->original_positions = source.trained_positions(2);
  const double growth = source.growth(rope->original_positions);
  const double usual =
      growth > 1 ? std::sqrt(1 + std::log(growth) / std::log(rope->original_positions)) : 1;
  rope->magnitude = source.facts.number_or("attention_factor", 1e-6, 1e6, usual);
}

// Reads the type, which older writers call "type".
std::string scaling_type(const JsonFacts& facts, std::string* key) {
  *key = facts.has("rope_type") ? "rope_type" : "type";
  return facts.text(*key).value_or("default");
}

}  // namespace

Rope read_scaled_rope(const JsonFacts& config, int width) {
  Rope rope;
  rope.theta = read_rope_theta(config);
  if (!config.has("rope_scaling") && !config.has("rope_parameters")) return rope;
  const RopeSource source{config, rope_facts(config), rope.theta, width};
  std::string key;
  const std::string type = scaling_type(source.facts, &key);
  if (type == "linear") {
    read_linear(source, &rope);
  } else if (type == "llama3") {
    read_llama3(source, &rope);
  } else if (type == "yarn") {
    read_yarn(source, &rope);
  } else if (type == "longrope" || type == "su") {
    read_longrope(source, &rope);
  } else if (type == "factors") {
    read_given(source, &rope);
    // "dynamic" changes nothing within max_position_embeddings, the most that is read.
  } else if (type != "default" && type != "mrope" && type != "dynamic") {
    source.facts.fail(key, format("is \"{}\"; default, linear, dynamic, llama3, yarn and longrope "
                                  "are supported",
                                  type));
  }
  return rope;
}

}  // namespace fineprint::models
