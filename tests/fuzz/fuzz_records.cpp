// Feeds any text to the readers of questions and answers: they must be read, and an answer must
// write to a line that reads back to the same line, or be refused with Error(input).
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/records.h"

#include "support/temp_dir.h"

namespace {

void read_question(std::string_view line) {
  const fineprint::Question question = fineprint::parse_question(line);
  if (question.id.empty()) std::abort();
  if (!question.evidence) return;
  for (const fineprint::PageRef& page : *question.evidence) {
    if (page.page < 1) std::abort();
  }
}

void read_answer(std::string_view line) {
  const std::string written = to_json_line(fineprint::parse_answer(line));
  if (written.find('\n') != std::string::npos) std::abort();
  if (to_json_line(fineprint::parse_answer(written)) != written) std::abort();
}

void read_file(std::string_view lines) {
  static const fineprint::testing::TempDir dir;
  fineprint::read_questions(dir.write("questions.jsonl", lines));
}

}  // namespace

// The first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 3 == 0) read_question(text);
    if (data[0] % 3 == 1) read_answer(text);
    if (data[0] % 3 == 2) read_file(text);
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::input) std::abort();
  }
  return 0;
}
