// MoLoRAG's scores of answers to MMLongBench-Doc and LongDocURL: EM and Acc. Source: the rules of
// WxxShirley/MoLoRAG's evaluation of answers.
#include <algorithm>
#include <array>
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

constexpr double kTextThreshold = 0.5, kListThreshold = 0.8;

// Cleans a text as published. With `whole`, a unit at the end is deleted only if it is a word; the
// published code deletes every character that occurs in the unit (quirk unit_characters).
std::string clean_molorag(std::string_view raw, bool whole = false) {
  constexpr std::array<std::string_view, 12> kUnits = {"meters",  "meter", "mm",       "m",
                                                       "mile",    "miles", "thousand", "million",
                                                       "billion", "kg",    "acres",    "minutes"};
  const std::string low = lower_case(raw);
  std::string_view rest = python::strip(low);
  for (const std::string_view unit : kUnits) {
    if (!rest.ends_with(unit)) continue;
    rest = python::strip(whole ? without_unit(rest, unit) : python::strip_right(rest, unit));
  }
  const std::string open = without_brackets(rest);
  rest = python::strip(without_quotes(python::strip(open)));
  rest = python::strip(python::strip_left(rest, "$"));
  rest = python::strip(python::strip_right(rest, "%"));
  while (rest.starts_with("\xC2\xA3")) rest.remove_prefix(2);
  return std::string(python::strip(rest));
}

// MoLoRAG also counts addresses with http, which has_exact_shape leaves out.
bool is_met_exactly(const std::string& reference) {
  return has_exact_shape(reference) || reference.find("http://") != std::string::npos;
}

// "Below", not "at most": a similarity equal to the threshold counts (quirk half_is_kept).
double similarity_from(double threshold, const std::string& a, const std::string& b) {
  const double value = similarity(lower_case(a), lower_case(b));
  return value < threshold ? 0 : value;
}

struct EmAcc {
  double em = 0, acc = 0;
};

EmAcc both(bool correct) { return {correct ? 1.0 : 0.0, correct ? 1.0 : 0.0}; }

EmAcc scored_integer(const std::string& reference, const std::string& prediction) {
  const std::optional<std::string> wanted = python::parse_int(reference);
  const std::optional<double> said = python::parse_float(prediction);
  const std::optional<std::string> cut = said ? python::truncated(*said) : std::nullopt;
  return both(wanted && cut && *wanted == *cut);
}

EmAcc scored_float(const std::string& reference, const std::string& prediction, bool whole) {
  const std::optional<double> wanted = python::parse_float(clean_molorag(reference, whole));
  const std::optional<double> said = python::parse_float(clean_molorag(prediction, whole));
  if (!wanted) throw python::Exception("ValueError", "the reference is not a number");
  return both(said && equal_floats(*wanted, *said));
}

// Exact match compares clean texts; accuracy also accepts similar ones.
EmAcc scored_text(const std::string& reference, const std::string& prediction, bool whole) {
  const std::string wanted = clean_molorag(reference, whole);
  const std::string said = clean_molorag(prediction, whole);
  EmAcc out = both(wanted == said);
  if (!is_met_exactly(wanted)) out.acc = similarity_from(kTextThreshold, wanted, said);
  return out;
}

// A malformed list counts as an empty one, as published.
std::vector<std::string> molorag_elements(const std::string& text, bool whole) {
  python::Value value = python::text_value(text);
  if (text.starts_with('[')) {
    try {
      value = python::evaluate(text);
    } catch (const python::Exception&) {
      return {};
    }
  }
  std::vector<std::string> elements;
  if (!value.is_list()) return {clean_molorag(python::str(value), whole)};
  for (const python::Value& item : value.items) {
    elements.push_back(clean_molorag(python::str(item), whole));
  }
  std::ranges::sort(elements);
  return elements;
}

// Scores one element of a list of equal length.
double pair_score(const std::string& wanted, const std::string& said) {
  if (python::parse_float(wanted) || is_met_exactly(wanted)) return wanted == said ? 1 : 0;
  return similarity_from(kListThreshold, wanted, said);
}

// Scores lists of different lengths. As published, missing predictions cost and additional ones do
// not (quirk surplus_is_free). `reversed` is the other way round, as in LongDocURL.
double best_of_each(const std::vector<std::string>& wanted, const std::vector<std::string>& said,
                    bool reversed) {
  if (wanted.empty() || said.empty()) return 0;
  double sum = 0;
  for (const std::string& one : wanted) {
    double best = 0;
    for (const std::string& other : said) {
      best = std::max(best, similarity_from(kListThreshold, one, other));
    }
    sum += best;
  }
  const auto w = static_cast<double>(wanted.size()), s = static_cast<double>(said.size());
  return sum / w * std::sqrt(std::min(1.0, reversed ? w / s : s / w));
}

EmAcc scored_list(const std::string& reference, const std::string& prediction, bool whole,
                  bool reversed) {
  const std::vector<std::string> wanted = molorag_elements(reference, whole);
  const std::vector<std::string> said = molorag_elements(prediction, whole);
  EmAcc out = both(joined_by_hyphens(wanted) == joined_by_hyphens(said));
  if (wanted.size() != said.size()) {
    out.acc = best_of_each(wanted, said, reversed);
    return out;
  }
  // Two empty lists agree.
  if (wanted.empty()) return both(true);
  double sum = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) sum += pair_score(wanted[i], said[i]);
  out.acc = sum / static_cast<double>(wanted.size());
  return out;
}

