// Answers many questions and appends one durable line for each answer. A run can be resumed and
// divided into shards.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/runs/shard.h"

namespace fineprint::runs {

// How a batch is run.
struct BatchOptions {
  int workers = 1;
  Shard shard = {};
  bool retry_failed = false;  // ask questions again whose last line is an error
  // Called before the first question, when the file is locked against other processes.
  std::function<void()> begun = {};
  // If set, gets each line instead of the file, from one thread at a time. All questions are then
  // answered.
  std::function<void(const std::string& line)> print = {};
};

// The results of a batch. `skipped` questions were answered by an earlier run.
struct BatchReport {
  std::int64_t questions = 0, answered = 0, skipped = 0, failed = 0;
  double seconds = 0;
};

// Answers every question of the shard that `out` does not contain yet, and appends its line, synced
// to disk, when it is done. With BatchOptions::print, `out` is not used.
// Questions about the same documents are started one after another, because their pages are then
// still in caches; questions without documents form one such group. No answer depends on this
// order.
// `answer` runs on several threads. An exception becomes an answer with `error` set, except
// Error(usage) and Error(model), which end the run because every question would fail in the same
// way. Eight questions in a row with Error(no_reply) end it, too. Throws Error(interrupted) after
// the questions in progress have ended; questions that were cut short are not written.
BatchReport run_batch(const std::vector<Question>& questions, const std::string& out,
                      const BatchOptions& options,
                      const std::function<Answer(const Question&)>& answer);

}  // namespace fineprint::runs
