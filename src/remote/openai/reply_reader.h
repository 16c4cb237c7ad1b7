// Assembles a reply from the pieces that a chat completions server sends.
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
#include "fineprint/serving/thoughts.h"

namespace fineprint::remote {

// Thrown if a server's reply cannot be understood. The call may be repeated.
class BrokenReply : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using TopTokens = std::vector<std::pair<std::string, double>>;  // text, log-probability

class ReplyReader {
 public:
  explicit ReplyReader(const std::vector<std::string>& stop);

  // Reads the data of one event, or a complete reply that was not streamed. Bytes that are not
  // UTF-8 become U+FFFD. Throws BrokenReply, also if the data reports an error of the server, and
  // Error(input) if the service withholds the reply.
  void read(std::string_view data);
  // Returns whether a stop string has come, so that nothing more is wanted.
  bool stopped() const { return cutter_.stopped(); }
  // Returns the part of the reply that can no longer change, without thoughts.
  const std::string& text() const { return reply_.text; }
  // Returns whether the last read() found that the text so far was thoughts.
  bool took_back() const { return took_back_; }
  // Returns whether the server has reported how the reply ended.
  bool finished() const { return finished_ || stopped(); }
  // Returns the alternatives of the first token that is not white space, as the server lists them.
  // Empty if it does not.
  const TopTokens& first_top() const { return first_top_; }
  // Ends the reply and returns it.
  models::Reply take();

 private:
  void read_choice(const Json& choice);
  void read_text(const std::string& content);
  void read_log_probabilities(const Json& choice);
  void read_usage(const Json& usage);

  void count_thoughts();

  std::vector<std::string> stop_;
  serving::ThoughtFilter thoughts_;
  serving::StopCutter cutter_;
  models::Reply reply_;
  TopTokens first_top_;
  std::vector<std::size_t> token_sizes_;  // bytes of each of reply_.tokens
  std::size_t content_bytes_ = 0;         // of the content, with thoughts that are in it
  std::int64_t pieces_ = 0;               // of content and of thoughts in fields of their own
  std::int64_t thought_pieces_ = 0;
  bool took_back_ = false, finished_ = false;
};

// Returns the least entropy (nats) of a distribution whose likeliest entries have these
// log-probabilities: the rest is split into as few entries as possible. Returns NaN if `top` is
// empty. The last entry may be a drawn token that is less likely than others that are not listed,
// as llama.cpp adds it.
double least_entropy(const TopTokens& top);

// Returns the entropy (nats) of the kTopTokens likeliest entries, scaled to sum to 1, or NaN if
// fewer are given.
double top_entropy(const TopTokens& top);

// Returns the message in a server's error body, whatever its form, or the complete body if there is
// none.
std::string error_message(std::string_view body);

// Returns what a server said on one line of at most 300 characters.
std::string short_line(std::string_view said);

}  // namespace fineprint::remote
