// Lets a generator judge answers: extract the short answer, grade it, or decide whether it is
// right.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::bench {

// What the judge is asked about an answer.
enum class JudgeKind {
  none,
  extraction,         // the short answer, in MMLongBench-Doc's form of a reply
  tagged_extraction,  // the short answer, in LongDocURL's form of a reply
  grade,              // 1 to 5, where 4 and 5 are right
  binary,             // {"binary_correctness": 0 or 1}
};

// Returns the agent that judges in this way, which names its prompt file, for example
// "judges.binary". Throws Error(internal) for JudgeKind::none.
const char* judge_agent(JudgeKind kind);

// Returns the name of the kind in results and in files of replies: that of its agent without
// "judges.", for example "binary". Empty for JudgeKind::none.
std::string_view judge_kind_name(JudgeKind kind);

// Returns whether such a judge does not score: it turns a long answer into the short one that rules
// compare.
bool is_extracting(JudgeKind kind);

// The judge whose replies count, and the one that the benchmark's paper has.
struct JudgeKinds {
  JudgeKind used = JudgeKind::none;
  // Also the kind of replies that name none, because earlier versions knew no other.
  JudgeKind published = JudgeKind::none;
};

// Returns the gold answers, each of which is right: the list "answers" of the question's record if
// the gold answer is its first element, else the gold answer alone.
std::vector<std::string> gold_answers(const Question& question);

// Asks the session's generator with the prompts in configs/prompts/judges, or in `prompts`, like
// the agents of pipelines. Safe to use from several threads.
class Judge {
 public:
  // Throws what loading a prompt throws. `session` must outlive the object.
  Judge(const session::Session& session, JudgeKind kind, const std::string& prompts = {});
  // Returns the complete reply. Throws what the generator throws, and Error(interrupted).
  std::string ask(const Question& question, const Answer& answer) const;

 private:
  const session::Session& session_;
  JudgeKind kind_;
  std::string prompts_;
};

// What a judge replied about one answer.
struct JudgeReply {
  std::string judge;  // the generator's name
  std::string text;
};
// The replies by the ids of questions.
using JudgeReplies = std::map<std::string, JudgeReply>;

// Returns the last reply of the used kind in `file` about each of these answers. A reply about
// another answer to the same question is ignored. Returns none if the file does not exist. Throws
// Error(input) with file and line if a line is wrong.
JudgeReplies read_judged(const std::string& file, const std::vector<Answer>& answers,
                         const JudgeKinds& kinds);

// Who judges, and where its replies are kept.
struct Judging {
  std::string file;
  std::string judge;  // the generator's name
  JudgeKinds kinds;
  int workers = 1;
};

// Lets `ask` judge each answer whose last reply of the used kind is missing or from another judge,
// and appends a line for each, synced to disk: {"id", "answer", "judge", "kind", "judge_reply"}.
// Answers with an error are not judged. If there is no reply (Error(no_reply)), logs a warning, and
// the next run asks again. Other errors end the run.
void judge_answers(const Judging& judging, const std::vector<Question>& questions,
                   const std::vector<Answer>& answers,
                   const std::function<std::string(const Question&, const Answer&)>& ask);

}  // namespace fineprint::bench
