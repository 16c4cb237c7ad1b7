// Many questions in, one durable answer line each out; resumable and shardable.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::bench {

// Part `index` (from 0) of `count`; a question belongs to the part given by a hash of its id.
struct Shard {
  int index = 0;
  int count = 1;
};

// "I/N" with I from 1, "slurm" (SLURM_ARRAY_TASK_ID, _MIN, _COUNT), or "kubernetes/N" for an
// indexed job of N completions (JOB_COMPLETION_INDEX). Variables are handed in as `environment`.
// Throws Error(usage).
Shard parse_shard(const std::string& text,
                  const std::function<std::string(const char*)>& environment);
bool in_shard(const std::string& id, const Shard& shard);

struct BatchOptions {
  int workers = 1;
  Shard shard = {};
  bool retry_failed = false;  // questions whose last line is an error are asked again
  // Called once nobody else writes into the file any more, before the first question.
  std::function<void()> begun = {};
  // Given each line instead of the file, by one thread at a time: nothing was answered before.
  std::function<void(const std::string& line)> print = {};
};

struct BatchReport {
  std::int64_t questions = 0, answered = 0, skipped = 0, failed = 0;
  double seconds = 0;
};

// Answers every question of the shard that `out` does not hold yet and appends its line, synced,
// when it is done; with BatchOptions::print `out` is not looked at. Questions of the same documents
// are begun one behind the other, those that name none as one such group; no answer depends on this
// order. `answer` runs on several threads; an exception becomes an answer with `error` set, except
// Error(usage) and Error(model), which would befall every question and end the run, as eight
// questions in a row do that got Error(no_reply). Throws Error(interrupted) when the questions
// under way have ended; those whose calls could be cut short are not written.
BatchReport run_batch(const std::vector<Question>& questions, const std::string& out,
                      const BatchOptions& options,
                      const std::function<Answer(const Question&)>& answer);

struct ShardText {
  std::string file, text;  // where it comes from, for messages; what it holds
};

// Joins shard outputs: each id once, in the order of first appearance over the inputs. The same id
// twice with different lines throws Error(input), naming id and files, unless one of them is an
// error line, which gives way. Returns the number of lines written.
std::int64_t merge(const std::string& out, const std::vector<ShardText>& inputs);

}  // namespace fineprint::bench
