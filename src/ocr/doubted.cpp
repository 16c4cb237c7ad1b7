// Computes confidence and drops lines that Tesseract is not sure of.
#include "ocr/doubted.h"

#include <algorithm>

namespace fineprint::ocr {

double mean_confidence(const std::vector<RecognizedWord>& words) {
  double sum = 0, weight = 0;
  for (const RecognizedWord& found : words) {
    // Bytes are close enough to characters for a weight.
    const auto bytes = static_cast<double>(found.word.text.size());
    sum += bytes * found.word.confidence;
    weight += bytes;
  }
  return weight > 0 ? sum / weight : 1;
}

void drop_doubted_lines(std::vector<RecognizedWord>& words, double min_confidence) {
  // Less than half would keep much of the noise in photographs; see doubted.h.
  constexpr double kSureShare = 0.5;  // of a line's characters
  for (auto first = words.begin(); first != words.end();) {
    const auto last = std::find_if(
        first, words.end(), [&](const RecognizedWord& word) { return word.line != first->line; });
    std::size_t sure = 0, all = 0;
    for (auto word = first; word != last; ++word) {
      const std::size_t bytes = word->word.text.size();
      all += bytes;
      if (word->word.confidence >= min_confidence) sure += bytes;
    }
    const bool keep = static_cast<double>(sure) >= kSureShare * static_cast<double>(all);
    first = keep ? last : words.erase(first, last);
  }
}

}  // namespace fineprint::ocr
