// The standard measures, in the form of the published evaluators.
#include <algorithm>
#include <array>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/metrics/answers.h"
#include "fineprint/metrics/ranking.h"

#include "metrics/python/text.h"
#include "metrics/scorers/answer_rules.h"
#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/token_f1.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

// ANLS: 1 - normalised edit distance, 0 up to a similarity of 0.5. Source: Biten et al., ST-VQA
// (2019).
double usual_anls(std::string_view prediction, std::string_view reference) {
  constexpr double kUsualThreshold = 0.5;
  const std::string said = lower_case(python::strip(prediction));
  const std::string wanted = lower_case(python::strip(reference));
  return similarity_above(kUsualThreshold, wanted, said);
}

// F1 of words by SQuAD's rules.
double usual_f1(std::string_view prediction, std::string_view reference) {
  return overlap_of(squad_words(prediction), squad_words(reference)).f1;
}

double usual_exact(std::string_view prediction, std::string_view reference) {
  return exact_match(prediction, reference) ? 1 : 0;
}

double usual_relaxed(std::string_view prediction, std::string_view reference) {
  return relaxed_match(prediction, reference) ? 1 : 0;
}

// Returns "references", or "answer", which may be a list too. The best of them counts.
std::vector<std::string> references_of(const Json& item) {
  if (item.is_object() && item.contains("references")) return texts_of(item, "references");
  if (item.is_object() && item.contains("answer") && item.at("answer").is_array()) {
    return texts_of(item, "answer");
  }
  return {text_of(item, "answer")};
}

// A measure of one prediction against one or several references.
class AnswerMeasure final : public Scorer {
 public:
  using Measure = double (*)(std::string_view prediction, std::string_view reference);
  AnswerMeasure(std::string name, std::string help, Measure measure)
      : name_(std::move(name)), help_(std::move(help)), measure_(measure) {}
  std::string name() const override { return name_; }
  std::string help() const override { return help_ + ": answer (or references), prediction"; }

  ScoredItem score(const Json& item) const override {
    const std::string prediction = text_of(item, "prediction");
    ScoredItem out;
    for (const std::string& reference : references_of(item)) {
      out.score = std::max(out.score, measure_(prediction, reference));
    }
    out.fields = dump_json({{"score", out.score}});
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    out["score"] = mean_score(scores);
    return out;
  }

 private:
  std::string name_, help_;
  Measure measure_;
};

// The cuts at which the measures are reported.
constexpr std::array<std::size_t, 4> kUsualCuts = {1, 3, 5, 10};

// Converts page names ("report.pdf#3", or numbers); a repeated page counts once.
std::vector<PageRef> refs_of(const std::vector<std::string>& names) {
  std::vector<PageRef> refs;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) refs.push_back({name, 1});
  }
  return refs;
}

// The measures of metrics/ranking.h, for pages by name.
class PagesMeasure final : public Scorer {
 public:
  std::string name() const override { return "pages"; }
  std::string help() const override {
    return "the standard measures of a ranking: evidence_pages, pages_ranking -> ndcg@k, recall@k, "
           "precision@k, mrr@k (0 to 1); the score is ndcg@5";
  }

  ScoredItem score(const Json& item) const override {
    const std::vector<PageRef> wanted = refs_of(pages_in(item, "evidence_pages"));
    const std::set<PageRef> gold(wanted.begin(), wanted.end());
    const std::vector<PageRef> ranking = refs_of(pages_in(item, "pages_ranking"));
    ScoredItem out;
    Json fields = Json::object();
    for (const std::size_t k : kUsualCuts) {
      // The reciprocal rank has no cut, so the hit decides whether it is within k.
      const double rank = reciprocal_rank(ranking, gold);
      fields[format("ndcg@{}", k)] = ndcg(ranking, gold, k);
      fields[format("recall@{}", k)] = recall(ranking, gold, k);
      fields[format("precision@{}", k)] = precision(ranking, gold, k);
      fields[format("mrr@{}", k)] = hit(ranking, gold, k) > 0 ? rank : 0.0;
    }
    out.score = ndcg(ranking, gold, 5);
    out.fields = dump_json(fields);
    return out;
  }

  // Returns means over the questions with evidence.
  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    std::vector<std::string> names;
    std::map<std::string, Mean> means;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (pages_in(items[i], "evidence_pages").empty()) continue;
      const Json fields = parse_json(scores[i].fields, "a score");
      for (const auto& [measure, value] : fields.items()) {
        if (!means.contains(measure)) names.push_back(measure);
        means[measure].add(value.get<double>());
      }
    }
    out["with_evidence"] = names.empty() ? 0 : means[names.front()].count;
    for (const std::string& measure : names) out[measure] = means[measure].json();
    return out;
  }

 private:
  static std::vector<std::string> pages_in(const Json& item, const char* field) {
    if (!item.is_object() || !item.contains(field)) refuse_field(field, "is missing");
    return listed(item, field);
  }
};

}  // namespace

const Scorer& exact_scorer() {
  static const AnswerMeasure scorer("exact", "equal words and numbers, in any format", usual_exact);
  return scorer;
}

const Scorer& relaxed_scorer() {
  static const AnswerMeasure scorer("relaxed", "equal, within 5%, or contained in the prediction",
                                    usual_relaxed);
  return scorer;
}

const Scorer& anls_scorer() {
  static const AnswerMeasure scorer("anls", "edit similarity, 0 if it is at most 0.5", usual_anls);
  return scorer;
}

const Scorer& f1_scorer() {
  static const AnswerMeasure scorer("f1", "F1 of words, by SQuAD's rules", usual_f1);
  return scorer;
}

const Scorer& pages_scorer() {
  static const PagesMeasure scorer;
  return scorer;
}

}  // namespace fineprint::metrics
