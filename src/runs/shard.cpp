// Reads --shard, also from what job schedulers set, and divides by hashes of ids.
#include "fineprint/runs/shard.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

namespace fineprint::runs {
namespace {

[[noreturn]] void refuse_shard(const std::string& whole) {
  throw Error(ErrorCode::usage,
              format("--shard {}: expected I/N with 1 <= I <= N, slurm, or kubernetes/N", whole));
}

// All of `text` must be a number. `whole` is the option's text, for the message.
int parse_number(std::string_view text, const std::string& whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse_shard(whole);
  return value;
}

// Job arrays may start at any number and have any step, so the index is computed from both.
Shard slurm_shard(const std::function<std::string(const char*)>& environment) {
  const std::string id = environment("SLURM_ARRAY_TASK_ID");
  const std::string count = environment("SLURM_ARRAY_TASK_COUNT");
  const std::string first = environment("SLURM_ARRAY_TASK_MIN");
  const std::string step = environment("SLURM_ARRAY_TASK_STEP");
  if (id.empty() || count.empty()) {
    throw Error(ErrorCode::usage,
                "--shard slurm: SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT are not set; run "
                "inside a job array or give --shard I/N");
  }
  const int start = first.empty() ? 0 : parse_number(first, "slurm");
  const int stride = step.empty() ? 1 : std::max(1, parse_number(step, "slurm"));
  const int offset = parse_number(id, "slurm") - start;
  const Shard shard{offset / stride, parse_number(count, "slurm")};
  // An array with uneven steps (0,5,7) does not reveal which of its tasks this is.
  if (offset < 0 || offset % stride != 0 || shard.index >= shard.count) {
    throw Error(ErrorCode::usage,
                "--shard slurm: the SLURM_ARRAY_* variables contradict each "
                "other; give --shard I/N");
  }
  return shard;
}

// The pods of an indexed job know their index, but not how many there are.
Shard kubernetes_shard(std::string_view count, const std::string& whole,
                       const std::function<std::string(const char*)>& environment) {
  const std::string index = environment("JOB_COMPLETION_INDEX");
  if (index.empty()) {
    throw Error(ErrorCode::usage,
                format("--shard {}: JOB_COMPLETION_INDEX is not set; run inside a job with "
                       "completionMode: Indexed, or give --shard I/N",
                       whole));
  }
  const Shard shard{parse_number(index, whole), parse_number(count, whole)};
  if (shard.index < 0 || shard.index >= shard.count) {
    throw Error(ErrorCode::usage,
                format("--shard {}: JOB_COMPLETION_INDEX is {}, but must be 0 to {}; N must be "
                       "the job's number of completions",
                       whole, index, shard.count - 1));
  }
  return shard;
}

}  // namespace

Shard parse_shard(const std::string& text,
                  const std::function<std::string(const char*)>& environment) {
  if (text == "slurm") return slurm_shard(environment);
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) refuse_shard(text);
  const std::string_view rest = std::string_view(text).substr(slash + 1);
  if (text.starts_with("kubernetes/")) return kubernetes_shard(rest, text, environment);
  const int index = parse_number(std::string_view(text).substr(0, slash), text);
  const int count = parse_number(rest, text);
  if (index < 1 || index > count) refuse_shard(text);
  return {index - 1, count};
}

// The hash of the id decides, so that a question's shard does not depend on the order or number of
// other questions.
bool in_shard(const std::string& id, const Shard& shard) {
  return shard.count <= 1 ||
         checksum(std::string_view(id)) % static_cast<std::uint64_t>(shard.count) ==
             static_cast<std::uint64_t>(shard.index);
}

}  // namespace fineprint::runs
