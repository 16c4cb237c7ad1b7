// Language models that see: messages with page images in, replies out. Free of LibTorch.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/core/option.h"
#include "fineprint/core/stop.h"
#include "fineprint/grammar/json_schema.h"
#include "fineprint/models/prompt.h"

namespace fineprint::models {

// What a call is about. Prompts are laid out system, page images, task, then question: what begins
// alike is read once.
struct Request {
  std::vector<Message> messages;
  std::vector<SharedImage> images;
  // For backends that answer from a script, and for traces: who asks, and about what.
  std::string agent = {};
  std::string question = {};
  std::vector<std::string> pages = {};  // "report.pdf:3", one an image or fewer
};

// Absent values: as the model's generation_config.json says.
struct SamplingOptions {
  int max_new_tokens = 512;
  std::optional<double> temperature;  // 0: greedy
  std::optional<int> top_k;           // 0: all
  std::optional<double> top_p;
  std::optional<double> repetition_penalty;  // counts the prompt and its image slots too
  std::uint64_t seed = 0;
  std::vector<std::string> stop;  // the reply ends before the first of these
  // Called with each piece of the reply as soon as no stop string can begin in it any more.
  std::function<void(std::string_view)> on_text;
  // Looked at between the steps of reading and writing, and while a server is waited for: the reply
  // is then what was written so far, Finish::cancelled. Empty: a server's call throws
  // Error(interrupted) when the process is interrupted.
  StopToken stop_token = {};
};

const OptionTable<SamplingOptions>& sampling_options();

// How many of the likeliest tokens TokenScore::top_entropy looks at.
inline constexpr std::size_t kTopTokens = 10;

// A generated token under the model's own distribution (temperature 1, before any filter).
struct TokenScore {
  std::int64_t id = 0;
  double log_probability = 0;
  double entropy = 0;  // nats, over the whole vocabulary
  // Nats, over the kTopTokens likeliest tokens alone, their probabilities made to sum to 1: 0 to
  // log(kTopTokens). NaN when the backend does not tell.
  double top_entropy = std::numeric_limits<double>::quiet_NaN();
};

enum class Finish { end_token, stop_text, length, cancelled };

struct Reply {
  std::string text;
  std::vector<TokenScore> tokens;
  Finish finish = Finish::end_token;
  std::int64_t prompt_tokens = 0;
  std::int64_t image_tokens = 0;
  std::int64_t cached_tokens = 0;  // of prompt_tokens, those that did not have to be read again
  std::int64_t output_tokens = 0;  // tokens.size(), unless the backend tells only their number
  double prefill_ms = 0, decode_ms = 0;
};

// The probabilities of a closed set of replies, relative to each other; they sum to 1.
struct Choice {
  std::size_t best = 0;
  std::vector<double> probabilities;      // in the order of the candidates
  std::vector<double> log_probabilities;  // of each candidate's whole text under the model
  std::int64_t prompt_tokens = 0, image_tokens = 0, cached_tokens = 0;
};

// Safe to call from several threads.
class Generator {
 public:
  virtual ~Generator() = default;
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  // Throws Error(input) for a prompt over the model's positions or an image it cannot take.
  virtual Reply generate(const Request& request, const SamplingOptions& options) const = 0;
  // Reads the prompt once and scores every candidate after it. Throws Error(model) when the backend
  // gives no probabilities, and what throw_if_stopped does when it is stopped.
  virtual Choice choose(const Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const = 0;
  // false: it was found out that choose() throws whatever it is asked.
  virtual bool can_choose() const { return true; }
  Choice choose(const Request& request, std::span<const std::string> candidates) const {
    return choose(request, candidates, StopToken::of_process());
  }
  // A reply that is JSON of the schema. Local models decode under it, so that it always fits, also
  // at the token limit; Error(usage) when max_new_tokens are too few for the shortest value. Remote
  // ones are asked for it, and what they say may not fit: callers check.
  virtual Reply generate_json(const Request& request, const grammar::JsonSchema& schema,
                              const SamplingOptions& options) const = 0;
  // Where pages go when they leave this machine ("api.example.com"); empty: they stay.
  virtual std::string remote() const { return {}; }
  // false: it takes texts alone, and a request with images is refused.
  virtual bool sees() const { return true; }
  // How many tokens the model chooses from; 0: not known.
  virtual std::int64_t vocabulary() const { return 0; }
  // How many pixels of an image it looks at, larger ones being shrunk; 0: not known.
  virtual std::int64_t most_pixels() const { return 0; }
};

}  // namespace fineprint::models
