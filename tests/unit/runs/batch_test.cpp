// A batch stopped, torn, failing and resumed: each question ends up with exactly one line.
#include "fineprint/runs/batch.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/runs/merge.h"

#include "support/temp_dir.h"

namespace fineprint::runs {
namespace {

class Batch : public ::testing::Test {
 protected:
  void SetUp() override { log::set_level(log::Level::quiet); }
  void TearDown() override {
    set_interrupted(false);
    log::set_level(log::Level::normal);
  }

  BatchReport run(int count, const BatchOptions& options = {}) {
    return run_batch(numbered(count), out_, options,
                     [this](const Question& question) { return reply(question); });
  }

  static std::vector<Question> numbered(int count) {
    std::vector<Question> questions(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < questions.size(); ++i) {
      questions[i].id = "q" + std::to_string(i);
      questions[i].text = "What is number " + std::to_string(i) + "?";
    }
    return questions;
  }

  // Answers, and keeps count of who was asked.
  Answer reply(const Question& question) {
    {
      const std::lock_guard lock(mutex_);
      ++asked_[question.id];
    }
    if (failing_.contains(question.id)) throw Error(ErrorCode::store, "page 3 is damaged");
    Answer answer;
    answer.id = question.id;
    answer.question = question.text;
    answer.answer = "it is " + question.id;
    answer.answerable = true;
    return answer;
  }

  std::vector<Answer> lines() const {
    std::vector<Answer> answers;
    std::istringstream text(read_file(out_));
    for (std::string line; std::getline(text, line);) answers.push_back(parse_answer(line));
    return answers;
  }

  std::multiset<std::string> ids() const {
    std::multiset<std::string> ids;
    for (const Answer& answer : lines()) ids.insert(answer.id);
    return ids;
  }

  static std::multiset<std::string> all_ids(int count) {
    std::multiset<std::string> ids;
    for (const Question& question : numbered(count)) ids.insert(question.id);
    return ids;
  }

