// Generates replies of a vision-language model. Calls of several threads are read together.
#include "nets/generation/generator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/grammar/json_constraint.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/generation/reply_steps.h"
#include "nets/generation/reply_writer.h"
#include "nets/weights/own_thread.h"

namespace fineprint::nets {
namespace {

using Clock = std::chrono::steady_clock;

double ms_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - start).count();
}

// Returns `spec`. Throws Error(model) if the model only makes vectors.
const models::ModelSpec& require_replies(const models::ModelSpec& spec) {
  if (!spec.head.generates) {
    throw Error(ErrorCode::model, format("{}: {} models make vectors and cannot write replies; "
                                         "choose another model with --generator",
                                         spec.dir, spec.family));
  }
  if (spec.head.pooling == models::Pooling::every_token) {
    log::warn("{} was trained to find pages, not to write; its replies may be poor", spec.name);
  }
  return spec;
}

// Reported with each reply, because images often take most of a prompt.
std::int64_t image_tokens(const Sequence& sequence) {
  const auto& is_image = sequence.prompt().tokens.is_image;
  return std::count(is_image.begin(), is_image.end(), 1);
}

// Returns true if the longer list begins with the shorter one.
bool begins(const std::vector<std::int64_t>& longer, const std::vector<std::int64_t>& shorter) {
  return longer.size() > shorter.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

// Forks a sequence after its prompt and appends all tokens of a candidate except the last: each
// token's logits give the odds of the next one. Returns nullptr for a candidate of one token,
// because the prompt's own logits give its odds.
std::unique_ptr<Sequence> fork_with(const Sequence& prompt, std::span<const std::int64_t> ids) {
  if (ids.size() == 1) return nullptr;
  std::unique_ptr<Sequence> fork = prompt.fork();
  for (const std::int64_t id : ids.first(ids.size() - 1)) fork->append(id);
  return fork;
}

double log_probability(const Sequence& prompt, const Sequence* fork,
                       std::span<const std::int64_t> ids) {
  double total = serving::score_token(prompt.logits().row(0), ids[0]).log_probability;
  for (std::size_t t = 1; t < ids.size(); ++t) {
    total += serving::score_token(fork->logits().row(t - 1), ids[t]).log_probability;
  }
  return total;
}

}  // namespace

NativeGenerator::NativeGenerator(const models::ModelSpec& spec, const Device& device,
                                 const serving::PrefixCacheOptions& keep,
                                 const serving::LookupOptions& lookup)
    : lookup_(lookup),
      model_(require_replies(spec), device),
      prefixes_(model_, keep),
      network_(model_, prefixes_),
      engine_(network_, {.threads = device.threads}) {
  // Kept states are forks within the same memory, so it must be at least as large as the cache.
  model_.decoder().set_state_bytes(static_cast<std::int64_t>(keep.cache_bytes));
}

models::Reply NativeGenerator::generate(const models::Request& request,
                                        const models::SamplingOptions& options) const {
  return with_all_errors(name(), [&] { return reply_to(request, options, nullptr); });
}

models::Choice NativeGenerator::choose(const models::Request& request,
                                       std::span<const std::string> candidates,
                                       const StopToken& stop_token) const {
  return with_all_errors(name(), [&] { return score(request, candidates, stop_token); });
}

models::Reply NativeGenerator::generate_json(const models::Request& request,
                                             const grammar::JsonSchema& schema,
                                             const models::SamplingOptions& options) const {
  return with_all_errors(name(), [&] { return reply_to(request, options, &schema); });
}

std::shared_ptr<const grammar::TokenTrie> NativeGenerator::trie() const {
  // Made on first use: it takes time, and only replies with a schema need it.
  std::call_once(trie_made_, [this] {
    trie_ = grammar::make_token_trie(model_.tokenizer(),
                                     static_cast<std::size_t>(model_.decoder_spec().vocab_size),
                                     model_.spec().generation.end_tokens);
  });
  return trie_;
}

void NativeGenerator::run(std::span<const serving::EngineCall> calls,
                          const PromptTokens& prompt) const {
  try {
    engine_.run(calls);
  } catch (...) {
    // A failed call may leave states that wait for the shelf; nobody else would free them.
    prefixes_.let_go(prompt.fork_points);
    throw;
  }
  if (!prefixes_.has_shelf()) return;
  try {
    on_own_thread([&] {
      const Running running(model_.device());
      with_all_errors(name(), [&] { prefixes_.shelve(prompt.fork_points); });
    });
  } catch (const Error& error) {  // the reply is complete without it
    log::warn("cannot keep the state of a page; it will be read again: {}", error.what());
  }
  prefixes_.let_go(prompt.fork_points);
}

