// Reads a safetensors file of this repository for tests of modules that must not know `tensorfile`.
// The file is trusted: nothing is checked but names.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::testing {

class GoldenTensors {
 public:
  explicit GoldenTensors(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    std::uint64_t header = 0;
    std::memcpy(&header, bytes_.data(), sizeof header);
    start_ = sizeof header + header;
    header_ = nlohmann::json::parse(bytes_.begin() + sizeof header,
                                    bytes_.begin() + static_cast<std::ptrdiff_t>(start_));
  }

  bool has(const std::string& name) const { return header_.contains(name); }
  std::vector<std::int64_t> shape(const std::string& name) const {
    return header_.at(name).at("shape").get<std::vector<std::int64_t>>();
  }
  std::vector<std::uint8_t> bytes(const std::string& name) const {
    return values<std::uint8_t>(name);
  }
  std::vector<float> floats(const std::string& name) const { return values<float>(name); }

 private:
  template <class T>
  std::vector<T> values(const std::string& name) const {
    const auto& offsets = header_.at(name).at("data_offsets");
    const std::size_t begin = offsets.at(0), end = offsets.at(1);
    std::vector<T> out((end - begin) / sizeof(T));
    std::memcpy(out.data(), bytes_.data() + start_ + begin, end - begin);
    return out;
  }

  std::vector<char> bytes_;
  std::size_t start_ = 0;
  nlohmann::json header_;
};

}  // namespace fineprint::testing
