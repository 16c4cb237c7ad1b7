// Feeds any bytes to the readers of tables, mail and office files: what they accept must become
// HTML that does not close what it did not open, all else be an Error that documents have. Office
// files come as archives, and as parts that are packed here, because few changes of an archive
// reach what is in it.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/markup/markup.h"

#include "support/stored_zip.h"

namespace {

constexpr std::array<const char*, 8> kNames = {"a.csv", "a.tsv", "a.json", "a.rst",
                                               "a.eml", "a.msg", "a.tex",  "a.docx"};
constexpr char kCut = 1;  // between names and contents of parts; no XML has it

std::string packed(std::string_view parts) {
  std::vector<std::string> pieces(1);
  for (const char c : parts) {
    if (c == kCut) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  std::vector<fineprint::testing::ZipMember> files;
  for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
    files.push_back({std::move(pieces[i]), std::move(pieces[i + 1])});
  }
  return fineprint::testing::stored_zip(files);
}

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

// The first byte chooses the kind; above 127 the rest are an office file's parts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fineprint::ErrorCode;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool is_parts = data[0] > 127;
  const char* name = is_parts ? "a.docx" : kNames[data[0] % kNames.size()];
  try {
    const auto read = fineprint::markup::to_markup(name, is_parts ? packed(bytes) : bytes);
    if (!is_balanced(read.xhtml)) std::abort();
  } catch (const fineprint::Error& error) {
    const ErrorCode code = error.code();
    if (code != ErrorCode::damaged && code != ErrorCode::empty && code != ErrorCode::too_large) {
      std::abort();
    }
  }
  return 0;
}
