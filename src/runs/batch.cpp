// Answers with a pool of threads over the open questions, and writes one synced line for each
// answer.
#include "fineprint/runs/batch.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/runs/answer_file.h"

namespace fineprint::runs {
namespace {

// The destination of answers, line by line: the end of a file, or a function that prints them.
class AnswerLines {
 public:
  AnswerLines(const std::string& out, const std::function<void(const std::string&)>& print)
      : print_(print) {
    if (!print_) file_.emplace(out);  // takes the lock and removes an incomplete last line
  }

  // Safe to use from several threads.
  void add(const std::string& line) {
    if (file_) return file_->append(line);
    const std::lock_guard lock(mutex_);
    print_(line);
  }

 private:
  const std::function<void(const std::string&)>& print_;
  std::optional<LineAppender> file_;
  std::mutex mutex_;
};

// Returns the ids that `out` answers already. With `retry_failed`, an id whose last line is an
// error does not count.
std::set<std::string> finished_ids(const std::string& out, bool retry_failed) {
  std::set<std::string> done;
  if (!std::filesystem::exists(out)) return done;
  const AnswerFile file = read_answers(out);
  for (const Answer& answer : file.answers) {
    if (retry_failed && answer.error) {
      done.erase(answer.id);
    } else {
      done.insert(answer.id);
    }
  }
  return done;
}

// A failed question gets a line, too, so that a resumed run does not ask it again unless it should.
Answer failed_answer(const Question& question, ErrorCode code, const std::string& message) {
  Answer answer;
  answer.id = question.id;
  answer.question = question.text;
  answer.error = Failure{code, message};
  return answer;
}

// If this many questions in a row get no reply, the reason is the model and not the questions.
constexpr int kMostWithoutReply = 8;

// Returns whether every other question would fail for the same reason.
bool ends_the_run(ErrorCode code) {
  return code == ErrorCode::interrupted || code == ErrorCode::usage || code == ErrorCode::model;
}

[[noreturn]] void give_up(const Failure& last) {
  throw Error(ErrorCode::model,
              format("the model did not reply to {} questions in a row; the last error: {}. Check "
                     "the model's server; --retry-failed then asks these questions again",
                     kMostWithoutReply, last.message));
}

// Returns the answer, or a line that records why there is none.
Answer answer_or_failure(const Question& question,
                         const std::function<Answer(const Question&)>& answer) {
  try {
    return answer(question);
  } catch (const Error& error) {
    if (ends_the_run(error.code())) throw;
    return failed_answer(question, error.code(), error.what());
  } catch (const std::exception& error) {
    return failed_answer(question, ErrorCode::internal, error.what());
  }
}

// Returns the questions grouped by their documents, so that pages that were read are still in
// caches. Groups are in the order of their first question, and questions keep their order within a
// group.
std::vector<const Question*> grouped_by_documents(const std::vector<const Question*>& questions) {
  std::map<std::vector<std::string>, std::size_t> group_of;
  std::vector<std::vector<const Question*>> groups;
  for (const Question* question : questions) {
    const auto [entry, is_new] = group_of.try_emplace(question->docs, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(question);
  }
  std::vector<const Question*> ordered;
  for (const auto& group : groups) ordered.insert(ordered.end(), group.begin(), group.end());
  return ordered;
}

}  // namespace

BatchReport run_batch(const std::vector<Question>& questions, const std::string& out,
                      const BatchOptions& options,
                      const std::function<Answer(const Question&)>& answer) {
  const auto start = std::chrono::steady_clock::now();
  BatchReport report;
  AnswerLines lines(out, options.print);  // takes the lock before the file is read
  const std::set<std::string> done =
      options.print ? std::set<std::string>() : finished_ids(out, options.retry_failed);
  if (options.begun) options.begun();

  std::vector<const Question*> open;
  for (const Question& question : questions) {
    if (!in_shard(question.id, options.shard)) continue;
    ++report.questions;
    if (done.contains(question.id)) {
      ++report.skipped;
    } else {
      open.push_back(&question);
    }
  }
  if (report.skipped > 0)
    log::note("{} of {} questions are already answered", report.skipped, report.questions);
  open = grouped_by_documents(open);

  Progress progress("answering", "questions", static_cast<long>(open.size()));
  std::atomic<std::int64_t> failed{0}, answered{0};
  // Counts questions in a row across all threads.
  std::atomic<int> without_reply{0};
  parallel_for(open.size(), options.workers, [&](std::size_t i) {
    throw_if_interrupted();
    const Answer line = answer_or_failure(*open[i], answer);
    if (line.error) {
      ++failed;
      log::warn("question {}: {}", line.id, line.error->message);
    }
    ++answered;
    lines.add(to_json_line(line));
    progress.advance();
    if (!line.error) without_reply = 0;
    if (line.error && line.error->code == ErrorCode::no_reply) {
      if (++without_reply == kMostWithoutReply) give_up(*line.error);
    }
  });
  progress.finish();
  report.failed = failed;
  report.answered = answered - failed;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace fineprint::runs
