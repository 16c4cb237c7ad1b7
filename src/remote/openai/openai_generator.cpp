// Calls a chat completions server until it has replied.
#include "remote/openai/openai_generator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"

#include "remote/openai/cut_prompt.h"
#include "remote/openai/first_token.h"
#include "remote/openai/pause.h"
#include "remote/openai/several_servers.h"

namespace fineprint::remote {
namespace {

// Hosted services list hundreds of models, so the message names only some.
std::string listed_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 20;
  const std::string list =
      join_texts(std::span(names).first(std::min(kMostNamed, names.size())), ", ");
  return names.size() > kMostNamed ? format("{}, and {} more", list, names.size() - kMostNamed)
                                   : list;
}

}  // namespace

std::string only_model(const std::string& spec, const ServerAddress& address,
                       const OpenAiOptions& options) {
  const std::string host = address.host_and_port();
  const std::vector<std::string> names = ChatServer(address, options).models();
  if (names.empty()) {
    throw Error(ErrorCode::model, format("{} has no model; load one on the server first", host));
  }
  if (names.size() > 1) {
    const bool takes_hash = spec.find("//") != std::string::npos && !spec.ends_with('#');
    throw Error(ErrorCode::usage,
                format("{} has several models: {}; name one, for example {}{}{}", host,
                       listed_names(names), spec, takes_hash ? "#" : "", names.front()));
  }
  log::note("{} has one model, {}; using it", host, names.front());
  return names.front();
}

bool names_server(std::string_view spec) { return is_address(spec); }

OpenAiGenerator::OpenAiGenerator(const ServerAddress& address, const OpenAiOptions& options,
                                 Waiting waiting)
    : server_(address, options),
      retries_(options.retries),
      pictures_(options.pictures),
      sent_(options.sent),
      waiting_(std::move(waiting)) {}

std::string OpenAiGenerator::hash() const {
  // The server does not reveal which weights it serves, so the address and the name have to do.
  const ServerAddress& at = server_.address();
  return content_hash(format("openai:{}://{}{}#{}", at.tls ? "https" : "http", at.host_and_port(),
                             at.base_path, at.model));
}

Habits OpenAiGenerator::habits() const {
  const std::lock_guard lock(mutex_);
  return habits_;
}

void OpenAiGenerator::keep_habits(const Habits& found) const {
  const std::lock_guard lock(mutex_);
  const Habits habits = common_habits(habits_, found);
  if (habits == habits_) return;
  habits_ = habits;
  log::debug("{}: log-probabilities {}, stream_options {}, seed {}, JSON mode {}",
             server_.address().host_and_port(), habits.top_log_probabilities, habits.stream_options,
             habits.seed, static_cast<int>(habits.json));
}

// Warned of once, because all long prompts of a run are cut.
void OpenAiGenerator::report_cut(const models::Request& request, const models::Reply& reply) const {
  if (!was_cut(request, reply) || reported_cut_.exchange(true)) return;
  log::warn(
      "{} read {} tokens of a prompt of at least {}: it has cut the prompt, so answers may lack "
      "what "
      "stood in the rest; give the model a larger context (Ollama: num_ctx, llama.cpp: -c), or "
      "show "
      "it less (-k)",
      server_.address().host_and_port(), reply.prompt_tokens, least_tokens(request));
}

// Every attempt counts, because each one sends the pages again.
void OpenAiGenerator::record_pages(const models::Request& request) const {
  if (!sent_) return;
  for (std::size_t i = 0; i < request.images.size(); ++i) {
    sent_->add(i < request.pages.size() ? request.pages[i] : "(unnamed)",
               server_.address().host_and_port());
  }
}

bool OpenAiGenerator::pause(const Attempt& failed, int failures,
                            const models::SamplingOptions& options) const {
  return pause_before_next(server_.address().host_and_port(), failed, failures, {retries_, met_},
                           waiting_, [&] { return stop_wanted(options); });
}

// Returns the features to use for the next body: fewer if the failure is about the body, else
// `taken` itself.
Habits OpenAiGenerator::milder(const Habits& taken, const Attempt& failed, bool wants_json) {
  if (failed.kind != Attempt::Kind::unsuitable && !failed.about_body) return taken;
  const Habits less = without_named(taken, failed.problem);
  // A refusal that names no feature may still be about the schema, which servers support least.
  const bool unnamed = less == taken && wants_json && failed.kind == Attempt::Kind::unsuitable;
  return unnamed ? with_next_json(taken) : less;
}

Attempt OpenAiGenerator::attempt_with(const std::string& body, const models::Request& request,
                                      const models::SamplingOptions& options,
                                      ShownText* shown) const {
  try {
    Attempt attempt = server_.attempt(body, options, shown);
    if (attempt.reached) {
      met_ = true;
      record_pages(request);
    }
    return attempt;
    // The pages may have reached the server before the failure, so they count as sent.
  } catch (...) {
    record_pages(request);
    throw;
  }
}

