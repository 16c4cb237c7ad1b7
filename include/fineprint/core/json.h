// Reads JSON from untrusted sources: nlohmann/json with limits on depth and size.
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

namespace fineprint {

// A JSON value. Objects keep the order of their keys.
using Json = nlohmann::ordered_json;

// Limits that `parse_json` enforces, so that a hostile text cannot exhaust memory or the stack.
struct JsonLimits {
  std::size_t max_bytes = std::size_t{256} << 20;
  int max_depth = 64;        // levels of nested objects and lists
  bool unique_keys = false;  // reject an object that repeats a key; if false, the last value wins
};

// Parses one JSON text. Throws Error(input) with `what` (a file name, or "reply"), the byte offset
// and the reason if the text is invalid or exceeds a limit. Takes linear time, however many keys an
// object has.
Json parse_json(std::string_view text, std::string_view what, const JsonLimits& limits = {});

// Returns the value on one line. Replaces invalid UTF-8 by U+FFFD, so that the output is always
// valid.
std::string dump_json(const Json& value);

}  // namespace fineprint
