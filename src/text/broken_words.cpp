// Decides which hyphens at the ends of lines only break a word.
#include "fineprint/text/broken_words.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

constexpr std::string_view kSoftHyphen = "\u00AD";
constexpr std::array<std::string_view, 3> kHyphens = {"-", "\u2010", "\u00AC"};
constexpr std::size_t kPartOfCompound = 4;  // letters; shorter parts are more often syllables

// What a hyphen at the end of a line is.
enum class Hyphen { of_another_word, dropped, kept };
struct Verdict {
  Hyphen hyphen = Hyphen::dropped;
  bool proven = true;
};

// Returns the word without a hyphen at its end, or an empty text if it has none.
std::string_view before_hyphen(std::string_view word) {
  for (const std::string_view hyphen : kHyphens) {
    if (word.ends_with(hyphen)) return word.substr(0, word.size() - hyphen.size());
  }
  return {};
}

char32_t first_of(std::string_view text) {
  std::size_t at = 0;
  return text.empty() ? U' ' : next_code_point(text, &at);
}

char32_t last_of(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (text[--at] & 0xC0) == 0x80) {
  }
  return text.empty() ? U' ' : next_code_point(text, &at);
}

// Returns a folded word without signs at its ends.
std::string bare(std::string_view word) {
  const std::string folded = fold(word);
  std::size_t begin = folded.size(), end = 0;
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t start = at;
    if (!is_letter_or_digit(next_code_point(folded, &at))) continue;
    begin = std::min(begin, start);
    end = at;
  }
  return begin < end ? folded.substr(begin, end - begin) : std::string();
}

bool is_upper(std::string_view text) {
  const char32_t c = first_of(text);
  std::string one;
  append_utf8(c, &one);
  return is_letter(c) && fold(one) != one;
}

// Returns whether the word follows a compound whose end is said later: "short- and long-term".
bool suspends(std::string_view next) {
  static constexpr std::array<std::string_view, 14> kJoints = {
      "and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of", "as"};
  return std::ranges::find(kJoints, next) != kJoints.end();
}

// The words of a document, and how often it has them.
class Vocabulary {
 public:
  explicit Vocabulary(const std::vector<Page>& pages) {
    for (const Page& page : pages) {
      for (const Word& word : page.words) ++counts_[bare(word.text)];
    }
  }

  std::size_t count(const std::string& word) const {
    const auto found = counts_.find(word);
    return found == counts_.end() ? 0 : found->second;
  }

  Verdict judge(std::string_view stem, std::string_view next) const {
    const std::string first = bare(stem), second = bare(next);
    const std::size_t joined = count(first + second), hyphenated = count(first + "-" + second);
    if (joined > 0 || hyphenated > 0) {
      return {joined >= hyphenated ? Hyphen::dropped : Hyphen::kept, true};
    }
    if (suspends(second)) return {Hyphen::of_another_word, true};
    const bool name = is_upper(next) && !is_upper(stem.substr(stem.size() - 1));
    if (name || is_digit(last_of(stem)) || is_digit(first_of(next))) return {Hyphen::kept, true};
    if (first.find('-') != std::string::npos || first == "self" || first == "ex") {
      return {Hyphen::kept, false};
    }
    const bool compound = first.size() >= kPartOfCompound && second.size() >= kPartOfCompound &&
                          count(second) > 1 && count(first) > 1;
    return {compound ? Hyphen::kept : Hyphen::dropped, false};
  }

 private:
  std::unordered_map<std::string, std::size_t> counts_;
};

// A word that may go on in the next one.
struct Break {
  Page* page;
  std::size_t word;
};

bool may_break(const Word& word, const Word& next) {
  const std::string_view stem = before_hyphen(word.text);
  return !stem.empty() && is_letter_or_digit(last_of(stem)) &&
         is_letter_or_digit(first_of(next.text));
}

// Returns whether text flows from one element into the next.
bool flows(const Element& element) {
  return element.kind != ElementKind::table && element.kind != ElementKind::furniture &&
         element.kind != ElementKind::figure;
}

void find_breaks(Page* page, std::vector<Break>* breaks) {
  const auto check = [&](std::size_t word) {
    if (word + 1 < page->words.size() && may_break(page->words[word], page->words[word + 1])) {
      breaks->push_back({page, word});
    }
  };
  for (std::size_t e = 0; e < page->elements.size(); ++e) {
    const Element& element = page->elements[e];
    const bool into_next = e + 1 < page->elements.size() && flows(element) &&
                           page->elements[e + 1].kind == element.kind &&
                           element.kind == ElementKind::paragraph;
    for (std::uint32_t i = 0; i < element.line_count; ++i) {
      const Line& line = page->lines[element.first_line + i];
      // Lines of one cell, one below the other, may be one line of the page.
      for (std::uint32_t w = 0; w + 1 < line.word_count; ++w) {
        const Box &box = page->words[line.first_word + w].box,
                  &next = page->words[line.first_word + w + 1].box;
        if (next.y0 >= (box.y0 + box.y1) / 2 && next.x0 < box.x1) check(line.first_word + w);
      }
      const bool last = i + 1 == element.line_count;
      if (line.word_count > 0 && flows(element) && (!last || into_next)) {
        check(line.first_word + line.word_count - std::size_t{1});
      }
    }
  }
}

}  // namespace

void mark_broken_words(std::vector<Page>* pages) {
  std::vector<Break> breaks;
  for (Page& page : *pages) find_breaks(&page, &breaks);
  if (breaks.empty()) return;
  const Vocabulary vocabulary(*pages);
  for (const Break& one : breaks) {
    std::string& word = one.page->words[one.word].text;
    const std::string_view stem = before_hyphen(word);
    const Verdict verdict = vocabulary.judge(stem, one.page->words[one.word + 1].text);
    if (verdict.hyphen == Hyphen::of_another_word) continue;
    std::string marked(stem);
    if (verdict.hyphen == Hyphen::kept) marked += '-';
    marked += kSoftHyphen;
    if (!verdict.proven) marked += kSoftHyphen;
    word = std::move(marked);
  }
}

std::string other_spellings(const Page& page, const Chunk& chunk) {
  std::string out;
  const std::size_t end =
      std::min<std::size_t>(chunk.first_word + std::size_t{chunk.word_count}, page.words.size());
  for (std::size_t i = chunk.first_word; i < end && i + 1 < page.words.size(); ++i) {
    std::string_view stem = page.words[i].text;
    if (!stem.ends_with("\u00AD\u00AD")) continue;
    stem.remove_suffix(2 * kSoftHyphen.size());
    const bool kept = stem.ends_with('-');
    if (kept) stem.remove_suffix(1);
    out.append(out.empty() ? "" : " ").append(stem);
    out.append(kept ? "" : " ").append(page.words[i + 1].text);
  }
  return out;
}

}  // namespace fineprint::text