Answered OpenAiGenerator::ask(const models::Request& request,
                              const models::SamplingOptions& options,
                              const grammar::JsonSchema* schema, Habits* taken) const {
  const std::vector<std::string> pictures = data_urls(request.images, pictures_);
  const ChatCall call{server_.address().model, request, options, pictures, schema};
  ShownText shown(options);
  *taken = habits();
  for (int failures = 0;;) {
    Attempt attempt = attempt_with(chat_body(call, *taken), request, options, &shown);
    if (attempt.kind == Attempt::Kind::replied) {
      keep_habits(*taken);
      shown.end(attempt.answered.reply.text);
      report_cut(request, attempt.answered.reply);
      return std::move(attempt.answered);
    }
    // Fewer features are tried at once and without counting as a failure: the server is working and
    // only refused the body.
    const Habits less = milder(*taken, attempt, schema != nullptr);
    if (less != *taken) {
      *taken = less;
      continue;
    }
    const bool go_on =
        attempt.kind != Attempt::Kind::cancelled && pause(attempt, ++failures, options);
    if (go_on) continue;
    // A caller that stops gets the text so far; an interrupt of the program is an error.
    if (!options.stop_token.stop_requested()) throw_if_interrupted();
    attempt.answered.reply.finish = models::Finish::cancelled;
    return std::move(attempt.answered);
  }
}

models::Reply OpenAiGenerator::generate(const models::Request& request,
                                        const models::SamplingOptions& options) const {
  Habits taken;
  return ask(request, options, nullptr, &taken).reply;
}

models::Choice OpenAiGenerator::choose(const models::Request& request,
                                       std::span<const std::string> candidates,
                                       const StopToken& stop_token) const {
  models::SamplingOptions options;
  options.max_new_tokens = 1;
  options.stop_token = stop_token;
  Habits taken;
  const Answered answered = ask(request, options, nullptr, &taken);
  if (answered.reply.finish == models::Finish::cancelled) throw_if_stopped(stop_token);
  if (answered.first_top.empty()) {
    tells_no_probabilities_ = true;
    throw Error(ErrorCode::model,
                format("{} returns no probabilities of tokens (top_logprobs); use a server that "
                       "does, for example vLLM, SGLang or llama.cpp's, or a model that runs here",
                       server_.address().host_and_port()));
  }
  models::Choice choice = choice_of_first_token(answered.first_top, candidates);
  choice.prompt_tokens = answered.reply.prompt_tokens;
  choice.image_tokens = answered.reply.image_tokens;
  choice.cached_tokens = answered.reply.cached_tokens;
  return choice;
}

models::Reply OpenAiGenerator::generate_json(const models::Request& request,
                                             const grammar::JsonSchema& schema,
                                             const models::SamplingOptions& options) const {
  models::SamplingOptions silent = options;
  silent.on_text = nullptr;  // the reply may be requested again in another JsonMode
  for (;;) {
    Habits taken;
    models::Reply reply = ask(request, silent, &schema, &taken).reply;
    const bool fits = !schema.problem(grammar::json_of_reply(reply.text, schema));
    const bool ended = reply.finish == models::Finish::end_token;
    // A server that follows the schema could not have written this reply, so it ignores the schema.
    // An empty reply says nothing about that.
    const bool ignored =
        ended && taken.json != JsonMode::words && !fits && models::why_empty(reply).empty();
    if (!ignored) {
      if (options.on_text) options.on_text(reply.text);
      return reply;
    }
    log::step("{} ignores the JSON schema; asking again with the schema in the prompt",
              server_.address().host_and_port());
    taken.json = JsonMode::words;
    keep_habits(taken);
  }
}

namespace {

// Splits a list of SPECs at its commas. A model's name may contain a comma, so only a comma that is
// followed by another SPEC splits.
std::vector<std::string> split_specs(const std::string& specs) {
  std::vector<std::string> parts = {""};
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i] == ',' && names_server(std::string_view(specs).substr(i + 1))) {
      parts.emplace_back();
    } else {
      parts.back() += specs[i];
    }
  }
  return parts;
}

ServerAddress known_address(const std::string& spec, const OpenAiOptions& options) {
  ServerAddress address = parse_address(spec);
  if (address.model.empty()) address.model = only_model(spec, address, options);
  return address;
}

std::unique_ptr<models::Generator> one_server(const ServerAddress& address,
                                              const OpenAiOptions& options) {
  return std::make_unique<OpenAiGenerator>(address, options, real_waiting());
}

}  // namespace

std::unique_ptr<models::Generator> make_openai_generator(const std::string& spec,
                                                         const OpenAiOptions& options) {
  const std::vector<std::string> specs = split_specs(spec);
  if (specs.size() == 1) return one_server(known_address(spec, options), options);
  // With several servers, another server is a better second attempt than the same one after a
  // pause.
  OpenAiOptions quick = options;
  quick.retries = 0;
  std::vector<SeveralServers::Server> servers;
  for (const std::string& one : specs) {
    const ServerAddress address = known_address(one, options);
    servers.push_back({one_server(address, quick), one_server(address, options)});
  }
  return std::make_unique<SeveralServers>(std::move(servers), std::chrono::steady_clock::now);
}

}  // namespace fineprint::remote
