// Ends a reply before a stop string, however the text is split into pieces.
#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/serving/sampling.h"

#include "serving/begun_mark.h"

namespace fineprint::serving {
namespace {

// Returns where the stop string that is complete first begins; npos if none is complete.
std::size_t first_stop(const std::string& text, const std::vector<std::string>& stop) {
  std::size_t first_end = std::string::npos, begin = std::string::npos;
  for (const std::string& word : stop) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) continue;
    const std::size_t end = at + word.size();
    if (end < first_end || (end == first_end && at < begin)) {
      first_end = end;
      begin = at;
    }
  }
  return begin;
}

// Returns the length of the longest end of `text` that begins one of the stop strings.
std::size_t open_length(std::string_view text, const std::vector<std::string>& stop) {
  std::size_t longest = 0;
  for (const std::string_view word : stop) longest = std::max(longest, begun_length(text, word));
  return longest;
}

}  // namespace

StopCutter::StopCutter(std::vector<std::string> stop) : stop_(std::move(stop)) {
  for (const std::string& word : stop_) {
    if (word.empty()) throw Error(ErrorCode::usage, "a stop string must not be empty");
  }
}

std::string StopCutter::push(std::string_view text) {
  if (stopped_) return {};
  held_ += text;
  const std::size_t begin = first_stop(held_, stop_);
  stopped_ = begin != std::string::npos;
  const std::size_t certain = stopped_ ? begin : held_.size() - open_length(held_, stop_);
  // Text after a stop string is dropped; text that may begin one waits for the next piece.
  std::string out = held_.substr(0, certain);
  held_.erase(0, stopped_ ? held_.size() : certain);
  return out;
}

std::string StopCutter::finish() { return std::exchange(held_, {}); }

}  // namespace fineprint::serving
