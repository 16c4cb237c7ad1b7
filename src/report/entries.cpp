// Joins questions, answers and scores by their ids.
#include "report/entries.h"

#include <set>
#include <string>
#include <unordered_map>

#include "fineprint/metrics/answers.h"

namespace fineprint::report {
namespace {

template <class Record>
using ById = std::unordered_map<std::string_view, const Record*>;

template <class Record>
ById<Record> by_id(const std::vector<Record>& records) {
  ById<Record> all;
  for (const Record& record : records) all[record.id] = &record;
  return all;
}

template <class Record>
const Record* record_of(const ById<Record>& all, const std::string& id) {
  const auto found = all.find(id);
  return found == all.end() ? nullptr : found->second;
}

// Returns the value by the gold answer, or nullopt if there is none.
std::optional<double> value_by_gold(const Question& question, const Answer& answer) {
  if (is_unanswerable(question)) return answer.answerable ? 0 : 1;
  if (!question.answer) return std::nullopt;
  if (!answer.answerable) return 0;
  return metrics::relaxed_match(answer.answer, *question.answer) ? 1 : 0;
}

// A score is finer than right or wrong, so it comes first.
std::optional<double> value_by_score(const Score& score) {
  if (score.score) return score.score;
  if (score.correct) return *score.correct ? 1 : 0;
  return std::nullopt;
}

// Returns whether a right answer is known, from a score or from the gold.
bool is_judgeable(const Entry& entry) {
  if (entry.score != nullptr && value_by_score(*entry.score)) return true;
  return entry.question != nullptr && (entry.question->answer || is_unanswerable(*entry.question));
}

// The scorer's own verdict comes first; without one, the value decides.
Verdict verdict_of(double value, const Score* score) {
  if (score != nullptr && score->correct) return *score->correct ? Verdict::right : Verdict::wrong;
  if (value >= 1) return Verdict::right;
  return value > 0 ? Verdict::partly : Verdict::wrong;
}

void judge(Entry* entry) {
  if (entry->score != nullptr) entry->value = value_by_score(*entry->score);
  if (entry->answer == nullptr || entry->answer->error) {
    entry->verdict = entry->answer == nullptr ? Verdict::missing : Verdict::failed;
    // A question without a usable answer counts as 0 if it could be judged, so that errors lower
    // the mean.
    if (!entry->value && is_judgeable(*entry)) entry->value = 0;
    return;
  }
  entry->declined = !entry->answer->answerable;
  const Score* judged_by = entry->value ? entry->score : nullptr;
  if (!entry->value && entry->question != nullptr) {
    entry->value = value_by_gold(*entry->question, *entry->answer);
  }
  if (entry->value) entry->verdict = verdict_of(*entry->value, judged_by);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::right:
      return "right";
    case Verdict::partly:
      return "partly";
    case Verdict::wrong:
      return "wrong";
    case Verdict::failed:
      return "error";
    case Verdict::missing:
      return "missing";
    case Verdict::unjudged:
      return "unjudged";
  }
  return "";
}

// Answers without a question are kept, because a report of answers alone has no questions at all.
std::vector<Entry> entries_of(const Material& material) {
  const ById<Answer> answers = by_id(material.answers);
  const ById<Score> scores = by_id(material.scores);
  std::vector<Entry> entries;
  std::set<std::string_view> shown;
  for (const Question& question : material.questions) {
    shown.insert(question.id);
    entries.push_back({.question = &question,
                       .answer = record_of(answers, question.id),
                       .score = record_of(scores, question.id)});
  }
  for (const Answer& answer : material.answers) {
    if (!shown.insert(answer.id).second) continue;
    entries.push_back({.answer = answers.at(answer.id), .score = record_of(scores, answer.id)});
  }
  for (Entry& entry : entries) judge(&entry);
  return entries;
}

}  // namespace fineprint::report
