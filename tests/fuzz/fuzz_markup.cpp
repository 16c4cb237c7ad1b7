// Feeds any bytes to the readers of tables, mail and office files: what they accept must become
// HTML that does not close what it did not open, all else be an Error that documents have.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/markup/markup.h"

namespace {

constexpr std::array<const char*, 7> kNames = {"a.csv", "a.tsv", "a.json", "a.rst",
                                               "a.eml", "a.msg", "a.docx"};

bool is_balanced(const std::string& html) {
  long open = 0;
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return false;
    if (html[end - 1] == '/') continue;
    open += html[at + 1] == '/' ? -1 : 1;
    if (open < 0) return false;
  }
  return open == 0;
}

}  // namespace

// The first byte chooses the kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fineprint::ErrorCode;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto read = fineprint::markup::to_markup(kNames[data[0] % kNames.size()], bytes);
    if (!is_balanced(read.xhtml)) std::abort();
  } catch (const fineprint::Error& error) {
    const ErrorCode code = error.code();
    if (code != ErrorCode::damaged && code != ErrorCode::empty && code != ErrorCode::too_large) {
      std::abort();
    }
  }
  return 0;
}
