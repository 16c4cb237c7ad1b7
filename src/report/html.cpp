// Escapes text, and fills in the frame of the page.
#include "report/html.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <zlib.h>

#include "fineprint/core/base64.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::report {
namespace {

int digit_of(char hex) { return hex <= '9' ? hex - '0' : hex - 'a' + 10; }

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  // Texts of documents may hold any bytes, but a page in UTF-8 may not.
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// base64 has no character that could end the script element or begin a tag.
std::string packed_json(const Json& value) {
  const std::string text = dump_json(value);
  uLongf size = compressBound(text.size());
  std::vector<std::uint8_t> packed(size);
  if (compress(packed.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size()) !=
      Z_OK) {
    throw Error(ErrorCode::internal, "the data of a report could not be compressed");
  }
  std::string out;
  append_base64({packed.data(), size}, &out);
  return out;
}

// The build computes hashes in hexadecimal; the policy needs base64.
std::string policy_hash(std::string_view hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(16 * digit_of(hex[i]) + digit_of(hex[i + 1])));
  }
  std::string hash = "'sha256-";
  append_base64(bytes, &hash);
  return hash + "'";
}

// One pass, so that a document that contains "{{script}}" stays text.
std::string fill_in(std::string_view page, std::span<const Replacement> values) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at);
    out += page.substr(at, open - at);
    if (open == std::string_view::npos) return out;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto value = std::ranges::find(values, name, &Replacement::first);
    if (value == values.end()) {
      throw Error(ErrorCode::internal,
                  format("the page of a report uses the unknown name {{{{{}}}}}", name));
    }
    out += value->second;
    at = close + 2;
  }
}

}  // namespace fineprint::report
