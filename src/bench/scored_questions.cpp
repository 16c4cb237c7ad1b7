// Scores answers with the benchmark's rules, and rankings with the standard measures.
#include "bench/scored_questions.h"

#include <algorithm>

#include "fineprint/metrics/extraction.h"

namespace fineprint::bench {
namespace {

const Measure* measure_named(const std::vector<Measure>& measures, std::string_view name) {
  const auto found = std::ranges::find(measures, name, &Measure::name);
  return found == measures.end() ? nullptr : &*found;
}

bool is_given(const Answer& answer) { return !answer.id.empty() && !answer.error; }

// Returns the field that counts if the evaluator gives several, else its score.
double counted(const RuleScore& rule, const std::string& measure) {
  const auto field = rule.fields.find(measure);
  return field != rule.fields.end() && field->is_number() ? field->get<double>() : rule.score;
}

// Scores of questions without an answer stay 0, whatever the rules say about empty text.
void take_rule_scores(const Dataset& dataset, const BenchmarkData& data,
                      const std::vector<GivenAnswer>& given, ScoredRun* run) {
  std::vector<Json> items;
  for (const GivenAnswer& one : given) items.push_back(dataset.item(one));
  RuleScores scores = score_by_rules(data.scorer, items);
  run->scored_by = scores.by;
  run->totals = std::move(scores.totals);
  for (std::size_t i = 0; i < given.size(); ++i) {
    ScoredQuestion& question = run->questions[i];
    question.rule = std::move(scores.items[i]);
    if (!is_given(given[i].answer)) continue;
    question.score = counted(question.rule, data.measure);
    if (question.score <= 0 || question.score >= 1) question.correct = question.score >= 1;
  }
}

// If no rules score the answers, a measure of their rankings does.
void take_ranking_scores(const BenchmarkData& data, ScoredRun* run) {
  run->scored_by = "rankings";
  for (ScoredQuestion& question : run->questions) {
    if (const Measure* measure = measure_named(question.ranking, data.measure)) {
      question.score = measure->value;
    }
  }
}

// Returns the short answer of a reply. If it has none, returns the text that the harnesses write in
// that case.
std::string short_answer(JudgeKind kind, const std::string& reply) {
  const bool is_marked = kind == JudgeKind::extraction;
  const auto found =
      is_marked ? metrics::marked_extraction(reply) : metrics::tagged_extraction(reply);
  if (found) return found->answer;
  return is_marked ? "Failed to extract" : "Fail to extract";
}

// The scores of the rules are kept next to those of the judge.
void join_judged(const RuleScore& judged, const std::string& reply, ScoredQuestion* question) {
  question->judge_reply = reply;
  question->score = judged.score;
  question->correct = judged.score > 0;
  question->rule.fields.update(judged.fields);
  question->rule.quirks.insert(question->rule.quirks.end(), judged.quirks.begin(),
                               judged.quirks.end());
  question->rule.error = judged.error;
  question->rule.standard = judged.standard;
}

// If a judge was asked, its scores count.
void take_judged_scores(const BenchmarkData& data, const std::vector<Answer>& answers,
                        const JudgeReplies& judged, ScoredRun* run) {
  const bool is_grade = data.judge == JudgeKind::grade;
  std::vector<Json> items;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ScoredQuestion& question = run->questions[i];
    question.score = 0;
    question.correct.reset();
    if (!is_given(answers[i])) continue;
    if (const auto reply = judged.find(question.id); reply != judged.end()) {
      items.push_back({{"judge_reply", reply->second.text}});
      places.push_back(i);
    } else {
      question.rule.error = "not judged";
    }
  }
  RuleScores scores = score_by_rules(is_grade ? "vidorag_judge" : "binary_judge", items);
  for (std::size_t i = 0; i < places.size(); ++i) {
    join_judged(scores.items[i], items[i].at("judge_reply").get<std::string>(),
                &run->questions[places[i]]);
  }
  run->scored_by = "judge";
  run->measure = is_grade ? "passing" : "binary_correctness";
  scores.totals["rules"] = std::move(run->totals);
  run->totals = std::move(scores.totals);
}

// Computed over the questions with gold pages.
void take_ranking_totals(const Dataset& dataset, const BenchmarkData& data,
                         const std::vector<GivenAnswer>& given, ScoredRun* run) {
  if (data.ranking_scorer.empty()) return;
  std::vector<Json> items;
  for (const GivenAnswer& one : given) {
    const auto& evidence = one.question.question.evidence;
    if (evidence && !evidence->empty()) items.push_back(dataset.ranking_item(one));
  }
  run->ranking_totals = score_by_rules(data.ranking_scorer, items).totals;
}

}  // namespace

