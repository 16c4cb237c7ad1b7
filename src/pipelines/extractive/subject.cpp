// Finds the names and years of a question, and where they occur.
#include "pipelines/extractive/subject.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/glossary.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines::extractive {
namespace {

bool contains(const std::vector<std::string>& terms, const std::string& term) {
  return std::ranges::find(terms, term) != terms.end();
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

bool begins_with_capital(const std::string& word) {
  std::size_t at = 0;
  while (at < word.size() && std::ispunct(static_cast<unsigned char>(word[at])) != 0) ++at;
  if (at == word.size()) return false;
  const std::string_view rest = std::string_view(word).substr(at);
  std::size_t next = 0;
  const char32_t first = next_code_point(rest, &next);
  return is_letter(first) && fold(rest.substr(0, next)) != rest.substr(0, next);
}

// "Q3" names a period, not a product.
bool is_quarter(const std::string& word) { return word.size() == 2 && word[0] == 'Q'; }

// Matches "5G", "A320", "COVID-19", but not "10" and not a quarter, which question_core spells out.
bool mixes_letters_and_digits(const std::string& word) {
  const auto any = [&](auto is) {
    return std::ranges::any_of(word, [&](unsigned char c) { return is(c) != 0; });
  };
  return any([](int c) { return std::isdigit(c); }) && any([](int c) { return std::isupper(c); }) &&
         !is_quarter(word);
}

// Matches "QualityHosting", which no common noun of German is written like.
bool has_inner_capital(const std::string& word) {
  for (std::size_t at = 1; at < word.size(); ++at) {
    const auto before = static_cast<unsigned char>(word[at - 1]);
    if (std::islower(before) != 0 && std::isupper(static_cast<unsigned char>(word[at])) != 0) {
      return true;
    }
  }
  return false;
}

// Matches what numbers one thing, such as an invoice: "2022089083".
bool is_long_number(const std::string& word) {
  constexpr std::ptrdiff_t kLeast = 6;  // digits
  const auto is_ascii_digit = [](char c) { return c >= '0' && c <= '9'; };
  return word.find_first_of(".,") == std::string::npos &&
         std::ranges::count_if(word, is_ascii_digit) >= kLeast;
}

// ASCII and typographic apostrophes.
bool owns_something(const std::string& word) {
  return word.ends_with("'s") || word.ends_with("\xE2\x80\x99s");
}

bool ends_sentence(const std::string& word) {
  return word.back() == '.' || word.back() == '?' || word.back() == '!' || word.back() == ':';
}

// In German all nouns have capitals, so a name is known by the title before it: "Herr Jan Krause".
bool follows_german_title(const std::vector<std::string>& words, std::size_t at) {
  static const std::set<std::string> kTitles = {"frau", "herr", "herrn", "dr.", "prof."};
  if (kTitles.contains(fold(words[at]))) return false;
  while (at > 0 && begins_with_capital(words[at])) {
    if (kTitles.contains(fold(words[--at]))) return true;
  }
  return false;
}

// Returns whether the word at `at` is a name. `begins`: it is the first word of a sentence, where a
// capital proves nothing.
bool is_name(const std::vector<std::string>& words, std::size_t at, bool begins,
             const std::string& language) {
  const std::string& word = words[at];
  if (mixes_letters_and_digits(word) || is_long_number(word)) return true;
  if (language == "de") return has_inner_capital(word) || follows_german_title(words, at);
  if (is_quarter(word) || text::is_calendar_word(fold(word))) return false;
  if (!begins_with_capital(word)) return false;
  if (!begins || owns_something(word)) return true;
  return at + 1 < words.size() && begins_with_capital(words[at + 1]);
}

void add_new(std::string term, std::vector<std::string>* terms) {
  if (!contains(*terms, term)) terms->push_back(std::move(term));
}

std::vector<std::string> years_in(const std::string& text) {
  std::vector<std::string> years;
  for (std::string& term : text::terms(text)) {
    if (is_bare_year(term)) add_new(std::move(term), &years);
  }
  return years;
}

}  // namespace

Subjects subjects_of(const retrieve::Query& query) {
  Subjects subjects;
  const std::vector<std::string> words = words_of(query.core);
  bool begins = true;
  for (std::size_t at = 0; at < words.size(); ++at) {
    // Abbreviations of the glossary begin with capitals too, but documents may spell them out.
    if (is_name(words, at, begins, query.language) && text::glossary_expansion(words[at]).empty()) {
      for (text::QuestionTerm& asked : text::question_terms(words[at], query.language, {})) {
        if (!is_bare_year(asked.term) && contains(query.asked_terms, asked.term)) {
          add_new(std::move(asked.term), &subjects.names);
        }
      }
    }
    begins = ends_sentence(words[at]);
  }
  for (const std::string& term : query.asked_terms) {
    if (is_bare_year(term)) subjects.years.push_back(term);
  }
  return subjects;
}

SubjectIndex::SubjectIndex(const session::Context& context, Subjects subjects)
    : corpus_(context.session.corpus()),
      subjects_(std::move(subjects)),
      names_(context, subjects_.names),
      years_(context, subjects_.years) {}

bool SubjectIndex::is_on_any_page(std::size_t name, DocumentId document) const {
  const session::CorpusDocument& row = corpus_.documents()[document.value];
  for (std::uint32_t page = 0; page < static_cast<std::uint32_t>(row.row.page_count); ++page) {
    if (names_.holds(row.first_page + page, name)) return true;
  }
  return false;
}

bool SubjectIndex::is_in_name(const std::string& term, DocumentId document) const {
  const store::DocumentRow& row = corpus_.documents()[document.value].row;
  return contains(text::terms(row.title), term) || contains(text::terms(row.doc), term);
}

double SubjectIndex::name_fit(std::size_t name, PageId dense_page) const {
  const DocumentId document = corpus_.document_of(dense_page);
  const session::CorpusDocument& row = corpus_.documents()[document.value];
  // The first page counts like the page itself: it is the cover, which says whom the document is
  // about.
  if (names_.holds(dense_page, name) || names_.holds(row.first_page, name)) return 1;
  if (is_in_name(subjects_.names[name], document)) return 1;
  return is_on_any_page(name, document) ? 0.5 : 0;
}

double SubjectIndex::year_fit(std::size_t year, PageId dense_page, const Snippet& snippet) const {
  const std::string& asked = subjects_.years[year];
  const std::vector<std::string> near = years_in(snippet.text + " " + snippet.context);
  if (contains(near, asked)) return 1;
  // The row's columns are headed by other years, so its figures are not of the asked one.
  if (snippet.is_row && snippet.column_word_count > 0) return 0;
  const bool is_around =
      years_.holds(dense_page, year) || is_in_name(asked, corpus_.document_of(dense_page));
  return is_around ? 0.5 : 0;
}

SubjectFit SubjectIndex::fit(PageId dense_page, const Snippet& snippet) const {
  SubjectFit fit;
  for (std::size_t i = 0; i < subjects_.names.size(); ++i) {
    fit.names = std::min(fit.names, name_fit(i, dense_page));
  }
  for (std::size_t i = 0; i < subjects_.years.size(); ++i) {
    fit.years = std::min(fit.years, year_fit(i, dense_page, snippet));
  }
  return fit;
}

bool means_issuer(const retrieve::Query& query, const std::string& term) {
  static const text::Pattern kIssuer(
      R"(\b(?:the|this) (company|firm|group|organi[sz]ation|corporation|business)(?:['’]s)?\b)");
  const auto matches = kIssuer.matches(query.core);
  return std::ranges::any_of(matches, [&](const std::vector<std::string>& match) {
    return text::stem(fold(match[1])) == term;
  });
}

}  // namespace fineprint::pipelines::extractive
