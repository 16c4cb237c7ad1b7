// UDA-Benchmark: F1 of words for PaperTab, PaperText and FetaTab. Source: the rules of
// qinchuanhui/UDA-Benchmark's evaluation.
#include <algorithm>

#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"

#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/token_f1.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

// The published code looks at the first three references only.
constexpr std::size_t kReferences = 3;

// Returns the text after the last mark; the text itself if it has none.
std::string after_the_mark(const std::string& text) {
  constexpr std::string_view kMark = "The answer is: ";
  const std::size_t at = text.rfind(kMark);
  return at == std::string::npos ? text : text.substr(at + kMark.size());
}

double uda_overlap(const std::string& prediction, const std::string& reference) {
  return overlap_of(squad_words(prediction), squad_words(reference)).f1;
}

// Returns the best F1 over the first three references. If a reference is "yes" or "no" and the
// prediction begins with such a word, the prediction becomes that word: for the later references
// too if `stays` is set (as published, quirk yes_no_stays), else for this one only.
double paper_f1(std::string prediction, const std::vector<std::string>& references, bool stays) {
  double best = 0;
  for (std::size_t i = 0; i < std::min(kReferences, references.size()); ++i) {
    const std::string wanted = lower_case(references[i]);
    const std::string low = lower_case(prediction);
    std::string said = prediction;
    if (wanted == "yes" || wanted == "no") {
      if (low.starts_with("yes")) said = "Yes";
      if (low.starts_with("no")) said = "No";
    }
    best = std::max(best, uda_overlap(said, references[i]));
    if (stays) prediction = said;
  }
  return best;
}

class UdaF1 final : public Scorer {
 public:
  std::string name() const override { return "uda_f1"; }
  std::string help() const override {
    return "UDA-Benchmark: benchmark (paper or feta), prediction, references -> f1";
  }

  ScoredItem score(const Json& item) const override {
    const std::string benchmark = text_of(item, "benchmark");
    if (benchmark != "paper" && benchmark != "feta") {
      refuse_field("benchmark", "must be \"paper\" or \"feta\"");
    }
    const std::string prediction = after_the_mark(text_of(item, "prediction"));
    const std::vector<std::string> references = texts_of(item, "references");
    if (references.empty()) refuse_field("references", "must not be empty");
    ScoredItem out;
    if (benchmark == "feta") {
      out.score = uda_overlap(prediction, references.front());
    } else {
      out.score = paper_f1(prediction, references, true);
      const double usual = paper_f1(prediction, references, false);
      if (usual != out.score) {
        out.quirks.emplace_back("yes_no_stays");
        out.standard = usual;
      }
    }
    out.fields = dump_json({{"f1", out.score}});
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    out["f1"] = mean_score(scores);
    return out;
  }
};

}  // namespace

const Scorer& uda_f1_scorer() {
  static const UdaF1 scorer;
  return scorer;
}

}  // namespace fineprint::metrics
