// Escapes, and the frame of the page.
#include "report/html.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fineprint/core/base64.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::report {
namespace {

// Replaces each of the first texts by the second.
std::string with_escapes(std::string_view text, std::span<const Replacement> escapes) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::ranges::find_if(
        escapes, [&](const Replacement& one) { return text.substr(at).starts_with(one.first); });
    if (found == escapes.end()) {
      out += text[at++];
    } else {
      out += found->second;
      at += found->first.size();
    }
  }
  return out;
}

int digit_of(char hex) { return hex <= '9' ? hex - '0' : hex - 'a' + 10; }

}  // namespace

std::string escape_html(std::string_view text) {
  static constexpr Replacement kEscapes[] = {
      {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}};
  return with_escapes(valid_utf8(text), kEscapes);
}

std::string json_for_html(const Json& value) {
  // All of them stand in strings only, where JSON may escape any character.
  static constexpr Replacement kEscapes[] = {{"<", "\\u003c"},
                                             {">", "\\u003e"},
                                             {"&", "\\u0026"},
                                             {"\xE2\x80\xA8", "\\u2028"},
                                             {"\xE2\x80\xA9", "\\u2029"}};
  return with_escapes(dump_json(value), kEscapes);
}

std::string policy_hash(std::string_view hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(16 * digit_of(hex[i]) + digit_of(hex[i + 1])));
  }
  std::string hash = "'sha256-";
  append_base64(bytes, &hash);
  return hash + "'";
}

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
      throw Error(ErrorCode::internal, format("the page of a report has no {{{{{}}}}}", name));
    }
    out += value->second;
    at = close + 2;
  }
}

}  // namespace fineprint::report