EmAcc em_acc(const std::string& format, const std::string& reference, const std::string& prediction,
             bool whole, bool reversed) {
  if (format == "Int") return scored_integer(reference, prediction);
  if (format == "Float") return scored_float(reference, prediction, whole);
  if (format == "Str" || format == "None") return scored_text(reference, prediction, whole);
  return scored_list(reference, prediction, whole, reversed);
}

// A failed extraction becomes a fixed text, which then scores as any other answer.
std::string molorag_prediction(const Json& item) {
  if (item.is_object() && !item.contains("prediction") && item.contains("extraction")) {
    const auto found = marked_extraction(text_of(item, "extraction"));
    return found ? found->answer : "Failed to extract";
  }
  return text_of(item, "prediction");
}

double percent(const Mean& mean) {
  return python::round_to(mean.count == 0 ? 0 : 100 * mean.sum / static_cast<double>(mean.count),
                          2);
}

// One class for both benchmarks, which differ only in the name and in F1.
class MoLoRag final : public Scorer {
 public:
  MoLoRag(std::string name, bool with_f1) : name_(std::move(name)), with_f1_(with_f1) {}
  std::string name() const override { return name_; }
  std::string help() const override {
    return std::string("MoLoRAG's scores of answers to ") +
           (with_f1_ ? "MMLongBench-Doc" : "LongDocURL") +
           ": answer, prediction (or extraction), answer_format -> em, acc";
  }

  ScoredItem score(const Json& item) const override {
    const std::string reference = text_of(item, "answer");
    const std::string format = text_of(item, "answer_format");
    const std::string prediction = molorag_prediction(item);
    ScoredItem out;
    EmAcc found;
    try {
      found = em_acc(format, reference, prediction, false, false);
      out.score = found.acc;
      add_quirks(format, reference, prediction, &out);
    } catch (const python::Exception& error) {
      out.error = error.what();
    }
    out.fields = dump_json({{"em", found.em}, {"acc", found.acc}});
    return out;
  }

  // In per cent with two decimals, as published.
  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    Mean em, acc, single, multi, unanswerable;
    std::vector<std::string> predictions;
    Slices sources;
    for (std::size_t i = 0; i < items.size(); ++i) {
      em.add(parse_json(scores[i].fields, "a score").at("em").get<double>());
      acc.add(scores[i].score);
      predictions.push_back(molorag_prediction(items[i]));
      for (const std::string& source : listed(items[i], "evidence_sources")) {
        sources.add(source, scores[i].score);
      }
      const std::size_t pages = listed(items[i], "evidence_pages").size();
      if (pages == 1) single.add(scores[i].score);
      if (pages > 1 && !is_unanswerable(items[i])) multi.add(scores[i].score);
      if (is_unanswerable(items[i])) unanswerable.add(scores[i].score);
    }
    out["em"] = percent(em);
    out["acc"] = percent(acc);
    if (with_f1_) out["f1"] = python::round_to(100 * f1_of_answers(items, scores, predictions), 2);
    out["by_evidence_source"] = sources.json();
    out["by_page_count"] = {{"single_page", percent(single)}, {"multi_page", percent(multi)}};
    // Its tables of MMLongBench-Doc have this column (UNA), those of LongDocURL do not.
    if (with_f1_) out["by_page_count"]["unanswerable"] = percent(unanswerable);
    return out;
  }

 private:
  static void add_quirks(const std::string& format, const std::string& reference,
                         const std::string& prediction, ScoredItem* out) {
    if (em_acc(format, reference, prediction, true, false).acc != out->score) {
      out->quirks.emplace_back("unit_characters");
    }
    if (em_acc(format, reference, prediction, false, true).acc != out->score) {
      out->quirks.emplace_back("surplus_is_free");
    }
    // The standard is the score without all of the quirks.
    double standard = em_acc(format, reference, prediction, true, true).acc;
    const std::optional<double> said = python::parse_float(prediction);
    if (format == "Int" && out->score == 1 && *said != std::trunc(*said)) {
      out->quirks.emplace_back("truncated_decimals");
      standard = 0;
    } else if (format == "Int" && !said && exact_match(prediction, reference)) {
      out->quirks.emplace_back("number_not_read");
      standard = 1;
    } else if ((format == "Str" || format == "None") && out->score == kTextThreshold) {
      out->quirks.emplace_back("half_is_kept");
      standard = 0;
    }
    if (!out->quirks.empty()) out->standard = standard;
  }

  std::string name_;
  bool with_f1_;
};

}  // namespace

const Scorer& molorag_mmlong_scorer() {
  static const MoLoRag scorer("molorag_mmlong", true);
  return scorer;
}

const Scorer& molorag_longdocurl_scorer() {
  static const MoLoRag scorer("molorag_longdocurl", false);
  return scorer;
}

}  // namespace fineprint::metrics
