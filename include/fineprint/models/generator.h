// The interface of generators: messages with page images in, replies out. Does not use LibTorch.
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

// One call: its messages and images. Prompts are laid out in the order system message, page images,
// task, question, so that prompts with the same beginning are read only once.
struct Request {
  std::vector<Message> messages;
  std::vector<SharedImage> images;
  // For traces, and for backends that answer from a script: the agent that asks, and the question.
  std::string agent = {};
  std::string question = {};
  std::vector<std::string> pages = {};  // for example "report.pdf:3"; at most one for each image
  // The text of the only message is the prompt as it is, special tokens included: no chat template
  // is written around it. Only for models that run here, and without images.
  bool raw = false;
};

// How a reply is sampled. Values that are not set come from the model's generation_config.json.
struct SamplingOptions {
  int max_new_tokens = 512;
  std::optional<double> temperature;  // 0: greedy
  std::optional<int> top_k;           // 0: all
  std::optional<double> top_p;
  std::optional<double> repetition_penalty;  // applies to the prompt and its image slots too
  std::uint64_t seed = 0;
  std::vector<std::string> stop;  // the reply ends before the first of these strings
  // Called with each piece of the reply as soon as it is certain that no stop string begins in it.
  std::function<void(std::string_view)> on_text;
  // Checked between steps and while waiting for a server. If it is set, the reply is what was
  // written so far, with Finish::cancelled. If it is empty and the process is interrupted, a call
  // to a server throws Error(interrupted).
  StopToken stop_token = {};
};

// Returns the options of sampling for the command line and for presets.
const OptionTable<SamplingOptions>& sampling_options();

// Number of most likely tokens that TokenScore::top_entropy covers.
inline constexpr std::size_t kTopTokens = 10;

// A generated token under the model's own distribution (temperature 1, before any filter).
struct TokenScore {
  std::int64_t id = 0;
  double log_probability = 0;
  double entropy = 0;  // in nats, over the whole vocabulary
  // Entropy in nats of the kTopTokens most likely tokens, with their probabilities scaled to sum 1:
  // from 0 to log(kTopTokens). NaN if the backend does not report it.
  double top_entropy = std::numeric_limits<double>::quiet_NaN();
};

// Why a reply ended.
enum class Finish { end_token, stop_text, length, cancelled };

// The reply of a generator, with counts and times of the call.
struct Reply {
  std::string text;
  std::vector<TokenScore> tokens;
  Finish finish = Finish::end_token;
  std::int64_t prompt_tokens = 0;
  std::int64_t image_tokens = 0;
  std::int64_t cached_tokens = 0;  // of prompt_tokens, those found in the prefix cache
  // All tokens that were written: thoughts and tokens.size(), unless the backend reports only the
  // number.
  std::int64_t output_tokens = 0;
  // How many of output_tokens the model wrote before its reply to think
  // (serving::ThoughtFilter). Neither `text` nor `tokens` has them. 1 if there were thoughts and
  // the backend gives no number.
  std::int64_t thought_tokens = 0;
  // Tokens that were proposed by the text before them and read with it, and those of them that the
  // model would have written itself (serving::PromptLookup). The others cost time only.
  std::int64_t proposed_tokens = 0, accepted_tokens = 0;
  double prefill_ms = 0, decode_ms = 0;
};

// Returns why a reply has no text, for example "the reply is empty: 256 tokens went into thinking;
// ...". Returns an empty string if it has text or was cancelled.
std::string why_empty(const Reply& reply);

// The probabilities of a closed set of replies, relative to each other; they sum to 1. For example,
// the candidates may be "yes" and "no".
struct Choice {
  std::size_t best = 0;
  std::vector<double> probabilities;      // in the order of the candidates
  std::vector<double> log_probabilities;  // of each candidate's whole text under the model
  std::int64_t prompt_tokens = 0, image_tokens = 0, cached_tokens = 0;
};

// A language model, local or on a server. Thread-safe.
class Generator {
 public:
  virtual ~Generator() = default;
  // Name for people, and a hash of weights and configuration.
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  // Writes a reply. Throws Error(input) if the prompt has more tokens than the model has positions,
  // or if the model cannot take one of the images.
  virtual Reply generate(const Request& request, const SamplingOptions& options) const = 0;
  // Reads the prompt once and scores every candidate after it. Throws Error(model) if the backend
  // gives no probabilities. If stopped, throws what throw_if_stopped throws.
  virtual Choice choose(const Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const = 0;
  // Returns false if it is known that choose() always throws.
  virtual bool can_choose() const { return true; }
  Choice choose(const Request& request, std::span<const std::string> candidates) const {
    return choose(request, candidates, StopToken::of_process());
  }
  // Writes a reply that is JSON of the schema. Local models decode under a JsonConstraint, so that
  // the reply always fits, even at the token limit; Error(usage) if max_new_tokens is too small for
  // the shortest value. Servers are only asked for it, so callers must check their replies.
  virtual Reply generate_json(const Request& request, const grammar::JsonSchema& schema,
                              const SamplingOptions& options) const = 0;
  // Returns the host that pages are sent to, for example "api.example.com"; empty if they stay on
  // this machine.
  virtual std::string remote() const { return {}; }
  // Returns false if the model takes only texts; a request with images is then refused.
  virtual bool sees() const { return true; }
  // Returns the size of the vocabulary; 0 if unknown.
  virtual std::int64_t vocabulary() const { return 0; }
  // Returns the number of pixels to which larger images are shrunk; 0 if unknown.
  virtual std::int64_t most_pixels() const { return 0; }
};

}  // namespace fineprint::models
