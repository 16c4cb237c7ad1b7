// LongDocURL: evaluates the prediction as a Python expression first, then compares by type. Source:
// the rules of dengc2023/LongDocURL's evaluation of answers, version 3.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/metrics/extraction.h"

#include "metrics/python/expression.h"
#include "metrics/python/numbers.h"
#include "metrics/python/text.h"
#include "metrics/scorers/answer_rules.h"
#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

constexpr double kLeastSimilarity = 0.5;
constexpr const char* kNotExtracted = "Fail to extract";

// Cleans a text as published. For a unit at the end, the published code deletes each character that
// occurs in the unit, whatever word it belongs to. With `whole`, only the unit is deleted, and only
// if it is a word.
std::string clean_longdocurl(std::string_view raw, bool whole = false) {
  constexpr std::array<std::string_view, 11> kUnits = {"kg",      "mm",       "m",      "meters",
                                                       "acres",   "minutes",  "mile",   "miles",
                                                       "million", "thousand", "billion"};
  std::string low = lower_case(raw);
  std::string text(python::strip(low));
  std::erase(text, ',');
  std::string_view rest = text;
  for (const std::string_view unit : kUnits) {
    if (!rest.ends_with(unit)) continue;
    rest = python::strip(whole ? without_unit(rest, unit) : python::strip_right(rest, unit));
  }
  const std::string open = without_brackets(rest);
  rest = python::strip(without_quotes(python::strip(open)));
  rest = python::strip(python::strip_left(rest, "$"));
  // The pound sign, which is two bytes in UTF-8.
  while (rest.starts_with("\xC2\xA3")) rest.remove_prefix(2);
  rest = python::strip(python::strip_right(python::strip(rest), "%"));
  return std::string(rest);
}

std::string cleaned(const python::Value& value, bool whole) {
  return clean_longdocurl(python::str(value), whole);
}

double compared_text(const std::string& reference, const std::string& prediction) {
  if (has_exact_shape(reference)) return reference == prediction ? 1 : 0;
  return similarity_above(kLeastSimilarity, reference, prediction);
}

double compared_integer(const std::string& reference, const std::string& prediction) {
  const std::optional<std::string> wanted = python::parse_int(reference);
  const std::optional<std::string> said = python::parse_int(prediction);
  return wanted && said && *wanted == *said ? 1 : 0;
}

double compared_float(const std::string& reference, const std::string& prediction) {
  const std::optional<double> wanted = python::parse_float(reference);
  const std::optional<double> said = python::parse_float(prediction);
  return wanted && said && equal_floats(*wanted, *said) ? 1 : 0;
}

// Joins the values of a dict with "-"; its keys do not count.
std::string element_text(const python::Value& value) {
  if (value.kind != python::Value::Kind::dict) return python::str(value);
  std::vector<std::string> texts;
  for (std::size_t i = 1; i < value.items.size(); i += 2) {
    texts.push_back(python::str(value.items[i]));
  }
  return joined_by_hyphens(texts);
}

std::vector<std::string> cleaned_elements(const python::Value& value, bool whole) {
  if (!value.is_list()) return {clean_longdocurl(element_text(value), whole)};
  std::vector<std::string> texts;
  for (const python::Value& item : value.items) {
    texts.push_back(clean_longdocurl(element_text(item), whole));
  }
  return texts;
}

// Returns the value of the expression, a set as a list. A text that is no expression stays a text.
python::Value evaluated(const std::string& text) {
  try {
    python::Value value = python::evaluate(text);
    if (value.kind == python::Value::Kind::set) value.kind = python::Value::Kind::list;
    return value;
  } catch (const python::Exception&) {
    return python::text_value(text);
  }
}

// A text that starts with "[" is read as a list if possible.
python::Value list_in(const python::Value& value) {
  const bool holds_list = value.kind == python::Value::Kind::text && value.text.starts_with('[');
  return holds_list ? evaluated(value.text) : value;
}

double compared_lists(const python::Value& reference, const python::Value& prediction, bool whole) {
  const std::vector<std::string> wanted = cleaned_elements(list_in(reference), whole);
  const std::vector<std::string> said = cleaned_elements(list_in(prediction), whole);
  // The published code stops here with these exceptions: it divides by the length, and reads the
  // first element.
  if (said.empty()) throw python::Exception("ValueError", "the prediction is an empty list");
  if (wanted.empty()) throw python::Exception("IndexError", "the reference is an empty list");
  if (python::parse_float(wanted.front()) || has_exact_shape(wanted.front())) {
    return joined_by_hyphens(wanted) == joined_by_hyphens(said) ? 1 : 0;
  }
  double sum = 0;
  for (const std::string& one : wanted) {
    double best = 0;
    for (const std::string& other : said) {
      best = std::max(best, similarity_above(kLeastSimilarity, one, other));
    }
    sum += best;
  }
  const auto count = static_cast<double>(wanted.size());
  // Additional predictions reduce the score by the square root of the ratio of the lengths.
  return sum / count * std::sqrt(std::min(1.0, count / static_cast<double>(said.size())));
}

