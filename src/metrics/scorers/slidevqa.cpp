// SlideVQA: F1 and exact match of answers. Source: the rules of nttmdlab-nlp/SlideVQA's evaluation
// of answers.
#include <algorithm>
#include <array>
#include <map>

#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"

#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/token_f1.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

void replace_text(std::string* text, std::string_view what, std::string_view by) {
  for (std::size_t at = text->find(what); at != std::string::npos;
       at = text->find(what, at + by.size())) {
    text->replace(at, what.size(), by);
  }
}

// Returns the word after "how many" or "which" in the question; empty if there is none.
std::string counted_word(const std::string& question) {
  for (const std::string_view lead : {"how many", "which"}) {
    const std::size_t at = question.find(lead);
    if (at == std::string::npos) continue;
    const std::vector<std::string> words =
        words_of(std::string_view(question).substr(at + lead.size()));
    return words.empty() ? "" : words.front();
  }
  return "";
}

// What the published code does and a careful implementation would not.
struct Published {
  // Delete the word after "how many" or "which" everywhere in the answer.
  bool delete_counted = true;
  // Cut what begins with "no" to one word: "not answerable" becomes "not".
  bool cut_by_letters = true;
};

std::vector<std::string> slide_words(const std::string& answer, const std::string& question,
                                     const Published& published = {}) {
  // The published table, with its spelling mistakes. The order matters.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kReplaced = {
      {{"this is ", ""},
       {"it is ", ""},
       {"&", ","},
       {"and", ","},
       {"percent", ""},
       {"organisation", "organization"},
       {"because of", ""},
       {"because", ""},
       {"due to", ""},
       {"hours", "hrs"},
       {"minites", "min"}}};
  static const std::map<std::string, std::string> numbers = {
      {"zero", "0"},     {"one", "1"},        {"two", "2"},       {"three", "3"},
      {"four", "4"},     {"five", "5"},       {"six", "6"},       {"seven", "7"},
      {"eight", "8"},    {"nine", "9"},       {"ten", "10"},      {"eleven", "11"},
      {"twelve", "12"},  {"thirteen", "13"},  {"fourteen", "14"}, {"fifteen", "15"},
      {"sixteen", "16"}, {"seventeen", "17"}, {"eighteen", "18"}, {"nineteen", "19"}};
  std::string text = lower_case(answer);
  for (const auto& [what, by] : kReplaced) replace_text(&text, what, by);
  const std::string word = counted_word(question);
  if (published.delete_counted && !word.empty()) replace_text(&text, word, "");
  std::erase_if(text, is_ascii_punctuation);
  std::vector<std::string> words = words_of(text);
  std::erase_if(words,
                [](const std::string& one) { return one == "a" || one == "an" || one == "the"; });
  // The published code tests the first letters, without a blank after them (quirk cut_by_letters).
  const bool decided = published.cut_by_letters
                           ? text.starts_with("yes") || text.starts_with("no")
                           : !words.empty() && (words.front() == "yes" || words.front() == "no");
  // Only "yes" or "no" counts; the explanation after it does not.
  if (decided) words.resize(1);
  for (std::string& one : words) {
    if (const auto number = numbers.find(one); number != numbers.end()) one = number->second;
  }
  return words;
}

class SlideVqa final : public Scorer {
 public:
  std::string name() const override { return "slidevqa"; }
  std::string help() const override {
    return "SlideVQA: question, answer, prediction -> f1, em; the score is f1";
  }

  ScoredItem score(const Json& item) const override {
    const std::string question = lower_case(text_of(item, "question"));
    const std::string answer = text_of(item, "answer"), prediction = text_of(item, "prediction");
    const std::vector<std::string> wanted = slide_words(answer, question);
    const std::vector<std::string> said = slide_words(prediction, question);
    ScoredItem out;
    out.score = overlap_of(said, wanted).f1;
    out.fields = dump_json({{"f1", out.score}, {"em", wanted == said ? 1.0 : 0.0}});
    const auto f1_with = [&](const Published& published) {
      return overlap_of(slide_words(prediction, question, published),
                        slide_words(answer, question, published))
          .f1;
    };
    // Each quirk is switched off separately, to see whether it changed the score.
    if (f1_with({.delete_counted = false, .cut_by_letters = true}) != out.score) {
      out.quirks.emplace_back("word_of_question_deleted");
    }
    if (f1_with({.delete_counted = true, .cut_by_letters = false}) != out.score) {
      out.quirks.emplace_back("cut_by_letters");
    }
    if (!out.quirks.empty()) {
      out.standard = f1_with({.delete_counted = false, .cut_by_letters = false});
    }
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    Mean f1, em;
    for (const ScoredItem& item : scores) {
      f1.add(item.score);
      em.add(parse_json(item.fields, "a score").at("em").get<double>());
    }
    out["f1"] = f1.json();
    out["em"] = em.json();
    return out;
  }
};

}  // namespace

const Scorer& slidevqa_scorer() {
  static const SlideVqa scorer;
  return scorer;
}

}  // namespace fineprint::metrics