  testing::TempDir folder_;
  std::string out_ = folder_.file("answers.jsonl");
  std::set<std::string> failing_;
  std::map<std::string, int> asked_;
  std::mutex mutex_;
};

TEST_F(Batch, OneWorkerWritesInTheOrderOfTheQuestions) {
  const BatchReport report = run(5);
  EXPECT_EQ(report.questions, 5);
  EXPECT_EQ(report.answered, 5);
  EXPECT_EQ(report.skipped, 0);
  EXPECT_EQ(report.failed, 0);
  EXPECT_GE(report.seconds, 0);
  const std::vector<Answer> answers = lines();
  ASSERT_EQ(answers.size(), 5u);
  for (int i = 0; i < 5; ++i) {
    const Answer& answer = answers[static_cast<std::size_t>(i)];
    EXPECT_EQ(answer.id, "q" + std::to_string(i));
    EXPECT_EQ(answer.answer, "it is q" + std::to_string(i));
  }
}

TEST_F(Batch, QuestionsOfTheSameDocumentsAreAskedOneBehindTheOther) {
  std::vector<Question> questions = numbered(8);
  const std::vector<std::vector<std::string>> docs = {
      {"a.pdf"}, {}, {"b.pdf"}, {"a.pdf"}, {"a.pdf", "b.pdf"}, {}, {"b.pdf"}, {"a.pdf", "b.pdf"}};
  for (std::size_t i = 0; i < docs.size(); ++i) questions[i].docs = docs[i];
  const auto answer = [this](const Question& question) { return reply(question); };
  run_batch(questions, out_, {}, answer);
  const auto order = [this] {
    std::vector<std::string> ids;
    for (const Answer& line : lines()) ids.push_back(line.id);
    return ids;
  };
  EXPECT_EQ(order(), (std::vector<std::string>{"q0", "q3", "q1", "q5", "q2", "q6", "q4", "q7"}));

  // What is answered already opens no group.
  std::filesystem::remove(out_);
  run_batch({questions[0], questions[4]}, out_, {}, answer);
  run_batch(questions, out_, {}, answer);
  EXPECT_EQ(order(), (std::vector<std::string>{"q0", "q4", "q1", "q5", "q2", "q6", "q3", "q7"}));
}

TEST_F(Batch, SkipsIdsThatAreAnswered) {
  run(3);
  const BatchReport report = run(5);
  EXPECT_EQ(report.questions, 5);
  EXPECT_EQ(report.skipped, 3);
  EXPECT_EQ(report.answered, 2);
  EXPECT_EQ(ids(), all_ids(5));
  for (const auto& [id, times] : asked_) EXPECT_EQ(times, 1) << id;

  const std::string before = read_file(out_);
  EXPECT_EQ(run(5).skipped, 5);
  EXPECT_EQ(read_file(out_), before);
}

TEST_F(Batch, AsksAgainWhoseLineWasTorn) {
  run(4);
  const std::string whole = read_file(out_);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  // Killed while writing the last line: after its first byte, in the middle, before its newline.
  for (const std::size_t size : {last + 1, (last + whole.size()) / 2, whole.size() - 1}) {
    folder_.write("answers.jsonl", whole.substr(0, size));
    const BatchReport report = run(4);
    EXPECT_EQ(report.skipped, 3);
    EXPECT_EQ(report.answered, 1);
    EXPECT_EQ(read_file(out_), whole);
  }
}

TEST_F(Batch, ADamagedLineInTheMiddleIsAnErrorThatNamesIt) {
  folder_.write("answers.jsonl", "{\"id\":\"q0\",\"answer\":\"a\"}\n{\"id\":\n{}\n");
  try {
    run(4);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find(out_ + ":2"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(asked_.empty());
}

TEST_F(Batch, AnExceptionBecomesALineWithItsCode) {
  failing_ = {"q1"};
  const BatchReport report = run(3);
  EXPECT_EQ(report.answered, 2);
  EXPECT_EQ(report.failed, 1);
  const std::vector<Answer> answers = lines();
  ASSERT_EQ(answers.size(), 3u);
  ASSERT_TRUE(answers[1].error);
  EXPECT_EQ(answers[1].id, "q1");
  EXPECT_EQ(answers[1].question, "What is number 1?");
  EXPECT_EQ(answers[1].error->code, ErrorCode::store);
  EXPECT_EQ(answers[1].error->message, "page 3 is damaged");
  EXPECT_FALSE(answers[1].answerable);
  EXPECT_FALSE(answers[0].error || answers[2].error);
}

TEST_F(Batch, ForeignExceptionsAreInternalErrors) {
  run_batch(numbered(1), out_, {},
            [](const Question&) -> Answer { throw std::runtime_error("line one\nline \"two\""); });
  const std::vector<Answer> answers = lines();
  ASSERT_EQ(answers.size(), 1u);
  ASSERT_TRUE(answers[0].error);
  EXPECT_EQ(answers[0].error->code, ErrorCode::internal);
  EXPECT_EQ(answers[0].error->message, "line one\nline \"two\"");
}

TEST_F(Batch, WhatWouldBefallEveryQuestionEndsTheRun) {
  for (const ErrorCode code : {ErrorCode::usage, ErrorCode::model}) {
    int calls = 0;
    try {
      run_batch(numbered(5), out_, {}, [&](const Question&) -> Answer {
        ++calls;
        throw Error(code, "no such model");
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
    }
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(lines().empty());
  }
}

TEST_F(Batch, AModelThatFailsAtSomeQuestionsFailsThose) {
  const BatchReport report = run_batch(numbered(40), out_, {}, [&](const Question& question) {
    if (std::stoi(question.id.substr(1)) % 8 == 0) return reply(question);
    throw Error(ErrorCode::no_reply, "host says 500");
  });
  EXPECT_EQ(report.answered, 5);
  EXPECT_EQ(report.failed, 35);
  EXPECT_EQ(ids(), all_ids(40));
}

TEST_F(Batch, AModelThatNeverRepliesEndsTheRun) {
  int calls = 0;
  try {
    run_batch(numbered(20), out_, {}, [&](const Question& question) {
      if (++calls <= 5 || calls == 10) return reply(question);
      if (calls == 12) throw Error(ErrorCode::store, "page 3 is damaged");  // no call was made
      throw Error(ErrorCode::no_reply, "host says 500");
    });
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    EXPECT_NE(std::string(error.what()).find("host says 500"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--retry-failed"), std::string::npos) << error.what();
  }
  EXPECT_EQ(calls, 19);
  EXPECT_EQ(lines().size(), 19u);
  // What was not begun is open; what failed is open when wanted.
  EXPECT_EQ(run(20).answered, 1);
  EXPECT_EQ(run(20, {.retry_failed = true}).answered, 13);
}

TEST_F(Batch, FailuresAreAskedAgainOnlyWhenWanted) {
  failing_ = {"q0", "q2"};
  run(3);
  EXPECT_EQ(run(3).skipped, 3);  // a recorded failure is done
  failing_ = {"q2"};
  const BatchReport report = run(3, {.retry_failed = true});
  EXPECT_EQ(report.skipped, 1);
  EXPECT_EQ(report.answered, 1);
  EXPECT_EQ(report.failed, 1);
  EXPECT_EQ(asked_, (std::map<std::string, int>{{"q0", 2}, {"q1", 1}, {"q2", 2}}));
  // What failed once and was then answered is done.
  EXPECT_EQ(run(3, {.retry_failed = true}).skipped, 2);
  EXPECT_EQ(asked_["q0"], 2);
}

TEST_F(Batch, ManyWorkersWriteWholeLinesOnce) {
  constexpr int kQuestions = 200;
  for (int i = 0; i < kQuestions; i += 7) failing_.insert("q" + std::to_string(i));
  std::atomic<int> running{0}, most{0};
  const BatchReport report =
      run_batch(numbered(kQuestions), out_, {.workers = 4}, [&](const Question& question) {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        --running;
        return reply(question);
      });
  EXPECT_EQ(report.failed, static_cast<std::int64_t>(failing_.size()));
  EXPECT_EQ(report.answered + report.failed, kQuestions);
  EXPECT_EQ(ids(), all_ids(kQuestions));
  EXPECT_GT(most, 1);
  EXPECT_LE(most, 4);
}

TEST_F(Batch, AnInterruptionLeavesWholeLinesAndIsResumed) {
  constexpr int kQuestions = 40;
  std::atomic<int> count{0};
  try {
    run_batch(numbered(kQuestions), out_, {.workers = 3}, [&](const Question& question) {
      if (++count == 10) set_interrupted(true);
      return reply(question);
    });
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  // What was under way is written, nothing else was begun.
  EXPECT_EQ(ids().size(), asked_.size());
  EXPECT_GE(ids().size(), 10u);
  EXPECT_LE(ids().size(), 12u);

  set_interrupted(false);
  run(kQuestions);
  EXPECT_EQ(ids(), all_ids(kQuestions));
  for (const auto& [id, times] : asked_) EXPECT_EQ(times, 1) << id;
}

TEST_F(Batch, AnInterruptedQuestionIsNotRecordedAsFailed) {
  EXPECT_THROW(run_batch(numbered(1), out_, {},
                         [](const Question&) -> Answer {
                           throw Error(ErrorCode::interrupted, "interrupted");
                         }),
               Error);
  EXPECT_TRUE(lines().empty());
}

TEST_F(Batch, ShardsTogetherAreTheWholeAndMergeToIt) {
  constexpr int kQuestions = 30;
  run(kQuestions);
  const std::string unsharded = read_file(out_);
  std::vector<ShardText> parts;
  for (int index = 0; index < 3; ++index) {
    out_ = folder_.file("part" + std::to_string(index));
    const BatchReport report = run(kQuestions, {.shard = {index, 3}});
    EXPECT_EQ(report.questions, static_cast<std::int64_t>(ids().size()));
    parts.push_back({out_, read_file(out_)});
  }
  out_ = folder_.file("merged");
  EXPECT_EQ(merge(out_, parts), kQuestions);
  EXPECT_EQ(ids(), all_ids(kQuestions));
  std::multiset<std::string> merged_lines, unsharded_lines;
  std::istringstream merged(read_file(out_)), whole(unsharded);
  for (std::string line; std::getline(merged, line);) merged_lines.insert(line);
  for (std::string line; std::getline(whole, line);) unsharded_lines.insert(line);
  EXPECT_EQ(merged_lines, unsharded_lines);
}

TEST_F(Batch, ASecondBatchOnTheSameFileIsRefused) {
  const LineAppender other(out_);
  EXPECT_THROW(run(1), Error);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(Batch, NoQuestionsMakeAnEmptyFile) {
  EXPECT_EQ(run(0).questions, 0);
  EXPECT_EQ(read_file(out_), "");
}

}  // namespace
}  // namespace fineprint::runs
