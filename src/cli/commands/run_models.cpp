// `fineprint models`: shows what a model folder contains and whether it runs here. Never uses the
// network.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/memory.h"
#include "fineprint/core/memory_speed.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/session/load.h"

#include "cli/commands.h"
#include "cli/graph_facts.h"
#include "cli/output.h"
#include "cli/suggest_models.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

using models::MemoryNeed;
using models::ModelFacts;

std::string short_bytes(std::int64_t bytes) {
  if (bytes >= 1'000'000'000) return format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
  if (bytes >= 1'000'000) return format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  return format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
}

std::string short_count(std::int64_t count) {
  if (count >= 1'000'000'000) return format("{:.2f} billion", static_cast<double>(count) / 1e9);
  if (count >= 1'000'000) return format("{:.1f} million", static_cast<double>(count) / 1e6);
  return format("{}", count);
}

// Adds a tenth for intermediate values.
std::int64_t with_working_room(std::int64_t weight_bytes) {
  return weight_bytes + weight_bytes / 10;
}

// Returns the memory for weights, and for keys and values of one page and a reply.
std::int64_t needed_bytes(const ModelFacts& facts, const MemoryNeed& need) {
  constexpr std::int64_t kReplyTokens = 1000;
  return with_working_room(need.weight_bytes) +
         need.state_bytes * (facts.page_tokens + kReplyTokens) / 1000;
}

// Whether the model runs on this machine's processor, and why.
struct RunCheck {
  bool runs = false;
  std::string reason;
};

// If the free memory is unknown, the model may run: a wrong "no" would be worse than a failure that
// names the reason.
RunCheck run_check(const ModelFacts& facts, std::int64_t available) {
  if (!session::has_nets()) {
    return {false, "this build cannot run networks; build with -DFINEPRINT_NETS=ON"};
  }
  std::string fitting, wanting;
  for (const MemoryNeed& need : facts.memory) {
    const std::int64_t bytes = needed_bytes(facts, need);
    std::string& list = bytes <= available ? fitting : wanting;
    list += format("{}{} ({})", list.empty() ? "" : ", ", need.dtype, short_bytes(bytes));
  }
  const std::string free = format("{} of memory are free", short_bytes(available));
  if (available == 0) return {true, "the system does not report its free memory"};
  if (fitting.empty()) return {false, format("{}, not enough for {}", free, wanting)};
  if (wanting.empty()) return {true, format("{}, enough for {}", free, fitting)};
  return {true, format("{}, enough for {}, not enough for {}", free, fitting, wanting)};
}

// The words match the options that use the model, so that a user knows where to give it.
std::string abilities(const ModelFacts& facts) {
  std::string text = facts.chats       ? "generate"
                     : facts.generates ? "continue texts (generate --raw), without a chat template"
                                       : "";
  if (facts.embeds) {
    const char* vectors = facts.sparse         ? "one sparse vector"
                          : facts.many_vectors ? "one vector for each token"
                                               : "one vector";
    text +=
        format("{}embed ({} of {} numbers)", text.empty() ? "" : ", ", vectors, facts.vector_width);
  }
  if (facts.judges) text += ", judge whether a page answers a question (--rerank)";
  if (facts.scores_pairs) text = "score pairs of texts (--rerank)";
  if (facts.reads) text = "point at answers in passages (--qa), and score passages (--rerank)";
  return text + (facts.sees ? "; accepts images" : "; text only");
}

// Lists the memory for weights, a tenth of them for intermediate values, and one sequence of each
// length.
std::string contexts_text(const MemoryNeed& need) {
  return join_texts(need.contexts, ", ", [&](const models::ContextNeed& context) {
    return format("{} with {} tokens",
                  short_bytes(with_working_room(need.weight_bytes) + context.state_bytes),
                  context.tokens);
  });
}

// Returns the number of tokens of a page, and the size of its kept states in each format.
std::string page_cost(const ModelFacts& facts) {
  std::string text = format("A4 at 150 dpi takes {} tokens", facts.page_tokens);
  std::string states;
  for (const MemoryNeed& need : facts.memory) {
    if (need.page_state_bytes == 0) continue;
    states += format("{}{} in {}", states.empty() ? "; keeping them takes " : ", ",
                     short_bytes(need.page_state_bytes), need.dtype);
  }
  return text + states;
}

Json contexts_record(const MemoryNeed& need) {
  Json contexts = Json::object();
  for (const models::ContextNeed& context : need.contexts) {
    contexts[format("{}", context.tokens)] =
        with_working_room(need.weight_bytes) + context.state_bytes;
  }
  return contexts;
}

// Field names are part of the schema in docs/schemas; they must not change.
Json to_record(const ModelFacts& facts) {
  Json parts = Json::object(), memory = Json::object();
  for (const models::PartFacts& part : facts.parts) parts[part.part] = part.parameters;
  for (const MemoryNeed& need : facts.memory) {
    memory[need.dtype] = {{"weight_bytes", need.weight_bytes},
                          {"state_bytes_per_1000_tokens", need.state_bytes},
                          {"page_state_bytes", need.page_state_bytes},
                          {"needed_bytes", needed_bytes(facts, need)},
                          {"needed_bytes_by_tokens", contexts_record(need)}};
  }
  return {{"name", facts.name},
          {"family", facts.family},
          {"dir", facts.dir},
          {"adapter", facts.adapter},
          {"projector", facts.projector},
          {"sees_nothing_because", facts.blind},
          {"parts", parts},
          {"parameters", facts.parameters},
          {"stored_bytes", facts.stored_bytes},
          {"stored_dtype", facts.stored_dtype},
          {"memory", memory},
          {"sees", facts.sees},
          {"generates", facts.generates},
          {"chats", facts.chats},
          {"embeds", facts.embeds},
          {"scores_pairs", facts.scores_pairs},
          {"reads", facts.reads},
          {"judges", facts.judges},
          {"many_vectors", facts.many_vectors},
          {"sparse", facts.sparse},
          {"vector_width", facts.vector_width},
          {"page_tokens", facts.page_tokens},
          {"bytes_a_token", facts.bytes_a_token},
          {"max_tokens", facts.max_tokens}};
}

// The upper limit of the speed of replies: each token reads all weights once.
struct Speed {
  double bytes_per_second = 0, tokens_per_second = 0;  // 0: does not generate
};

Speed expected_speed(const ModelFacts& facts) {
  if (facts.bytes_a_token == 0) return {};
  const double bytes = memory_bytes_per_second(usable_cores());
  return {bytes, bytes / static_cast<double>(facts.bytes_a_token)};
}

void print_facts(const ModelFacts& facts, const RunCheck& here, const Speed& speed) {
  const auto row = [](const char* what, const std::string& text) {
    print_line(format("  {:<11} {}", what, text));
  };
  print_line(format("{} ({})", facts.name, facts.family));
  row("folder", facts.dir);
  if (!facts.adapter.empty()) row("adapter", facts.adapter);
  if (!facts.projector.empty()) row("projector", facts.projector);
  const std::string parts = join_texts(facts.parts, ", ", [](const models::PartFacts& part) {
    return format("{} {}", part.part, short_count(part.parameters));
  });
  row("parameters", format("{}: {}", short_count(facts.parameters), parts));
  row("stored", format("{}, mostly {}", short_bytes(facts.stored_bytes), facts.stored_dtype));
  for (const MemoryNeed& need : facts.memory) {
    row("memory", format("{} in {}, and {} for each 1000 tokens", short_bytes(need.weight_bytes),
                         need.dtype, short_bytes(need.state_bytes)));
  }
  if (!facts.memory.front().contexts.empty()) {
    row("needs",
        format("in {}: {}", facts.memory.front().dtype, contexts_text(facts.memory.front())));
  }
  if (facts.sees) row("page", page_cost(facts));
  if (!facts.blind.empty()) row("images", facts.blind);
  row("length", format("at most {} tokens", facts.max_tokens));
  row("can", abilities(facts));
  if (speed.tokens_per_second > 0) {
    row("speed",
        format("at most {:.{}f} tokens a second: each token reads {}, and memory now delivers {}/s",
               speed.tokens_per_second, speed.tokens_per_second < 10 ? 1 : 0,
               short_bytes(facts.bytes_a_token),
               short_bytes(static_cast<std::int64_t>(speed.bytes_per_second))));
  }
  row("runs here", format("{}: {}", here.runs ? "yes" : "no", here.reason));
}

// With `every_value`, also loads the tokenizer and checks all weights for NaN and infinity, which
// takes as long as reading the file.
ModelFacts read_facts(const std::string& dir, bool every_value) {
  const models::ModelSpec spec = models::read_model(dir, hub_cache());
  const models::Checkpoint checkpoint(spec);
  if (every_value) {
    models::load_tokenizer(spec.tokenizer_path);
    checkpoint.check_finite(usable_cores());
  }
  return models::describe_model(spec, checkpoint);
}

// Prints one line of the list: what the model is, or why it cannot be used. `spec` is empty for the
// default text encoder.
void print_listed(const std::string& spec, bool json) {
  const std::string name = spec.empty() ? "(default text encoder)" : spec;
  try {
    const ModelFacts facts = read_facts(models::find_text_encoder(spec, hub_cache()), false);
    if (json) {
      Json record = to_record(facts);
      record["spec"] = spec;
      print_line(dump_json(record));
    } else {
      print_line(format("{:<40} {}, {} parameters: {}", name, facts.family,
                        short_count(facts.parameters), abilities(facts)));
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::model) throw;
    if (json) {
      print_line(dump_json(
          {{"spec", spec}, {"code", code_name(error.code())}, {"message", error.what()}}));
    } else {
      print_line(format("{:<40} cannot be used: {}", name, std::string_view(error.what())));
    }
  }
}

// Lists the default text encoder, the models of the Hugging Face cache, and GGUF files of other
// programs.
int list_models(bool json) {
  print_listed("", json);
  const std::vector<std::string> names = models::cached_repositories(hub_cache());
  for (const std::string& name : names) print_listed(name, json);
  log::step("{} models in the Hugging Face cache {}", names.size(), hub_cache());
  for (const models::CachedGguf& file : models::cached_ggufs(gguf_places())) {
    print_listed(file.path, json);
  }
  return 0;
}

}  // namespace

int run_models(const Settings& settings) {
  const bool json = settings.flag("json");
  if (settings.flag("suggest")) {
    if (!settings.arguments.empty()) {
      throw Error(ErrorCode::usage, "--suggest lists published models and does not accept MODEL");
    }
    suggest_models(json);
    return 0;
  }
  if (settings.arguments.empty()) return list_models(json);
  if (settings.arguments.size() > 1) {
    throw Error(ErrorCode::usage,
                "models accepts one MODEL: a folder, a GGUF or ONNX file, or a name");
  }
  if (settings.arguments.front().ends_with(".onnx")) {
    show_graph(settings.arguments.front(), model_options(settings), json);
    return 0;
  }
  const std::string dir =
      models::find_generator(settings.arguments.front(), hub_cache(), gguf_places());
  const ModelFacts facts = read_facts(dir, true);
  const RunCheck here = run_check(facts, available_memory());
  const Speed speed = expected_speed(facts);
  if (!json) {
    print_facts(facts, here, speed);
    return 0;
  }
  Json record = to_record(facts);
  record["available_bytes"] = available_memory();
  record["runs_here"] = here.runs;
  record["memory_bytes_per_second"] = speed.bytes_per_second;
  record["most_tokens_per_second"] = speed.tokens_per_second;
  record["reason"] = here.reason;
  print_line(dump_json(record));
  return 0;
}

}  // namespace fineprint::cli
