// Asks a generator about answers, and keeps its replies.
#include "fineprint/bench/judge.h"

#include <filesystem>
#include <sstream>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/core/budget.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/core/trace.h"
#include "fineprint/metrics/extraction.h"

namespace fineprint::bench {

const char* judge_agent(JudgeKind kind) {
  switch (kind) {
    case JudgeKind::extraction:
      return "judges.extract";
    case JudgeKind::tagged_extraction:
      return "judges.extract_tagged";
    case JudgeKind::grade:
      return "judges.grade";
    case JudgeKind::binary:
      return "judges.binary";
    case JudgeKind::none:
      break;
  }
  // Callers ask only for kinds other than none.
  throw Error(ErrorCode::internal, "a judge of nothing");
}

std::string_view judge_kind_name(JudgeKind kind) {
  if (kind == JudgeKind::none) return {};
  const std::string_view agent = judge_agent(kind);
  return agent.substr(agent.find('.') + 1);
}

bool is_extracting(JudgeKind kind) {
  return kind == JudgeKind::extraction || kind == JudgeKind::tagged_extraction;
}

// In some records "answers" are the parts of one answer, and not alternatives; the gold answer is
// then something else than the first of them.
std::vector<std::string> gold_answers(const Question& question) {
  const std::string gold = question.answer.value_or("");
  const Json extra =
      question.extra_json.empty() ? Json::object() : Json::parse(question.extra_json);
  const auto listed = extra.find("answers");
  std::vector<std::string> references;
  if (listed != extra.end() && listed->is_array()) {
    for (const Json& one : *listed) {
      if (one.is_string()) references.push_back(one.get<std::string>());
    }
  }
  if (references.empty() || references.front() != gold) return {gold};
  return references;
}

namespace {

// Several references are numbered, which the prompts explain.
std::string reference_text(const Question& question) {
  const std::vector<std::string> references = gold_answers(question);
  if (references.size() == 1) return references.front();
  std::string text;
  for (std::size_t i = 0; i < references.size(); ++i) {
    text += format("{}{}. {}", i == 0 ? "" : "\n", i + 1, references[i]);
  }
  return text;
}

// Returns the problem of a reply, in words for the model.
std::optional<std::string> reply_problem(JudgeKind kind, std::string_view reply) {
  switch (kind) {
    case JudgeKind::extraction:
      if (!metrics::marked_extraction(reply)) return "the line \"Extracted answer:\" is missing";
      break;
    case JudgeKind::tagged_extraction:
      if (!metrics::tagged_extraction(reply))
        return "<concise_answer> or <answer_format> is missing";
      break;
    case JudgeKind::grade:
      if (reply.find_first_of("12345") == std::string_view::npos)
        return "the first line must be one digit from 1 to 5";
      break;
    case JudgeKind::binary:
    case JudgeKind::none:
      break;
  }
  return std::nullopt;
}

struct JudgedLine {
  std::string answer;  // the answer that was judged
  JudgeReply reply;
};
// The last line about each question, by its id.
using JudgedLines = std::map<std::string, JudgedLine>;

// Later lines replace earlier ones, because a new answer or judge appends a line. Replies of other
// kinds are left out.
JudgedLines read_judged_lines(const std::string& file, const JudgeKinds& kinds) {
  const std::string used(judge_kind_name(kinds.used));
  const std::string unnamed(judge_kind_name(kinds.published));
  JudgedLines judged;
  if (!std::filesystem::exists(file)) return judged;
  std::istringstream lines(read_file(file));
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    try {
      const Json record = parse_json(line, "record");
      if (record.value("kind", unnamed) != used) continue;
      judged[record.at("id").get<std::string>()] = {
          record.at("answer").get<std::string>(),
          {record.at("judge").get<std::string>(), record.at("judge_reply").get<std::string>()}};
    } catch (const std::exception& error) {
      if (lines.eof()) break;  // cut short by a crash: asked again
      throw Error(ErrorCode::input, format("{}:{}: {}", file, number, error.what()));
    }
  }
  return judged;
}

}  // namespace

// Loads the prompt once here, so that a missing one is reported before any question.
Judge::Judge(const session::Session& session, JudgeKind kind, const std::string& prompts)
    : session_(session), kind_(kind), prompts_(prompts) {
  agents::load_agent(judge_agent(kind), prompts);
}

// No budget and no pages: the judge sees only the question, the answer and, unless it extracts,
// the references.
std::string Judge::ask(const Question& question, const Answer& answer) const {
  Trace trace(false);
  Budget budget;
  session::Context context(session_, trace, budget);
  agents::Turn turn;
  turn.question = question.text;
  turn.values = {{.name = "answer", .text = answer.answer}};
  if (kind_ == JudgeKind::grade || kind_ == JudgeKind::binary) {
    turn.values.push_back({.name = "reference", .text = reference_text(question)});
  }
  turn.check = [this](std::string_view reply) { return reply_problem(kind_, reply); };
  return agents::call(context, agents::load_agent(judge_agent(kind_), prompts_), turn).text;
}

JudgeReplies read_judged(const std::string& file, const std::vector<Answer>& answers,
                         const JudgeKinds& kinds) {
  const JudgedLines judged = read_judged_lines(file, kinds);
  JudgeReplies replies;
  for (const Answer& answer : answers) {
    const auto found = judged.find(answer.id);
    // A reply about an earlier answer to the question does not count.
    if (found != judged.end() && found->second.answer == answer.answer) {
      replies[answer.id] = found->second.reply;
    }
  }
  return replies;
}

void judge_answers(const Judging& judging, const std::vector<Question>& questions,
                   const std::vector<Answer>& answers,
                   const std::function<std::string(const Question&, const Answer&)>& ask) {
  std::map<std::string, const Question*> by_id;
  for (const Question& question : questions) by_id[question.id] = &question;
  LineAppender lines(judging.file);  // takes the lock and removes an incomplete last line
  const JudgeReplies known = read_judged(judging.file, answers, judging.kinds);
  std::map<std::string, const Answer*> last;  // the last answer counts if several have one id
  for (const Answer& answer : answers) last[answer.id] = &answer;
  std::vector<const Answer*> open;
  for (const auto& [id, answer] : last) {
    const auto reply = known.find(id);
    // A reply of another judge is not reused, so that all scores of a file are by one judge.
    const bool is_known = reply != known.end() && reply->second.judge == judging.judge;
    if (by_id.contains(id) && !answer->error && !is_known) open.push_back(answer);
  }
  Progress progress("judging", "answers", static_cast<long>(open.size()));
  parallel_for(open.size(), judging.workers, [&](std::size_t i) {
    throw_if_interrupted();
    const Answer& answer = *open[i];
    try {
      lines.append(dump_json({{"id", answer.id},
                              {"answer", answer.answer},
                              {"judge", judging.judge},
                              {"kind", judge_kind_name(judging.kinds.used)},
                              {"judge_reply", ask(*by_id.at(answer.id), answer)}}));
    } catch (const Error& error) {
      // One failed call must not discard the replies of all others.
      if (error.code() != ErrorCode::no_reply) throw;
      log::warn("question {}: not judged: {}", answer.id, std::string_view(error.what()));
    }
    progress.advance();
  });
  progress.finish();
}

}  // namespace fineprint::bench
