// Reads a file piece by piece and counts lines.
#include "bench/datasets/source_text.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::bench {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // the byte order mark

}  // namespace

// Some published files begin with a byte order mark, which is not part of the first field.
SourceText::SourceText(const std::string& file) : file_(file), text_(read_file(file)) {
  if (text_.starts_with(kMark)) at_ = kMark.size();
}

std::string_view SourceText::take(std::size_t count) {
  const std::string_view piece = rest().substr(0, count);
  line_ += static_cast<std::size_t>(std::ranges::count(piece, '\n'));
  at_ += piece.size();
  return piece;
}

void SourceText::skip_blanks() {
  while (!at_end() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos) take(1);
}

void SourceText::refuse(std::string_view expected) const {
  throw Error(ErrorCode::input, format("{}:{}: expected {}", file_, line_, expected));
}

// Returns the bytes as UTF-8, with invalid bytes replaced.
std::string clean_text(std::string_view bytes, const std::string& file, std::size_t line,
                       std::vector<DataProblem>* problems) {
  std::string text = valid_utf8(bytes);
  if (text != bytes) {
    problems->push_back({file, line, "", "not UTF-8: invalid bytes are read as U+FFFD"});
  }
  return text;
}

}  // namespace fineprint::bench