double compared(const std::string& format, const python::Value& reference,
                const python::Value& prediction, bool whole) {
  if (format == "Integer") {
    return compared_integer(cleaned(reference, whole), cleaned(prediction, whole));
  }
  if (format == "Float") {
    return compared_float(cleaned(reference, whole), cleaned(prediction, whole));
  }
  if (format == "String" || format == "None") {
    return compared_text(cleaned(reference, whole), cleaned(prediction, whole));
  }
  // Every other format is compared as a list, as in the published code.
  return compared_lists(reference, prediction, whole);
}

std::string longdocurl_prediction(const Json& item) {
  if (item.is_object() && !item.contains("prediction") && item.contains("extraction")) {
    const auto found = tagged_extraction(text_of(item, "extraction"));
    return found ? found->answer : kNotExtracted;
  }
  return text_of(item, "prediction");
}

// Returns the JSON form of an evaluated prediction. Tuples are marked, because JSON has only lists.
Json json_of(const python::Value& value) {
  using Kind = python::Value::Kind;
  switch (value.kind) {
    case Kind::none:
      return nullptr;
    case Kind::boolean:
      return value.integer != 0;
    case Kind::integer:
      // JSON integers have 64 bits.
      if (value.is_huge() || value.integer != static_cast<std::int64_t>(value.integer)) {
        return python::str(value);
      }
      return static_cast<std::int64_t>(value.integer);
    case Kind::real:
      return value.real;
    case Kind::text:
      return value.text;
    default:
      break;
  }
  Json out = value.kind == Kind::dict ? Json::object() : Json::array();
  if (value.kind == Kind::dict) {
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      out[python::str(value.items[i])] = json_of(value.items[i + 1]);
    }
    return out;
  }
  for (const python::Value& one : value.items) out.push_back(json_of(one));
  return value.kind == Kind::tuple ? Json{{"tuple", out}} : out;
}

// The published totals divide by the number of questions in the benchmark, however many were
// answered.
struct Fixed {
  const char* name;
  int count;
};
constexpr int kAllQuestions = 2325;
constexpr std::array<Fixed, 3> kTasks = {
    {{"Understanding", 1243}, {"Reasoning", 387}, {"Locating", 695}}};
constexpr std::array<Fixed, 4> kSources = {
    {{"Text", 994}, {"Layout", 779}, {"Figure", 556}, {"Table", 871}}};
constexpr Fixed kSinglePage = {"single_page", 1093}, kMultiPage = {"multi_page", 1230},
                kCrossElement = {"cross_element", 862};

// The slices of a task, by pages and evidence.
struct FineSlices {
  const char* task;
  const char* pages;
  std::array<Fixed, 4> sources;
};
constexpr std::array<FineSlices, 4> kFine = {
    {{"Understanding",
      "single_page",
      {{{"Text", 259}, {"Layout", 91}, {"Figure", 94}, {"Table", 263}}}},
     {"Understanding",
      "multi_page",
      {{{"Text", 443}, {"Layout", 172}, {"Figure", 174}, {"Table", 115}}}},
     {"Reasoning", "single_page", {{{"Text", 40}, {"Layout", 12}, {"Figure", 28}, {"Table", 98}}}},
     {"Reasoning",
      "multi_page",
      {{{"Text", 115}, {"Layout", 40}, {"Figure", 85}, {"Table", 69}}}}}};

// The slices of Locating, by the kind that is located and the kind that it is located from. Records
// in MoLoRAG's form lack this information.
struct LocatingSlice {
  const char* question_type;
  Fixed slice;
};
constexpr std::array<LocatingSlice, 4> kLocating = {{{"topic2title", {"Cross_Title", 201}},
                                                     {"summary2title", {"Para_Title", 137}},
                                                     {"summary2tab", {"Cross_Table", 126}},
                                                     {"extract_fig2tab", {"Figure_Table", 231}}}};

