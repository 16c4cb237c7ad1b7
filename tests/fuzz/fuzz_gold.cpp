// Feeds any text as a file of gold and as one of answers, JSON Lines or TREC's, and takes all
// measures: they must be numbers, or the file be refused with Error(input).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fineprint/bench/evaluate.h"
#include "fineprint/core/error.h"
#include "fineprint/runs/answer_file.h"

#include "support/temp_dir.h"

namespace {

using namespace fineprint::bench;

void check(const Evaluation& evaluation) {
  for (const Measure& measure : evaluation.ranking) {
    if (!std::isfinite(measure.value)) std::abort();
  }
  if (evaluation.missing + evaluation.errors > evaluation.questions) std::abort();
}

}  // namespace

// The gold, a zero byte, the answers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir dir;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(all.find('\0'), size);
  const std::string gold = dir.write("gold", all.substr(0, cut));
  const std::string answers = dir.write("answers", all.substr(std::min(cut + 1, size)));
  try {
    check(evaluate(read_gold(gold), fineprint::runs::read_answers(answers).answers));
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::input) std::abort();
  }
  return 0;
}
