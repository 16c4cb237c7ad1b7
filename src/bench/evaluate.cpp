// Scores answers and rankings against gold pages and gold answers.
#include "fineprint/bench/evaluate.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/metrics/answers.h"
#include "fineprint/metrics/ranking.h"
#include "fineprint/runs/trec.h"
#include "fineprint/session/corpus.h"

namespace fineprint::bench {
namespace {

// Returns whether `doc`, a name in the gold, means the indexed document `found`: a name or glob
// that would select it for a question, or the end of its path.
bool is_document(const std::string& doc, const std::string& found) {
  if (doc.empty() || session::names_document(doc, found)) return true;
  return found.size() > doc.size() && found.ends_with(doc) &&
         found[found.size() - doc.size() - 1] == '/';
}

// Returns no pages if the evidence is unknown.
std::span<const PageRef> evidence_of(const Question& question) {
  if (!question.evidence) return {};
  return *question.evidence;
}

// Returns gold pages with their gains. They get the names that the ranking uses, so that the two
// can be compared.
std::map<PageRef, double> gold_pages(const Question& question, const Gold& all,
                                     const std::vector<PageRef>& ranking) {
  const auto gains = all.gains.find(question.id);
  std::map<PageRef, double> gold;
  for (PageRef page : evidence_of(question)) {
    double gain = 1;
    if (gains != all.gains.end() && gains->second.contains(page)) gain = gains->second.at(page);
    for (const PageRef& found : ranking) {
      if (found.page == page.page && is_document(page.doc, found.doc)) page.doc = found.doc;
    }
    gold[page] = gain;
  }
  return gold;
}

// A page that is listed twice counts once, at its better rank.
std::vector<PageRef> ranking_of(const Answer& answer) {
  std::vector<PageRef> ranking;
  std::set<PageRef> seen;
  for (const RetrievedPage& page : answer.retrieved) {
    if (seen.insert(page.page).second) ranking.push_back(page.page);
  }
  return ranking;
}

bool is_unanswerable(const Question& question) {
  return question.answer_format == "None" ||
         (question.answer && *question.answer == kNotAnswerable);
}

// Only the first citation counts here.
bool cites_gold_first(const Question& question, const Answer& answer) {
  if (answer.citations.empty()) return false;
  const PageRef& first = answer.citations.front().page;
  for (const PageRef& page : evidence_of(question)) {
    if (page.page == first.page && is_document(page.doc, first.doc)) return true;
  }
  return false;
}

// The K of the measures at K.
constexpr std::size_t kCuts[] = {1, 3, 5, 10};

// Computes all measures of one ranking, in the order of the output.
std::vector<Measure> measure(const std::vector<PageRef>& ranking,
                             const std::map<PageRef, double>& gains) {
  std::set<PageRef> gold;
  for (const auto& [page, gain] : gains) gold.insert(page);
  std::vector<Measure> measures;
  const auto add = [&](const char* name, const auto& of) {
    for (const std::size_t k : kCuts) measures.push_back({format("{}@{}", name, k), of(k)});
  };
  add("nDCG", [&](std::size_t k) { return metrics::ndcg(ranking, gains, k); });
  add("R", [&](std::size_t k) { return metrics::recall(ranking, gold, k); });
  add("P", [&](std::size_t k) { return metrics::precision(ranking, gold, k); });
  add("Hit", [&](std::size_t k) { return metrics::hit(ranking, gold, k); });
  measures.push_back({"P_returned", metrics::precision_returned(ranking, gold)});
  measures.push_back({"AP", metrics::average_precision(ranking, gold)});
  measures.push_back({"RR", metrics::reciprocal_rank(ranking, gold)});
  return measures;
}

// Adds one question to the sums. They become means at the end.
void add_ranking(const Question& question, const Gold& gold, const Answer& answer, Evaluation* sum,
                 ItemScore* item) {
  const std::vector<PageRef> ranking = ranking_of(answer);
  item->ranking = measure(ranking, gold_pages(question, gold, ranking));
  if (++sum->with_evidence == 1) {
    sum->ranking = item->ranking;
    return;
  }
  for (std::size_t i = 0; i < item->ranking.size(); ++i) {
    sum->ranking[i].value += item->ranking[i].value;
  }
}

// Predicted probabilities, and whether each came true.
struct Predictions {
  std::vector<double> said;
  std::vector<bool> came;
  void add(double probability, bool is_so) {
    said.push_back(probability);
    came.push_back(is_so);
  }
};

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// NaN if no question applies, so that "nothing to measure" is not shown as 0.
void to_percent(double* sum, std::int64_t count) {
  *sum = count > 0 ? 100 * *sum / static_cast<double>(count) : kNotMeasured;
}

}  // namespace

// Sums first and percentages at the end, so that each measure is divided by the questions that it
// applies to.
Evaluation evaluate(const Gold& gold, const std::vector<Answer>& answers,
                    std::vector<ItemScore>* per_item) {
  std::map<std::string, const Answer*> by_id;
  for (const Answer& answer : answers) by_id[answer.id] = &answer;

  Evaluation sum;
  std::int64_t cited = 0, with_gold_answer = 0;
  Predictions right, held, held_or_not;
  for (const Question& question : gold.questions) {
    ++sum.questions;
    const auto found = by_id.find(question.id);
    const Answer none;
    // A missing answer is scored as an empty one.
    const Answer& answer = found == by_id.end() ? none : *found->second;
    if (found == by_id.end()) ++sum.missing;
    if (answer.error) ++sum.errors;

    ItemScore item;
    item.id = question.id;
    if (!evidence_of(question).empty()) {
      add_ranking(question, gold, answer, &sum, &item);
    }
    const bool is_given = found != by_id.end() && !answer.error;
    // If an answer has no answerability, its confidence is used.
    held_or_not.add(answer.answerability.value_or(answer.confidence), !is_unanswerable(question));
    if (answer.answerability) held.add(*answer.answerability, !is_unanswerable(question));
    if (is_unanswerable(question)) {
      ++sum.unanswerable;
      // A missing answer is not a decision to abstain.
      const bool declined = is_given && !answer.answerable;
      sum.declined_unanswerable += declined ? 1 : 0;
      // Errors have no confidence, so they do not count for calibration.
      if (is_given) right.add(answer.confidence, declined);
    } else {
      ++sum.answerable;
      sum.declined_answerable += answer.answerable ? 0 : 1;
      if (!evidence_of(question).empty()) {
        ++cited;
        item.first_citation = cites_gold_first(question, answer);
        sum.first_citation += item.first_citation ? 1 : 0;
      }
      if (question.answer) {
        ++with_gold_answer;
        item.exact = metrics::exact_match(answer.answer, *question.answer);
        item.relaxed = metrics::relaxed_match(answer.answer, *question.answer);
        sum.exact += item.exact ? 1 : 0;
        sum.relaxed += item.relaxed ? 1 : 0;
        if (is_given) right.add(answer.confidence, item.relaxed);
      }
    }
    if (per_item != nullptr) per_item->push_back(item);
  }
  if (sum.with_evidence == 0) sum.ranking = measure({}, {});
  for (Measure& measure : sum.ranking) {
    to_percent(&measure.value, sum.with_evidence);
    if (measure.name == "AP" || measure.name == "RR") measure.name = "M" + measure.name;
  }
  to_percent(&sum.first_citation, cited);
  to_percent(&sum.declined_answerable, sum.answerable);
  to_percent(&sum.declined_unanswerable, sum.unanswerable);
  to_percent(&sum.exact, with_gold_answer);
  to_percent(&sum.relaxed, with_gold_answer);
  sum.confidence_auc = metrics::roc_auc(right.said, right.came);
  sum.answerability_auc = metrics::roc_auc(held_or_not.said, held_or_not.came);
  sum.confidence = metrics::reliability(right.said, right.came);
  sum.answerability = metrics::reliability(held.said, held.came);
  return sum;
}

Gold read_gold(const std::string& path) {
  if (path == "-") return {read_questions(path)};
  const std::string text = read_file(path);
  if (!runs::is_trec(text, path)) return {parse_questions(text, path)};
  Gold gold;
  gold.gains = runs::parse_trec_qrels(text, path);
  gold.pages_only = true;
  for (const auto& [id, pages] : gold.gains) {
    Question question;
    question.id = id;
    question.evidence.emplace();
    for (const auto& [page, gain] : pages) question.evidence->push_back(page);
    gold.questions.push_back(std::move(question));
  }
  return gold;
}

}  // namespace fineprint::bench
