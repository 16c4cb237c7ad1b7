// MMLongBench-Doc: compares an extracted answer by type. Source: the rules of
// mayubo2333/MMLongBench-Doc's evaluation of answers.
#include <algorithm>
#include <cmath>
#include <optional>

#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/metrics/answers.h"
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

constexpr double kThreshold = 0.5;

// Cleans a text as published: brackets, quotes, a leading $ and a trailing %.
std::string clean_mmlongbench(std::string_view raw) {
  const std::string low = lower_case(raw);
  std::string text = without_brackets(python::strip(low));
  std::string_view rest = python::strip(without_quotes(python::strip(text)));
  rest = python::strip(python::strip_left(rest, "$"));
  rest = python::strip(python::strip_right(rest, "%"));
  return std::string(rest);
}

// Returns the prediction, or extracts it from the stored reply of an extracting model; nullopt if
// that reply lacks the mark.
std::optional<std::string> mmlongbench_prediction(const Json& item) {
  if (item.is_object() && !item.contains("prediction") && item.contains("extraction")) {
    const auto found = marked_extraction(text_of(item, "extraction"));
    if (!found) return std::nullopt;
    return found->answer;
  }
  return text_of(item, "prediction");
}

// Compares whole numbers.
ScoredItem integer_answer(const std::string& reference, const std::string& prediction) {
  ScoredItem out;
  const std::optional<std::string> wanted = python::parse_int(reference);
  // int(float(...)): "8.9" counts as 8 (quirk truncated_decimals).
  const std::optional<double> said = python::parse_float(prediction);
  const std::optional<std::string> cut = said ? python::truncated(*said) : std::nullopt;
  out.score = wanted && cut && *wanted == *cut ? 1 : 0;
  if (out.score == 1 && *said != std::trunc(*said)) {
    out.quirks = {"truncated_decimals"};
    out.standard = 0;
  } else if (!said && exact_match(prediction, reference)) {
    out.quirks = {"number_not_read"};
    out.standard = 1;
  }
  return out;
}

// Compares floats within a tolerance; see equal_floats.
ScoredItem float_answer(const std::string& reference, const std::string& prediction) {
  ScoredItem out;
  const std::optional<double> said = python::parse_float(clean_mmlongbench(prediction));
  const std::optional<double> wanted = python::parse_float(clean_mmlongbench(reference));
  if (!wanted) {
    out.error = "ValueError: the reference is not a number";
    return out;
  }
  out.score = said && equal_floats(*wanted, *said) ? 1 : 0;
  // float() does not read "1,577" or "10%" (quirk number_not_read).
  if (!said && exact_match(prediction, reference)) {
    out.quirks = {"number_not_read"};
    out.standard = 1;
  }
  return out;
}

ScoredItem typed_text_answer(const std::string& reference, const std::string& prediction) {
  ScoredItem out;
  const std::string wanted = clean_mmlongbench(reference), said = clean_mmlongbench(prediction);
  const double similar = similarity_above(kThreshold, wanted, said);
  // Most texts may differ a little; those with an exact shape may not.
  if (!has_exact_shape(wanted)) {
    out.score = similar;
    return out;
  }
  out.score = wanted == said ? 1 : 0;
  if (similar != out.score) {
    out.quirks = {"exact_shape"};
    out.standard = similar;
  }
  return out;
}

// Returns the elements of a Python list, or the text itself; cleaned and sorted.
std::vector<std::string> sorted_elements(const std::string& text) {
  python::Value value = python::text_value(text);
  if (text.starts_with('[')) value = python::evaluate(text);
  std::vector<std::string> elements;
  if (!value.is_list()) {
    elements.push_back(clean_mmlongbench(python::str(value)));
  } else {
    for (const python::Value& item : value.items) {
      elements.push_back(clean_mmlongbench(python::str(item)));
    }
  }
  // Sorted, because the order of a list does not count.
  std::ranges::sort(elements);
  return elements;
}

ScoredItem typed_list_answer(const std::string& reference, const std::string& prediction) {
  ScoredItem out;
  std::vector<std::string> wanted, said;
  try {
    wanted = sorted_elements(reference);
    said = sorted_elements(prediction);
  } catch (const python::Exception& error) {
    out.error = error.what();
    return out;
  }
  // Lists of different lengths score 0.
  if (wanted.size() != said.size()) return out;
  if (wanted.empty()) {
    out.error = "IndexError: the reference list is empty";
    return out;
  }
  // The worst pair decides: every element must be right.
  double least = 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    least = std::min(least, similarity_above(kThreshold, wanted[i], said[i]));
  }
  if (!python::parse_float(wanted.front()) && !has_exact_shape(wanted.front())) {
    out.score = least;
    return out;
  }
  out.score = joined_by_hyphens(wanted) == joined_by_hyphens(said) ? 1 : 0;
  if (least != out.score) {
    out.quirks = {"exact_shape"};
    out.standard = least;
  }
  return out;
}

ScoredItem mmlongbench_answer(const std::string& format, const std::string& reference,
                              const std::string& prediction) {
  if (format == "Int") return integer_answer(reference, prediction);
  if (format == "Float") return float_answer(reference, prediction);
  if (format == "Str" || format == "None") return typed_text_answer(reference, prediction);
  return typed_list_answer(reference, prediction);
}

class MmLongBench final : public Scorer {
 public:
  std::string name() const override { return "mmlongbench"; }
  std::string help() const override {
    return "MMLongBench-Doc: answer, prediction (or extraction), answer_format -> score";
  }

  ScoredItem score(const Json& item) const override {
    const std::string reference = text_of(item, "answer");
    const std::string format = text_of(item, "answer_format");
    const std::optional<std::string> prediction = mmlongbench_prediction(item);
    ScoredItem out;
    if (prediction) {
      out = mmlongbench_answer(format, reference, *prediction);
    } else {
      out.error = "IndexError: the extraction has no \"Extracted answer:\"";
    }
    out.fields = dump_json({{"score", out.score}});
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    std::vector<std::string> predictions;
    for (const Json& item : items) predictions.push_back(mmlongbench_prediction(item).value_or(""));
    out["accuracy"] = mean_score(scores);
    out["f1"] = f1_of_answers(items, scores, predictions);
    Slices types, sources, pages;
    for (std::size_t i = 0; i < items.size(); ++i) {
      add_slices(items[i], scores[i].score, &types, &sources, &pages);
    }
    out["by_doc_type"] = types.json();
    out["by_evidence_source"] = sources.json();
    out["by_page_count"] = pages.json();
    return out;
  }

 private:
  // As published, an unanswerable question with one page of evidence also counts as single page.
  static void add_slices(const Json& item, double score, Slices* types, Slices* sources,
                         Slices* pages) {
    if (const std::string type = optional_text(item, "doc_type"); !type.empty()) {
      types->add(type, score);
    }
    for (const std::string& source : listed(item, "evidence_sources")) {
      sources->add(source, score);
    }
    if (!item.contains("evidence_pages")) return;
    const std::size_t count = listed(item, "evidence_pages").size();
    if (count == 1) pages->add("single_page", score);
    if (count != 1 && !is_unanswerable(item)) pages->add("cross_page", score);
    if (is_unanswerable(item)) pages->add("unanswerable", score);
  }
};

}  // namespace

const Scorer& mmlongbench_scorer() {
  static const MmLongBench scorer;
  return scorer;
}

}  // namespace fineprint::metrics
