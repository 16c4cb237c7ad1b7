// A generator that looks at answers: extracts the short one, grades it, or says whether it is
// right.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::bench {

// What is asked about an answer.
enum class JudgeKind {
  none,
  extraction,         // the short answer, in MMLongBench-Doc's form of a reply
  tagged_extraction,  // the same in LongDocURL's
  grade,              // 1 to 5, of which 4 and 5 are right
  binary,             // {"binary_correctness": 0 or 1}
};

// "judges.binary", ...: every prompt that a judge may ask by.
std::vector<std::string> judge_agents();

// Asks the session's generator by the prompts in configs/prompts/judges (or in `prompts`, as the
// agents of pipelines do). Safe to use from several threads.
class Judge {
 public:
  // Throws what loading a prompt does.
  Judge(const session::Session& session, JudgeKind kind, const std::string& prompts = {});
  // The reply as it came. Throws what the generator throws, and Error(interrupted).
  std::string ask(const Question& question, const Answer& answer) const;

 private:
  const session::Session& session_;
  JudgeKind kind_;
  std::string prompts_;
};

struct JudgeReply {
  std::string judge;  // which generator it was
  std::string text;
};
// By the ids of questions.
using JudgeReplies = std::map<std::string, JudgeReply>;

// The replies that `file` has about these very answers, the last about each; none where there is no
// such file. Throws Error(input) naming file and line.
JudgeReplies read_judged(const std::string& file, const std::vector<Answer>& answers);

// Has each answer judged that `file` has no last reply of this judge about, and appends a synced
// line for each: {"id", "answer", "judge", "judge_reply"}. Answers with an error are not judged.
// Where no reply is got (Error(no_reply)) a warning says so, and the next run asks again; other
// errors end the run.
void judge_answers(const std::string& file, const std::string& judge,
                   const std::vector<Question>& questions, const std::vector<Answer>& answers,
                   int workers,
                   const std::function<std::string(const Question&, const Answer&)>& ask);

}  // namespace fineprint::bench
