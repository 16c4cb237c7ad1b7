// Decodes lines by CTC.
#include "ocr/ctc.h"

#include <algorithm>

namespace fineprint::ocr {
namespace {

// A character that the network read, between two positions along the line, in steps.
struct Read {
  std::size_t kind = 0;
  double probability = 0;
  double first = 0, last = 0;

  double middle() const { return (first + last) / 2; }
};

std::vector<Read> characters_in(std::span<const float> steps, std::size_t classes) {
  std::vector<Read> out;
  std::size_t before = 0;
  for (std::size_t step = 0; step < steps.size() / classes; ++step) {
    const std::span<const float> row = steps.subspan(step * classes, classes);
    const auto best =
        static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    const auto place = static_cast<double>(step);
    if (best == before && best != 0) {
      out.back().last = place + 1;
    } else if (best != 0) {
      out.push_back({best, row[best], place, place + 1});
    }
    before = best;
  }
  return out;
}

bool parts_words(const std::string& character) {
  // An ideographic space (U+3000) parts words, too.
  return std::all_of(character.begin(), character.end(),
                     [](unsigned char c) { return c <= ' '; }) ||
         character == "\xe3\x80\x80";
}

}  // namespace

std::vector<LineWord> decode_line(std::span<const float> steps,
                                  const std::vector<std::string>& characters, double share) {
  const std::size_t classes = characters.size();
  std::vector<Read> read = characters_in(steps, classes);
  const auto is_mark = [&](const Read& one) { return !parts_words(characters[one.kind]); };
  read.erase(read.begin(), std::find_if(read.begin(), read.end(), is_mark));
  read.erase(std::find_if(read.rbegin(), read.rend(), is_mark).base(), read.end());
  const double length = std::max(1.0, static_cast<double>(steps.size() / classes) * share);
  std::vector<LineWord> words;
  bool in_word = false;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (parts_words(characters[read[i].kind])) {
      in_word = false;
      continue;
    }
    // A character reaches halfway to its neighbours, because the network marks its middle only. So
    // a word ends halfway to the space after it.
    const double from = i == 0 ? 0 : (read[i - 1].middle() + read[i].middle()) / 2;
    const double to = i + 1 == read.size() ? length : (read[i].middle() + read[i + 1].middle()) / 2;
    if (!in_word) words.emplace_back().from = std::min(from / length, 1.0);
    in_word = true;
    LineWord& word = words.back();
    word.text += characters[read[i].kind];
    word.confidence += read[i].probability;
    ++word.characters;
    word.to = std::clamp(to / length, word.from, 1.0);
  }
  for (LineWord& word : words) word.confidence /= static_cast<double>(word.characters);
  return words;
}

}  // namespace fineprint::ocr