// The last answer of an id wins, as in retried runs.
std::vector<Answer> answers_in_order(const BenchmarkData& data,
                                     const std::vector<Answer>& answers) {
  std::map<std::string_view, const Answer*> by_id;
  for (const Answer& answer : answers) by_id[answer.id] = &answer;
  std::vector<Answer> ordered;
  for (const PublishedQuestion& published : data.questions) {
    const auto found = by_id.find(published.question.id);
    ordered.push_back(found == by_id.end() ? Answer() : *found->second);
  }
  return ordered;
}

// Without an extraction, the complete answer is the prediction.
std::vector<GivenAnswer> given_answers(const BenchmarkData& data,
                                       const std::vector<Answer>& answers,
                                       const JudgeReplies& judged) {
  std::vector<GivenAnswer> given;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const PublishedQuestion& published = data.questions[i];
    given.push_back({published, Json::parse(published.record_json), answers[i], answers[i].answer,
                     /*extraction=*/""});
    const auto reply = judged.find(answers[i].id);
    if (!is_extracting(data.judge) || reply == judged.end()) continue;
    given.back().extraction = reply->second.text;
    given.back().prediction = short_answer(data.judge, reply->second.text);
  }
  return given;
}

// The rules come first. A judge that extracts changes what they compare; any other judge replaces
// their scores.
ScoredRun score_answers(const Dataset& dataset, const BenchmarkData& data,
                        const std::vector<Answer>& answers, const JudgeReplies& judged) {
  ScoredRun run;
  run.measure = data.measure.empty() ? "score" : data.measure;
  std::vector<ItemScore> items;
  run.evaluation = evaluate({data.plain_questions(), data.gains}, answers, &items);
  for (ItemScore& item : items) {
    ScoredQuestion question;
    question.id = item.id;
    question.ranking = std::move(item.ranking);
    question.trace = trace_facts(answers[run.questions.size()]);
    run.questions.push_back(std::move(question));
  }
  const std::vector<GivenAnswer> given = given_answers(data, answers, judged);
  take_ranking_totals(dataset, data, given, &run);
  if (data.scorer.empty()) {
    take_ranking_scores(data, &run);
  } else {
    take_rule_scores(dataset, data, given, &run);
  }
  if (judged.empty()) return run;
  run.judge = judged.begin()->second.judge;
  if (is_extracting(data.judge)) {
    for (ScoredQuestion& question : run.questions) {
      const auto reply = judged.find(question.id);
      if (reply != judged.end()) question.judge_reply = reply->second.text;
    }
  } else {
    take_judged_scores(data, answers, judged, &run);
  }
  return run;
}

// The evaluator's fields must not replace our own, so they are added only if the name is free.
std::string scores_text(const ScoredRun& run) {
  std::string text;
  for (const ScoredQuestion& question : run.questions) {
    Json line = {{"id", question.id}, {"score", question.score}};
    line["correct"] = question.correct ? Json(*question.correct) : Json();
    for (const auto& [name, value] : question.rule.fields.items()) {
      if (!line.contains(name)) line[name] = value;
    }
    if (question.rule.standard) line["standard"] = *question.rule.standard;
    if (!question.rule.quirks.empty()) line["quirks"] = question.rule.quirks;
    if (!question.rule.error.empty()) line["error"] = question.rule.error;
    if (!question.judge_reply.empty()) line["judge_reply"] = question.judge_reply;
    for (const Measure& measure : question.ranking) line["ranking"][measure.name] = measure.value;
    for (const auto& [name, value] : question.trace.splits) line["splits"][name] = value;
    text += dump_json(line) + "\n";
  }
  return text;
}

}  // namespace fineprint::bench
