// A golden case folder of tests/data: its facts, pictures and expected tensors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/image/codec.h"
#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::testing {

class GoldenCase {
 public:
  explicit GoldenCase(const std::string& name)
      : dir_(std::string(FINEPRINT_TEST_DATA "/") + name), tensors_(file("expected.safetensors")) {}

  std::string file(const std::string& name) const { return dir_ + "/" + name; }
  nlohmann::json facts() const { return nlohmann::json::parse(read_file(file("case.json"))); }
  // `name` within the folder.
  Image picture(const std::string& name) const {
    const std::string bytes = read_file(file(name));
    return image::decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, name);
  }

  bool has(const std::string& name) const { return stored(name) || stored(name + ".levels"); }
  std::vector<std::int64_t> shape(const std::string& name) const {
    return tensors_.at(stored(name) ? name : name + ".levels").shape;
  }
  // Pictures are stored as levels, bytes that name a channel's values, where these are few enough.
  std::vector<float> floats(const std::string& name) const {
    return stored(name) ? values<float>(name) : values_of_levels(name);
  }
  std::vector<std::int64_t> integers(const std::string& name) const {
    if (tensors_.at(name).dtype == tensorfile::Dtype::i64) return values<std::int64_t>(name);
    const std::vector<std::int32_t> small = values<std::int32_t>(name);
    return {small.begin(), small.end()};
  }

  // The largest difference between `got` and the expected tensor, which may hold samples only.
  double difference(const std::string& name, const std::vector<float>& got) const {
    if (has(name)) return largest(floats(name), got);
    const std::vector<float> expected = floats(name + ".sample_value");
    // The samples of both backends stand at the same places.
    std::string index = name;
    if (!has(index + ".sample_index")) index.resize(index.rfind("_pil"));
    std::vector<float> sampled;
    for (const std::int64_t at : integers(index + ".sample_index")) {
      sampled.push_back(got.at(static_cast<std::size_t>(at)));
    }
    return largest(expected, sampled);
  }

 private:
  bool stored(const std::string& name) const { return tensors_.tensors().count(name) != 0; }
  // The channels are an axis of pictures [n, channels, height, width], and follow each other in the
  // last axis of patches.
  std::vector<float> values_of_levels(const std::string& name) const {
    constexpr std::size_t kMost = 256;
    const std::vector<std::uint8_t> levels = values<std::uint8_t>(name + ".levels");
    const std::vector<float> table = values<float>(name + ".level_values");
    const std::vector<std::int64_t> sizes = shape(name);
    const std::size_t channels = table.size() / kMost;
    const std::size_t run = sizes.size() == 4 ? sizes[2] * sizes[3] : sizes.back() / channels;
    std::vector<float> out(levels.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = table.at(i / run % channels * kMost + levels[i]);
    }
    return out;
  }
  template <class T>
  std::vector<T> values(const std::string& name) const {
    const tensorfile::TensorView& view = tensors_.at(name);
    std::vector<T> out(view.bytes.size() / sizeof(T));
    std::memcpy(out.data(), view.bytes.data(), view.bytes.size());
    return out;
  }
  static double largest(const std::vector<float>& expected, const std::vector<float>& got) {
    if (expected.size() != got.size()) return INFINITY;
    double most = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double apart = std::abs(static_cast<double>(expected[i]) - got[i]);
      if (!std::isfinite(apart)) return INFINITY;
      most = std::max(most, apart);
    }
    return most;
  }

  std::string dir_;
  tensorfile::SafetensorsReader tensors_;
};

}  // namespace fineprint::testing
