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
std::vector<PageRef> ranking_of(const std::vector<RetrievedPage>& pages) {
  std::vector<PageRef> ranking;
  std::set<PageRef> seen;
  for (const RetrievedPage& page : pages) {
    if (seen.insert(page.page).second) ranking.push_back(page.page);
  }
  return ranking;
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

// Computes all measures of one ranking, in the order of the output. `read`: the pages of it that
// were read.
std::vector<Measure> measure(const std::vector<PageRef>& ranking, const std::vector<PageRef>& read,
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
  measures.push_back({"P_returned", metrics::precision_returned(read, gold)});
  measures.push_back({"AP", metrics::average_precision(ranking, gold)});
  measures.push_back({"RR", metrics::reciprocal_rank(ranking, gold)});
  return measures;
}

// Adds one question to the sums. They become means at the end.
void add_ranking(const Question& question, const Gold& gold, const Answer& answer, Evaluation* sum,
                 ItemScore* item) {
  const std::vector<PageRef> ranking = ranking_of(answer.retrieved);
  const std::vector<PageRef> read = ranking_of(shown_pages(answer));
  item->ranking = measure(ranking, read, gold_pages(question, gold, ranking));
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

// The sums over the questions, and the numbers that they are divided by at the end, because each
// measure applies to other questions.
struct Sums {
  Evaluation evaluation;  // its percentages are still sums
  std::int64_t cited = 0, with_gold_answer = 0;
  Predictions right;          // by confidence
  Predictions answerability;  // of answers that report it
  Predictions answerable;     // by answerability, or by confidence if there is none
};

// The answer to a question. A missing one is scored as an empty one.
struct Reply {
  const Answer& answer;
  bool is_missing;
  // Returns whether its confidence counts: errors have none.
  bool is_given() const { return !is_missing && !answer.error; }
};

// A missing answer is not a decision to abstain.
void add_unanswerable(const Reply& reply, Sums* sums) {
  ++sums->evaluation.unanswerable;
  const bool declined = reply.is_given() && !reply.answer.answerable;
  sums->evaluation.declined_unanswerable += declined ? 1 : 0;
  if (reply.is_given()) sums->right.add(reply.answer.confidence, declined);
}

void add_citation(const Question& question, const Answer& answer, Sums* sums, ItemScore* item) {
  ++sums->cited;
  item->first_citation = cites_gold_first(question, answer);
  sums->evaluation.first_citation += item->first_citation ? 1 : 0;
}

void add_match(const std::string& gold, const Reply& reply, Sums* sums, ItemScore* item) {
  ++sums->with_gold_answer;
  item->exact = metrics::exact_match(reply.answer.answer, gold);
  item->relaxed = metrics::relaxed_match(reply.answer.answer, gold);
  sums->evaluation.exact += item->exact ? 1 : 0;
  sums->evaluation.relaxed += item->relaxed ? 1 : 0;
  if (reply.is_given()) sums->right.add(reply.answer.confidence, item->relaxed);
}

void add_answerable(const Question& question, const Reply& reply, Sums* sums, ItemScore* item) {
  ++sums->evaluation.answerable;
  sums->evaluation.declined_answerable += reply.answer.answerable ? 0 : 1;
  if (!evidence_of(question).empty()) add_citation(question, reply.answer, sums, item);
  if (question.answer) add_match(*question.answer, reply, sums, item);
}

// Adds whether the question can be answered to what the answer said about it.
void add_answerability(const Question& question, const Answer& answer, Sums* sums) {
  const bool is_answerable = !is_unanswerable(question);
  sums->answerable.add(answer.answerability.value_or(answer.confidence), is_answerable);
  if (answer.answerability) sums->answerability.add(*answer.answerability, is_answerable);
}

ItemScore add_question(const Question& question, const Gold& gold, const Reply& reply, Sums* sums) {
  Evaluation& all = sums->evaluation;
  ++all.questions;
  all.missing += reply.is_missing ? 1 : 0;
  all.errors += reply.answer.error ? 1 : 0;
  ItemScore item;
  item.id = question.id;
  if (!evidence_of(question).empty()) add_ranking(question, gold, reply.answer, &all, &item);
  add_answerability(question, reply.answer, sums);
  if (is_unanswerable(question)) {
    add_unanswerable(reply, sums);
  } else {
    add_answerable(question, reply, sums, &item);
  }
  return item;
}

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// NaN if no question applies, so that "nothing to measure" is not shown as 0.
void to_percent(double* sum, std::int64_t count) {
  *sum = count > 0 ? 100 * *sum / static_cast<double>(count) : kNotMeasured;
}

// Turns sums of ranking measures into means in percent. Measures that are named after one ranking
// get the names of their means.
void to_means(std::vector<Measure>* ranking, std::int64_t count) {
  if (count == 0) *ranking = measure({}, {}, {});
  for (Measure& measure : *ranking) {
    to_percent(&measure.value, count);
    if (measure.name == "AP" || measure.name == "RR") measure.name = "M" + measure.name;
  }
}

Evaluation evaluation_of(Sums sums) {
  Evaluation all = std::move(sums.evaluation);
  to_means(&all.ranking, all.with_evidence);
  to_percent(&all.first_citation, sums.cited);
  to_percent(&all.declined_answerable, all.answerable);
  to_percent(&all.declined_unanswerable, all.unanswerable);
  to_percent(&all.exact, sums.with_gold_answer);
  to_percent(&all.relaxed, sums.with_gold_answer);
  all.confidence_auc = metrics::roc_auc(sums.right.said, sums.right.came);
  all.answerability_auc = metrics::roc_auc(sums.answerable.said, sums.answerable.came);
  all.confidence = metrics::reliability(sums.right.said, sums.right.came);
  all.answerability = metrics::reliability(sums.answerability.said, sums.answerability.came);
  return all;
}

}  // namespace

Evaluation evaluate(const Gold& gold, const std::vector<Answer>& answers,
                    std::vector<ItemScore>* per_item) {
  // The last answer of an id counts.
  std::map<std::string, const Answer*> by_id;
  for (const Answer& answer : answers) by_id[answer.id] = &answer;
  const Answer none;
  Sums sums;
  for (const Question& question : gold.questions) {
    const auto found = by_id.find(question.id);
    const bool is_missing = found == by_id.end();
    const Reply reply{is_missing ? none : *found->second, is_missing};
    ItemScore item = add_question(question, gold, reply, &sums);
    if (per_item != nullptr) per_item->push_back(std::move(item));
  }
  return evaluation_of(std::move(sums));
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
