// Reading JSON from strangers: nlohmann/json behind limits of depth and size.
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

namespace fineprint {

using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t max_bytes = std::size_t{256} << 20;
  int max_depth = 64;
  bool unique_keys = false;  // refuse an object that names a key twice, else the last wins
};

// Parses one document. Throws Error(input) with `what` (a file name or "reply"), the byte offset
// and the reason; over a limit likewise. Takes linear time, whatever the number of keys.
Json parse_json(std::string_view text, std::string_view what, const JsonLimits& limits = {});

// One line, never with invalid UTF-8 (replaced by U+FFFD).
std::string dump_json(const Json& value);

}  // namespace fineprint
