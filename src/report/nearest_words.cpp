// Slides a window over the page's words and compares it with the quote's words in any order.
#include "report/nearest_words.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "fineprint/core/unicode.h"

namespace fineprint::report {
namespace {

// Line breaks in the quote do not matter.
std::vector<std::string> words_of_quote(std::string_view quote) {
  std::istringstream words(one_line(quote));
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(folded_letters(word));
  return all;
}

// Counts the words of a window that are in the quote, each at most as often as the quote has it.
class Overlap {
 public:
  explicit Overlap(const std::vector<std::string>& quote) {
    for (const std::string& word : quote) {
      if (!word.empty()) ++missing_[word];
    }
  }
  void enter(const std::string& word) {
    if (const auto found = missing_.find(word); found != missing_.end()) {
      if (found->second-- > 0) ++count_;
    }
  }
  void leave(const std::string& word) {
    if (const auto found = missing_.find(word); found != missing_.end()) {
      if (++found->second > 0) --count_;
    }
  }
  std::size_t count() const { return count_; }

 private:
  std::map<std::string, int> missing_;  // negative: the window has more of them than the quote
  std::size_t count_ = 0;
};

}  // namespace

std::string nearest_words(const Page& page, std::string_view quote) {
  // Fewer common words are chance and would mislead.
  constexpr std::size_t kLeastShare = 3;  // one in three
  const std::vector<std::string> wanted = words_of_quote(quote);
  std::vector<std::string> words;
  for (const Word& word : page.words) words.push_back(folded_letters(word.text));
  Overlap overlap(wanted);
  std::size_t best = 0, best_end = 0;
  for (std::size_t end = 0; end < words.size(); ++end) {
    overlap.enter(words[end]);
    if (end >= wanted.size()) overlap.leave(words[end - wanted.size()]);
    if (overlap.count() > best) best = overlap.count(), best_end = end + 1;
  }
  if (best == 0 || best * kLeastShare < wanted.size()) return "";
  std::string text;
  const std::size_t begin = best_end - std::min(best_end, wanted.size());
  for (std::size_t i = begin; i < best_end; ++i) append_word(page.words[i].text, &text);
  return text;
}

}  // namespace fineprint::report
