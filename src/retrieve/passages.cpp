// Cuts a page into sentences and table rows.
#include "fineprint/retrieve/passages.h"

#include <algorithm>
#include <cctype>

#include "fineprint/core/unicode.h"
#include "fineprint/text/sentences.h"

namespace fineprint::retrieve {
namespace {

constexpr std::uint32_t kLongestPassage = 60;  // words
constexpr std::size_t kLeastLetters = 3;       // letters and digits; less is a mark, not a passage

bool has_digit(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool is_year(const std::string& word) {
  return word.size() >= 4 && (word.starts_with("19") || word.starts_with("20")) &&
         std::isdigit(static_cast<unsigned char>(word[2])) &&
         std::isdigit(static_cast<unsigned char>(word[3])) &&
         (word.size() == 4 || !std::isalnum(static_cast<unsigned char>(word[4])));
}

// Letters and digits; one beyond ASCII counts as its bytes, for an ideograph is a word.
std::size_t letters_of(const std::string& text) {
  std::size_t letters = 0;
  for (std::size_t at = 0, start = 0; at < text.size(); start = at) {
    const char32_t c = next_code_point(text, &at);
    if (is_letter(c) || is_digit(c)) letters += at - start;
  }
  return letters;
}

std::string words_text(const Page& page, std::uint32_t first, std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = first; i < first + count; ++i) {
    text += (text.empty() ? "" : " ") + page.words[i].text;
  }
  return text;
}

// A line of figures, whether or not the layout took it for a table's.
bool is_row_of_figures(const Page& page, const Line& line) {
  std::uint32_t figures = 0;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    figures += has_digit(page.words[line.first_word + i].text) ? 1 : 0;
  }
  return figures >= 2 && figures * 4 >= line.word_count && line.word_count <= 40;
}

// A row that names columns by years.
bool names_columns(const Page& page, const Line& line) {
  std::uint32_t years = 0;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    years += is_year(page.words[line.first_word + i].text) ? 1 : 0;
  }
  return years >= 2 && line.word_count <= 16;
}

std::string heading_path(const Page& page, const Element& element) {
  std::string path;
  for (std::int32_t at = element.parent; at >= 0; at = page.elements[at].parent) {
    const Element& heading = page.elements[at];
    std::string text;
    for (std::uint32_t i = 0; i < heading.line_count; ++i) {
      text += (i ? " " : "") + line_text(page, page.lines[heading.first_line + i]);
    }
    path = path.empty() ? text : text + " " + path;
  }
  return path;
}

// Collects the passages of one page.
class Cutter {
 public:
  explicit Cutter(const Page& page) : page_(page) {}

  std::vector<Passage> cut() {
    for (const Element& element : page_.elements) {
      if (element.kind == ElementKind::furniture) continue;
      context_ = heading_path(page_, element);
      if (!element.caption.empty()) {
        context_ += (context_.empty() ? "" : " ") + element.caption;
      }
      cut_element(element);
    }
    return std::move(passages_);
  }

 private:
  void cut_element(const Element& element) {
    std::uint32_t first_running = element.first_line;
    const std::uint32_t end = element.first_line + element.line_count;
    for (std::uint32_t i = element.first_line; i < end; ++i) {
      const Line& line = page_.lines[i];
      if (element.kind != ElementKind::table && !is_row_of_figures(page_, line)) continue;
      add_sentences(first_running, i);
      add_row(line);
      first_running = i + 1;
    }
    add_sentences(first_running, end);
  }

  void add_row(const Line& line) {
    if (names_columns(page_, line)) columns_ = line;
    Passage row;
    row.is_row = true;
    row.context = context_;
    if (columns_.word_count > 0 && columns_.first_word != line.first_word) {
      row.first_column_word = columns_.first_word;
      row.column_word_count = columns_.word_count;
      row.context += (context_.empty() ? "" : " ") + line_text(page_, columns_);
    }
    add(line.first_word, line.word_count, row);
  }

  // Lines [begin, end) as running text.
  void add_sentences(std::uint32_t begin, std::uint32_t end) {
    if (begin >= end) return;
    const std::uint32_t first = page_.lines[begin].first_word;
    const std::uint32_t stop = page_.lines[end - 1].first_word + page_.lines[end - 1].word_count;
    const std::string text = words_text(page_, first, stop - first);
    std::uint32_t word = first;
    std::size_t at = 0;  // where `word` begins in `text`
    for (const text::Span& sentence : text::sentences(text)) {
      std::uint32_t count = 0;
      const std::uint32_t from = word;
      for (; word < stop && at < sentence.end; ++word, ++count) {
        at += page_.words[word].text.size() + 1;
      }
      Passage passage;
      passage.context = context_;
      for (std::uint32_t done = 0; done < count; done += kLongestPassage) {
        add(from + done, std::min(kLongestPassage, count - done), passage);
      }
    }
  }

  void add(std::uint32_t first, std::uint32_t count, Passage passage) {
    passage.first_word = first;
    passage.word_count = count;
    passage.text = words_text(page_, first, count);
    if (letters_of(passage.text) >= kLeastLetters) passages_.push_back(std::move(passage));
  }

  const Page& page_;
  std::string context_;
  Line columns_;
  std::vector<Passage> passages_;
};

}  // namespace

std::vector<Passage> passages_of(const Page& page) { return Cutter(page).cut(); }

}  // namespace fineprint::retrieve
