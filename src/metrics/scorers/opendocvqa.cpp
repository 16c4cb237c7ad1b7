// OpenDocVQA: exact match, relaxed accuracy, ANLS and F1 of normalised answers. Source: the rules
// of nttmdlab-nlp/VDocRAG's evaluation of answers.
#include <algorithm>
#include <cmath>
#include <optional>

#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"

#include "metrics/edit_distance.h"
#include "metrics/python/numbers.h"
#include "metrics/python/text.h"
#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/token_f1.h"
#include "metrics/scorers/totals.h"
#include "metrics/scorers/vqa_words.h"

namespace fineprint::metrics {
namespace {

// For the standard measure; the published one has no threshold.
constexpr double kAnlsThreshold = 0.5;
constexpr double kRelaxedShare = 0.05;

// "5%" is 0.05.
std::optional<double> chart_number(const std::string& text) {
  if (!text.ends_with('%')) return python::parse_float(text);
  const auto value = python::parse_float(python::strip_right(text, "%"));
  return value ? std::optional(*value / 100) : std::nullopt;
}

double relaxed_accuracy(const std::string& prediction, const std::string& reference) {
  const std::optional<double> said = chart_number(prediction), wanted = chart_number(reference);
  // A relative error needs a reference other than 0.
  if (said && wanted && *wanted != 0) {
    return std::abs(*said - *wanted) / std::abs(*wanted) <= kRelaxedShare ? 1 : 0;
  }
  return lower_case(prediction) == lower_case(reference) ? 1 : 0;
}

// Returns 1 - distance / length of the longer text.
double plain_similarity(const std::string& a, const std::string& b) {
  const std::size_t length = std::max(python::length(a), python::length(b));
  if (length == 0) return 1;
  return 1 - static_cast<double>(edit_distance(a, b)) / static_cast<double>(length);
}

struct VqaScores {
  double exact = 0, relaxed = 0, anls = 0, f1 = 0;
};

VqaScores vqa_scores(const std::string& prediction, const std::vector<std::string>& references) {
  VqaScores out;
  for (const std::string& reference : references) {
    if (prediction == reference) out.exact = 1;
    out.anls = std::max(out.anls, plain_similarity(prediction, reference));
    out.f1 = std::max(out.f1, overlap_of(words_of(prediction), words_of(reference)).f1);
  }
  // As published, relaxed accuracy looks at the first reference only.
  if (!references.empty()) out.relaxed = relaxed_accuracy(prediction, references.front());
  return out;
}

// Returns the measure by which the paper judges each of its sets.
std::string measure_of(const Json& item) {
  const std::string set = lower_case(optional_text(item, "dataset"));
  if (set == "chartqa") return "relaxed";
  if (set == "slidevqa") return "f1";
  return "anls";
}

class OpenDocVqa final : public Scorer {
 public:
  std::string name() const override { return "opendocvqa"; }
  std::string help() const override {
    return "VDocRAG: prediction, references -> exact, relaxed, anls, f1; the score is the one of "
           "the item's dataset (chartqa: relaxed, slidevqa: f1, others: anls)";
  }

  ScoredItem score(const Json& item) const override {
    const std::string raw = text_of(item, "prediction");
    const std::vector<std::string> raw_references = texts_of(item, "references");
    if (raw_references.empty()) refuse_field("references", "must not be empty");
    const std::string prediction = vqa_normalised(raw);
    std::vector<std::string> references, signed_references;
    // Normalised twice: as published, and with signs for the standard measure.
    for (const std::string& one : raw_references) {
      references.push_back(vqa_normalised(one));
      signed_references.push_back(vqa_normalised(one, /*keep_signs=*/true));
    }
    const VqaScores found = vqa_scores(prediction, references);
    ScoredItem out;
    const std::string measure = measure_of(item);
    out.score = measure == "relaxed" ? found.relaxed : measure == "f1" ? found.f1 : found.anls;
    out.fields = dump_json({{"exact", found.exact},
                            {"relaxed", found.relaxed},
                            {"anls", found.anls},
                            {"f1", found.f1},
                            {"normalized_prediction", prediction}});
    const VqaScores kept = vqa_scores(vqa_normalised(raw, true), signed_references);
    add_quirks(measure, found, kept, &out);
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    Mean exact, relaxed, anls, f1;
    std::map<std::string, Mean> sets;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Json fields = parse_json(scores[i].fields, "a score");
      exact.add(fields.at("exact").get<double>());
      relaxed.add(fields.at("relaxed").get<double>());
      anls.add(fields.at("anls").get<double>());
      f1.add(fields.at("f1").get<double>());
      if (const std::string set = optional_text(items[i], "dataset"); !set.empty()) {
        sets[set].add(scores[i].score);
      }
    }
    out["score"] = mean_score(scores);
    out["exact"] = exact.json();
    out["relaxed"] = relaxed.json();
    out["anls"] = anls.json();
    out["f1"] = f1.json();
    Json by_set = Json::object();
    for (const auto& [set, mean] : sets) {
      by_set[set] = {{"items", mean.count},
                     {"measure", measure_of({{"dataset", set}})},
                     {"score", mean.json()}};
    }
    out["by_dataset"] = by_set;
    return out;
  }

 private:
  // Compares with the standard measure: signs kept, and the usual threshold of ANLS.
  static void add_quirks(const std::string& measure, const VqaScores& found, const VqaScores& kept,
                         ScoredItem* out) {
    double standard = measure == "relaxed" ? kept.relaxed : measure == "f1" ? kept.f1 : kept.anls;
    if (standard != out->score) out->quirks.emplace_back("signs_are_lost");
    if (measure == "anls" && found.anls > 0 && found.anls <= kAnlsThreshold) {
      out->quirks.emplace_back("no_anls_threshold");
    }
    if (measure == "anls" && standard <= kAnlsThreshold) standard = 0;
    if (!out->quirks.empty()) out->standard = standard;
  }
};

}  // namespace

const Scorer& opendocvqa_scorer() {
  static const OpenDocVqa scorer;
  return scorer;
}

}  // namespace fineprint::metrics
