// Answers many questions and appends one durable line for each answer. A run can be resumed and
// divided into shards.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::bench {

// Part `index` (from 0) of `count`. A hash of a question's id decides to which part it belongs.
struct Shard {
  int index = 0;
  int count = 1;
};

// Returns the shard for "I/N" with I from 1, "slurm" (from SLURM_ARRAY_TASK_ID, _MIN, _COUNT), or
// "kubernetes/N" for an indexed job of N completions (from JOB_COMPLETION_INDEX). `environment`
// returns the value of a variable. For example, "2/4" is {1, 4}. Throws Error(usage) if the text
// has another form or a variable is missing.
Shard parse_shard(const std::string& text,
                  const std::function<std::string(const char*)>& environment);
// Returns whether the question or document with this id belongs to the shard.
bool in_shard(const std::string& id, const Shard& shard);

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
// the questions in progress have ended; those that were cut short are not written.
BatchReport run_batch(const std::vector<Question>& questions, const std::string& out,
                      const BatchOptions& options,
                      const std::function<Answer(const Question&)>& answer);

// The output of one shard.
struct ShardText {
  std::string file, text;  // its path, for messages; its contents
};

// Joins outputs of shards and writes them to `out`: each id once, in the order of first appearance.
// If an id has an error line and another line, the other line is kept. Throws Error(input) with the
// id and the files if an id has two different lines without errors. Returns the number of lines
// written.
std::int64_t merge(const std::string& out, const std::vector<ShardText>& inputs);

}  // namespace fineprint::bench