// Sums by slice, with the published number of questions of each slice.
class FixedSlices {
 public:
  // `group` comes before the slice's name.
  void add(const Fixed& slice, double score, const std::string& group = {}) {
    sums_[group + slice.name].add(score);
    counts_[group + slice.name] = slice.count;
  }
  template <std::size_t N>
  void add(const std::array<Fixed, N>& slices, const std::string& name, double score,
           const std::string& group = {}) {
    for (const Fixed& slice : slices) {
      if (slice.name == name) add(slice, score, group);
    }
  }
  Json json() const {
    Json out = Json::object();
    for (const auto& [name, mean] : sums_) {
      const int of = counts_.at(name);
      out[name] = {{"items", mean.count},
                   {"accuracy", mean.json()},
                   {"of", of},
                   {"rectified", mean.sum / of}};
    }
    return out;
  }

 private:
  std::map<std::string, Mean> sums_ = {};
  std::map<std::string, int> counts_ = {};
};

void add_fine(const std::string& task, std::size_t pages, const std::vector<std::string>& sources,
              double score, FixedSlices* slices) {
  const std::string_view count = pages == 1 ? "single_page" : "multi_page";
  for (const FineSlices& fine : kFine) {
    if (task != fine.task || count != fine.pages) continue;
    for (const std::string& source : sources) {
      slices->add(fine.sources, source, score, format("{}, {}, ", task, count));
    }
  }
}

void add_locating(const std::string& question_type, double score, FixedSlices* slices) {
  for (const LocatingSlice& locating : kLocating) {
    if (question_type == locating.question_type) slices->add(locating.slice, score, "Locating, ");
  }
}

// Records in MoLoRAG's form call the field task_type.
std::string task_of(const Json& item) {
  const std::string tag = optional_text(item, "task_tag");
  return tag.empty() ? optional_text(item, "task_type") : tag;
}

class LongDocUrl final : public Scorer {
 public:
  std::string name() const override { return "longdocurl"; }
  std::string help() const override {
    return "LongDocURL: answer, prediction (or extraction), answer_format -> score";
  }

  ScoredItem score(const Json& item) const override {
    const python::Value reference = value_of(item, "answer");
    const std::string format = text_of(item, "answer_format");
    const std::string given = longdocurl_prediction(item);
    const python::Value prediction = evaluated(given);
    ScoredItem out;
    // The published code gives 0 for a failed extraction, without comparing.
    if (given == kNotExtracted) {
      out.fields = dump_json({{"pred_after_eval", given}, {"score", 0.0}});
      return out;
    }
    try {
      // Both quirks are checked after the published score, in the same `try`: if they throw, so
      // would the score.
      out.score = compared(format, reference, prediction, false);
      add_quirks(format, reference, given, prediction, &out);
    } catch (const python::Exception& error) {
      out = {};
      out.error = error.what();
    }
    out.fields = dump_json({{"pred_after_eval", json_of(prediction)}, {"score", out.score}});
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    std::vector<std::string> predictions;
    FixedSlices tasks, sources, pages, fine;
    double sum = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      predictions.push_back(longdocurl_prediction(items[i]));
      sum += scores[i].score;
      tasks.add(kTasks, task_of(items[i]), scores[i].score);
      add_locating(optional_text(items[i], "question_type"), scores[i].score, &fine);
      const std::vector<std::string> evidence = listed(items[i], "evidence_sources");
      for (const std::string& source : evidence) sources.add(kSources, source, scores[i].score);
      if (evidence.size() > 1) sources.add(kCrossElement, scores[i].score);
      if (!items[i].contains("evidence_pages")) continue;
      const std::size_t count = listed(items[i], "evidence_pages").size();
      if (count == 1) pages.add(kSinglePage, scores[i].score);
      if (count > 1) pages.add(kMultiPage, scores[i].score);
      if (count > 0) add_fine(task_of(items[i]), count, evidence, scores[i].score, &fine);
    }
    out["accuracy"] = mean_score(scores);
    out["rectified"] = sum / kAllQuestions;
    out["f1"] = f1_of_answers(items, scores, predictions);
    out["by_task"] = tasks.json();
    out["by_evidence_source"] = sources.json();
    out["by_page_count"] = pages.json();
    out["fine_grained"] = fine.json();
    return out;
  }

 private:
  // Each quirk is checked separately: does the score change without it? Without all of them it is
  // the standard.
  static void add_quirks(const std::string& format, const python::Value& reference,
                         const std::string& given, const python::Value& prediction,
                         ScoredItem* out) {
    const python::Value plain = prediction.is_list() ? prediction : python::text_value(given);
    if (compared(format, reference, plain, false) != out->score) {
      out->quirks.emplace_back("literal_step");
    }
    if (compared(format, reference, prediction, true) != out->score) {
      out->quirks.emplace_back("unit_characters");
    }
    if (!out->quirks.empty()) out->standard = compared(format, reference, plain, true);
  }
};

}  // namespace

const Scorer& longdocurl_scorer() {
  static const LongDocUrl scorer;
  return scorer;
}

}  // namespace fineprint::metrics
