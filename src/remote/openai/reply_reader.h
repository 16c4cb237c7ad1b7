// Puts a reply together from the pieces that a chat completions server sends.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/models/generator.h"
#include "fineprint/serving/sampling.h"

namespace fineprint::remote {

// What a server sent cannot be understood; the call may be repeated.
class BrokenReply : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using TopTokens = std::vector<std::pair<std::string, double>>;  // text, log-probability

class ReplyReader {
 public:
  explicit ReplyReader(const std::vector<std::string>& stop);

  // One event's data, or a whole reply that was not streamed. Bytes that are no UTF-8 become
  // U+FFFD. Throws BrokenReply, also when the data tells of an error on the server's side, and
  // Error(input) for a reply that the service withholds.
  void read(std::string_view data);
  // A stop string has come: nothing more is wanted.
  bool stopped() const { return cutter_.stopped(); }
  // The reply as far as it is certain.
  const std::string& text() const { return reply_.text; }
  // Whether the server said how the reply ended.
  bool finished() const { return finished_ || stopped(); }
  // Of the first token that is not white space, as the server lists them; empty: it does not.
  const TopTokens& first_top() const { return first_top_; }
  // Closes the reply.
  models::Reply take();

 private:
  void read_choice(const Json& choice);
  void read_log_probabilities(const Json& choice);
  void read_usage(const Json& usage);

  serving::StopCutter cutter_;
  models::Reply reply_;
  TopTokens first_top_;
  std::int64_t pieces_ = 0;
  bool finished_ = false;
};

// The least entropy (nats) of a distribution whose likeliest entries have these log-probabilities:
// what they do not hold is split as coarsely as may be. NaN for none. The last entry may be a drawn
// token that is less likely than others that are not listed, as llama.cpp adds it.
double least_entropy(const TopTokens& top);

// The entropy (nats) of the kTopTokens likeliest entries, made to sum to 1; NaN when fewer are
// told.
double top_entropy(const TopTokens& top);

// The message in a server's error body, whatever its form; else all of it.
std::string error_message(std::string_view body);

// What a server said, on one line of at most 300 characters.
std::string short_line(std::string_view said);

}  // namespace fineprint::remote
