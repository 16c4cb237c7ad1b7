// Reads the text of a published file piece by piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/benchmark.h"

namespace fineprint::bench {

// The file's text, its read position, and the line of the position.
class SourceText {
 public:
  // Throws Error(unreadable).
  explicit SourceText(const std::string& file);

  const std::string& file() const { return file_; }
  std::size_t line() const { return line_; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view rest() const { return std::string_view(text_).substr(at_); }
  std::string_view take(std::size_t count);
  void skip_blanks();

  // Throws Error(input) with file and line.
  [[noreturn]] void refuse(std::string_view expected) const;

 private:
  std::string file_, text_;
  std::size_t at_ = 0, line_ = 1;
};

// Returns the bytes as UTF-8. Invalid bytes are replaced, which is a problem.
std::string clean_text(std::string_view bytes, const std::string& file, std::size_t line,
                       std::vector<DataProblem>* problems);

}  // namespace fineprint::bench