models::Reply NativeGenerator::reply_to(const models::Request& request,
                                        const models::SamplingOptions& options,
                                        const grammar::JsonSchema* schema) const {
  const auto start = Clock::now();
  Sequence sequence(prompt_tokens(model_, prefixes_, request));
  const std::int64_t room = model_.decoder_spec().max_positions - sequence.prompt_length();
  const std::int64_t limit = std::min<std::int64_t>(options.max_new_tokens, room);
  std::optional<grammar::JsonConstraint> constraint;
  if (schema != nullptr) {
    constraint.emplace(trie(), *schema);
    const auto shortest = static_cast<std::int64_t>(constraint->shortest());
    if (room < shortest) {
      throw Error(
          ErrorCode::input,
          format("{}: after a prompt of {} tokens the model has room for {} more, but the shortest "
                 "reply that fits the schema takes up to {}; use fewer or smaller images",
                 name(), sequence.prompt_length(), std::max<std::int64_t>(room, 0), shortest));
    }
    if (limit < shortest) {
      throw Error(ErrorCode::usage,
                  format("the shortest reply that fits the schema takes up to {} tokens, but at "
                         "most {} may be written; raise max-new-tokens",
                         shortest, limit));
    }
  }
  ReplyWriter writer(model_.spec(), model_.tokenizer(), options, limit,
                     constraint ? &*constraint : nullptr);
  // The first call of `next` comes when the prompt has been read, which ends the prefill time.
  for (const std::int64_t id : sequence.prompt().tokens.ids) writer.saw(id);
  std::optional<Clock::time_point> read;
  ReplySteps steps(sequence, writer, options, lookup_.on);
  const auto next = [&] {
    if (!read) read = Clock::now();
    return steps.next();
  };
  const serving::EngineCall call{&sequence, next, options.stop_token};
  run({&call, 1}, sequence.prompt());
  const auto end = Clock::now();
  writer.finish();
  models::Reply& reply = writer.reply();
  steps.count(&reply);
  // A call that ended just as it was stopped keeps its real reason.
  const bool ended = reply.finish != models::Finish::length || reply.output_tokens >= limit;
  if (!ended && options.stop_token.stop_requested()) {
    reply.finish = models::Finish::cancelled;
  }
  reply.prompt_tokens = sequence.prompt_length();
  reply.image_tokens = image_tokens(sequence);
  reply.cached_tokens = sequence.cached_tokens();
  reply.prefill_ms = ms_between(start, read.value_or(end));
  reply.decode_ms = ms_between(read.value_or(end), end);
  return std::move(reply);
}

std::vector<std::vector<std::int64_t>> NativeGenerator::tokens_of(
    std::span<const std::string> candidates) const {
  std::vector<std::vector<std::int64_t>> all;
  for (const std::string& candidate : candidates) {
    std::vector<std::int64_t> ids;
    for (const tokenizer::Token& token : model_.tokenizer().encode(candidate, false)) {
      model_.check_token(token.id);
      ids.push_back(token.id);
    }
    if (ids.empty()) throw Error(ErrorCode::usage, "a reply to choose from has no text");
    all.push_back(std::move(ids));
  }
  // If a reply is the beginning of another one, it counts only if the model ends it there. For
  // example, "no" competes with "not answerable".
  const auto& ends = model_.spec().generation.end_tokens;
  const std::vector<std::vector<std::int64_t>> bare = all;
  for (std::size_t i = 0; i < bare.size() && !ends.empty(); ++i) {
    const bool open = std::any_of(bare.begin(), bare.end(),
                                  [&](const auto& other) { return begins(other, bare[i]); });
    if (open) all[i].push_back(ends.front());
  }
  return all;
}

models::Choice NativeGenerator::score(const models::Request& request,
                                      std::span<const std::string> candidates,
                                      const StopToken& stop_token) const {
  if (candidates.empty()) throw Error(ErrorCode::usage, "no candidate replies are given");
  const std::vector<std::vector<std::int64_t>> ids = tokens_of(candidates);
  Sequence prompt(prompt_tokens(model_, prefixes_, request));
  std::vector<std::unique_ptr<Sequence>> forks;
  // Forks are made while the engine still holds the prompt's state; it is released afterwards.
  const auto fork = [&] {
    for (const auto& candidate : ids) forks.push_back(fork_with(prompt, candidate));
    return false;
  };
  const serving::EngineCall reading{&prompt, fork, stop_token};
  run({&reading, 1}, prompt.prompt());
  throw_if_stopped(stop_token);
  std::vector<serving::EngineCall> calls;
  for (const auto& one : forks) {
    if (one) calls.push_back({one.get(), [] { return false; }, stop_token});
  }
  if (!calls.empty()) run(calls, prompt.prompt());
  throw_if_stopped(stop_token);
  models::Choice choice;
  choice.prompt_tokens = prompt.prompt_length();
  choice.image_tokens = image_tokens(prompt);
  choice.cached_tokens = prompt.cached_tokens();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    choice.log_probabilities.push_back(log_probability(prompt, forks[i].get(), ids[i]));
  }
  const auto best =
      std::max_element(choice.log_probabilities.begin(), choice.log_probabilities.end());
  choice.best = static_cast<std::size_t>(best - choice.log_probabilities.begin());
  // The largest is subtracted first, so that exp cannot underflow for all of them.
  double sum = 0;
  for (const double p : choice.log_probabilities) sum += std::exp(p - *best);
  for (const double p : choice.log_probabilities) {
    choice.probabilities.push_back(std::exp(p - *best) / sum);
  }
  return choice;
}

bool NativeGenerator::sees() const { return model_.spec().sees(); }

// 0 says that the model takes no images.
std::int64_t NativeGenerator::most_pixels() const {
  const models::ModelSpec& spec = model_.spec();
  return spec.sees() ? preprocess::most_pixels(spec.processor) : 0;
}

}  // namespace fineprint::nets
