// Generates replies of a vision-language model. Calls of several threads are read together.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/models/generator.h"
#include "fineprint/serving/engine.h"
#include "fineprint/serving/prefix_cache.h"
#include "fineprint/serving/prompt_lookup.h"

#include "nets/generation/prefix_cache.h"
#include "nets/generation/sequence_network.h"
#include "nets/multimodal.h"

namespace fineprint::grammar {
class TokenTrie;
}

namespace fineprint::nets {

// A generator whose network runs in this process. models/generator.h gives the contracts; calls
// from several threads are safe.
class NativeGenerator final : public models::Generator {
 public:
  // Throws Error(model) if the model cannot write or its weights cannot be read.
  NativeGenerator(const models::ModelSpec& spec, const Device& device,
                  const serving::PrefixCacheOptions& keep = {},
                  const serving::LookupOptions& lookup = {});

  std::string name() const override { return model_.spec().name; }
  std::string hash() const override { return model_.hash(); }
  std::int64_t vocabulary() const override { return model_.decoder_spec().vocab_size; }
  std::int64_t most_pixels() const override;
  bool sees() const override;
  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override;
  using Generator::choose;
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override;
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema& schema,
                              const models::SamplingOptions& options) const override;

 private:
  models::Reply reply_to(const models::Request& request, const models::SamplingOptions& options,
                         const grammar::JsonSchema* schema) const;
  // Returns the odds of each candidate as a reply.
  models::Choice score(const models::Request& request, std::span<const std::string> candidates,
                       const StopToken& stop_token) const;
  // Returns the tokens of each candidate, with an end token where one candidate begins another.
  std::vector<std::vector<std::int64_t>> tokens_of(std::span<const std::string> candidates) const;
  // Lets the engine make the calls, which all begin with `prompt`, and puts new states of the
  // prompt on the shelf. A sequence has its state while its `next` runs; afterwards it is released.
  void run(std::span<const serving::EngineCall> calls, const PromptTokens& prompt) const;
  std::shared_ptr<const grammar::TokenTrie> trie() const;

  const serving::LookupOptions lookup_;
  Multimodal model_;
  mutable PrefixCache prefixes_;
  mutable SequenceNetwork network_;
  mutable serving::Engine engine_;
  mutable std::once_flag trie_made_;
  mutable std::shared_ptr<const grammar::TokenTrie> trie_;
};

}  // namespace fineprint::nets
