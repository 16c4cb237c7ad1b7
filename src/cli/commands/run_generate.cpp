// `fineprint generate`: writes one reply of a generator, as text or as JSON of a schema, or scores
// given replies.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/generator.h"
#include "fineprint/session/load.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// "-" reads the prompt from standard input; its last line end is not part of it.
std::string prompt_text(const Settings& settings) {
  const std::string typed = argument(settings, 0, "PROMPT (or '-' to read it from standard input)");
  allow_arguments(settings, 1);
  if (typed != "-") return typed;
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// The images belong to the user's message, which shows them before its text.
models::Request read_request(const Settings& settings) {
  models::Request request;
  request.agent = "generate";
  request.raw = settings.flag("raw");
  if (request.raw && !settings.text("system").empty()) {
    throw Error(
        ErrorCode::usage,
        "--raw and --system cannot be combined: a raw prompt has no system message; put its "
        "text into the prompt");
  }
  if (request.raw && !settings.list("image").empty()) {
    throw Error(ErrorCode::usage,
                "--raw and --image cannot be combined: pictures belong to a chat's messages; leave "
                "one of them out");
  }
  if (const std::string& system = settings.text("system"); !system.empty()) {
    request.messages.push_back({models::Role::system, system, {}});
  }
  models::Message message{models::Role::user, prompt_text(settings), {}};
  request.question = message.text;
  request.pages = settings.list("image");
  for (Image& picture : read_pictures(request.pages, settings)) {
    request.images.emplace_back(std::move(picture));
  }
  message.images.resize(request.images.size());
  std::iota(message.images.begin(), message.images.end(), 0);
  request.messages.push_back(std::move(message));
  return request;
}

models::SamplingOptions sampling_options(const Settings& settings) {
  models::SamplingOptions options = settings.read(models::sampling_options());
  options.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  options.stop_token = StopToken::of_process();
  return options;
}

// Returns the schema of --schema: the text itself if it begins like a schema, else the contents of
// the file that it names.
std::optional<grammar::JsonSchema> schema_of(const Settings& settings) {
  const std::string& given = settings.text("schema");
  if (given.empty()) return std::nullopt;
  const bool itself = given.find_first_not_of(" \t\r\n") == given.find('{');
  return grammar::JsonSchema::parse(itself ? given : read_file(given));
}

// Returns the name that records use.
const char* finish_name(models::Finish finish) {
  switch (finish) {
    case models::Finish::end_token:
      return "end_token";
    case models::Finish::stop_text:
      return "stop_text";
    case models::Finish::length:
      return "length";
    case models::Finish::cancelled:
      return "cancelled";
  }
  return "";
}

// Prints the reply with its token counts, times and scores as one JSON object.
void print_record(const models::Reply& reply) {
  Json log_probabilities = Json::array(), entropies = Json::array();
  for (const models::TokenScore& token : reply.tokens) {
    log_probabilities.push_back(token.log_probability);
    entropies.push_back(token.entropy);
  }
  print_line(dump_json({{"text", reply.text},
                        {"finish", finish_name(reply.finish)},
                        {"prompt_tokens", reply.prompt_tokens},
                        {"image_tokens", reply.image_tokens},
                        {"cached_tokens", reply.cached_tokens},
                        {"output_tokens", reply.output_tokens},
                        {"thought_tokens", reply.thought_tokens},
                        {"proposed_tokens", reply.proposed_tokens},
                        {"accepted_tokens", reply.accepted_tokens},
                        {"prefill_ms", reply.prefill_ms},
                        {"decode_ms", reply.decode_ms},
                        {"logprobs", log_probabilities},
                        {"entropies", entropies}}));
}

// Logs the costs. Returns the exit code: an interrupted reply is not a success.
int finish(const models::Reply& reply) {
  log::step(
      "{} prompt tokens, {} of them from images, {} cached, in {:.0f} ms; {} new tokens in "
      "{:.0f} ms, {} of {} proposed ones accepted; {}",
      reply.prompt_tokens, reply.image_tokens, reply.cached_tokens, reply.prefill_ms,
      reply.output_tokens, reply.decode_ms, reply.accepted_tokens, reply.proposed_tokens,
      finish_name(reply.finish));
  return reply.finish == models::Finish::cancelled ? exit_code(ErrorCode::interrupted) : 0;
}

// Blanks are a reply, too: whoever asked sees them.
void require_text(const models::Generator& generator, const models::Reply& reply) {
  const std::string empty = reply.text.empty() ? models::why_empty(reply) : "";
  if (!empty.empty()) throw Error(ErrorCode::no_reply, format("{}: {}", generator.name(), empty));
}

// Prints the reply as it arrives. Ctrl-C keeps what was printed before.
int write_reply(const models::Generator& generator, const models::Request& request,
                models::SamplingOptions options, bool json) {
  if (!json) options.on_text = print_piece;
  const models::Reply reply = generator.generate(request, options);
  require_text(generator, reply);
  if (json) {
    print_record(reply);
  } else {
    print_line("");
  }
  return finish(reply);
}

// Prints only the JSON, even if a server wrote text around it.
int write_json(const models::Generator& generator, const models::Request& request,
               const grammar::JsonSchema& schema, const models::SamplingOptions& options,
               bool json) {
  models::Reply reply = generator.generate_json(request, schema, options);
  if (reply.finish == models::Finish::cancelled) return finish(reply);
  require_text(generator, reply);
  const std::string value = grammar::json_of_reply(reply.text, schema);
  if (const auto problem = schema.problem(value)) {
    throw Error(
        ErrorCode::model,
        format("the reply of {} does not fit the schema: {}; try another model or a simpler schema",
               generator.name(), *problem));
  }
  reply.text = value;
  if (json) {
    print_record(reply);
  } else {
    print_line(reply.text);
  }
  return finish(reply);
}

// Equal or empty replies would make the probabilities meaningless.
std::vector<std::string> candidates(const Settings& settings) {
  const std::vector<std::string> texts = settings.list("choose");
  const std::set<std::string> different(texts.begin(), texts.end());
  if (different.size() != texts.size() || different.contains("")) {
    throw Error(ErrorCode::usage, "--choose: replies must not be empty, and no two may be equal");
  }
  return texts;
}

int print_choice(const models::Generator& generator, const models::Request& request,
                 const std::vector<std::string>& texts, bool json) {
  const models::Choice choice = generator.choose(request, texts);
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return choice.probabilities[i]; });
  Json probabilities = Json::object(), log_probabilities = Json::object();
  for (const std::size_t i : order) {
    probabilities[texts[i]] = choice.probabilities[i];
    // A reply that a server rules out has none.
    if (i < choice.log_probabilities.size() && std::isfinite(choice.log_probabilities[i])) {
      log_probabilities[texts[i]] = choice.log_probabilities[i];
    }
    if (!json) print_line(format("{:.6f}  {}", choice.probabilities[i], texts[i]));
  }
  if (json) {
    print_line(dump_json({{"choice", texts[choice.best]},
                          {"probabilities", probabilities},
                          {"logprobs", log_probabilities}}));
  }
  return 0;
}

}  // namespace

int run_generate(const Settings& settings) {
  const std::string& spec = settings.text("generator");
  if (spec.empty()) {
    throw Error(ErrorCode::usage,
                format("--generator MODEL is missing: {}", session::kGeneratorForms));
  }
  // Errors in flags and pictures are reported before a large model is loaded.
  const std::vector<std::string> texts = candidates(settings);
  const models::SamplingOptions options = sampling_options(settings);
  const std::optional<grammar::JsonSchema> schema = schema_of(settings);
  if (schema && !texts.empty()) {
    throw Error(
        ErrorCode::usage,
        "--schema and --choose cannot be combined: --choose scores given replies, so none is "
        "written; leave one of them out");
  }
  const models::Request request = read_request(settings);
  session::ModelOptions model = generator_options(settings, settings.text("store"));
  model.raw = request.raw;
  const auto generator = session::load_generator(spec, model);
  throw_if_interrupted();
  const bool json = settings.flag("json");
  if (schema) return write_json(*generator, request, *schema, options, json);
  return texts.empty() ? write_reply(*generator, request, options, json)
                       : print_choice(*generator, request, texts, json);
}

}  // namespace fineprint::cli
