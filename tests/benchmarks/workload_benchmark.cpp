// Counts the prompt tokens that a model reads again in a pipeline's calls over 20 questions on a
// document of 40 pages, against a cache that never forgets and against none. Prints a table in
// Markdown.
//
//   benchmark_workload [--model DIR] [--max-pixels N] [--replies oracle|model] [--pipeline hkrag]
//                      [--scorer bm25] [--questions FILE] [--docs DIR] [--cache-mib 1024]
//                      [--agent-errors 0.2] [--warm N] [--quick]
//
// Without --model: tests/data/qwen25vl_a, whose weights are random, with pages of as few tokens as
// its preprocessor_config.json has it and with as many as published models of its family take
// (--max-pixels 12845056: the tier's own size counts), and the latter on workload-spread.jsonl too.
// --replies: what agents reply. oracle: a script that knows the answers, so that prompts hold notes
// of a usual length, and errs in this share of the agents' calls: by 0.2 about a fifth of the
// questions are read again for fine print, as HKRAG's threshold of 0.8 has it when it is taken as a
// quantile. model: the model itself under the agents' schemas; random weights write as much as they
// may. --scorer: of another one than bm25 the store has the vectors of tiny encoders, and a page
// graph, which a walk needs. --warm: so many questions are asked before anything is counted, so
// that pages are known that they read. --quick: eight questions and tests/data/qwen2vl_gen alone.
//
// Columns: calls; image tokens of a page at the tier `page`; tokens of all prompts, which is what
// is read without reuse; "read": those that the model did read (prompt_tokens - cached_tokens);
// "ideal": what is left when each call finds the longest beginning that any earlier call had, and
// reads one token at least; read / ideal; without reuse / read. A beginning is counted in units:
// tokens of the text, and slots of images by the image's content and their place in it. When the
// units of a prompt are not as many as the model says it has tokens, the program says so and fails.
// What each agent cost goes to the log.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/files.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/prompt.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "benchmarks/preset_runs.h"
#include "support/temp_dir.h"

namespace fineprint::testing {
namespace {

constexpr const char* kWorkload = FINEPRINT_TEST_DATA "/workload";
constexpr const char* kGrouped = FINEPRINT_TEST_DATA "/workload.jsonl";
constexpr const char* kSpread = FINEPRINT_TEST_DATA "/workload-spread.jsonl";
constexpr std::int64_t kPublishedPixels = std::int64_t{28} * 28 * 16384;

struct Choices {
  std::string model, pipeline = "hkrag", scorer = "bm25", replies;
  std::string questions, docs = kWorkload;
  std::int64_t max_pixels = 0;  // 0: the model's own
  std::size_t cache_mib = 1024, warm = 0;
  double agent_errors = 0.2;
  bool quick = false;
};

// A prompt as what can be alike in two of them.
using Units = std::vector<std::uint64_t>;

// Makes a call's units as models tokenise it.
class PromptReader {
 public:
  explicit PromptReader(const std::string& model)
      : spec_(models::read_model(model)),
        tokenizer_(models::load_tokenizer(spec_.tokenizer_path)) {}

  Units units(const models::Request& request) const {
    std::vector<preprocess::PixelInput> plans;
    std::vector<std::uint64_t> images;
    for (const models::Message& message : request.messages) {
      for (const std::size_t index : message.images) {
        const Image& image = request.images.at(index);
        plans.push_back(preprocess::plan_pixels(spec_.processor, image.width, image.height));
        images.push_back(checksum(image.pixels) ^ static_cast<std::uint64_t>(image.width) << 32);
      }
    }
    const std::string text = models::chat_text(spec_.prompt, *tokenizer_, request.messages);
    const models::TokenSequence tokens = models::tokenize(spec_.prompt, *tokenizer_, text, plans);
    Units units;
    std::size_t image = 0;
    std::int64_t slot = 0;
    for (std::size_t t = 0; t < tokens.ids.size(); ++t) {
      if (tokens.is_image[t] == 0) {
        units.push_back(static_cast<std::uint64_t>(tokens.ids[t]));
        continue;
      }
      units.push_back(checksum(format("{} {}", images.at(image), slot)) | std::uint64_t{1} << 63);
      if (++slot < plans[image].tokens) continue;
      ++image;
      slot = 0;
    }
    return units;
  }

  // Slots of an image of a page in the tier `page`.
  std::int64_t page_tokens(const Image& image) const {
    return preprocess::plan_pixels(spec_.processor, image.width, image.height).tokens;
  }

 private:
  models::ModelSpec spec_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
};

struct Cost {
  std::int64_t calls = 0, prompt = 0, read = 0;
};

// What was asked, and what it cost.
struct Workload {
  std::vector<Units> calls;
  std::map<std::string, Cost> costs;  // by agent
  std::int64_t prompt = 0, read = 0;
  int wrong_counts = 0;
  std::size_t first_counted = 0;  // of the calls

  // What was read so far counts as known, not as read.
  void count_from_here() {
    costs.clear();
    prompt = read = 0;
    first_counted = calls.size();
  }
};

// Passes calls on to the model and records them.
class Recorder final : public models::Generator {
 public:
  // `script`: whose replies are handed on instead of the model's; nullptr: the model's.
  Recorder(std::unique_ptr<const models::Generator> model, const std::string& model_dir,
           std::unique_ptr<const models::Generator> script, std::shared_ptr<Workload> workload)
      : model_(std::move(model)),
        reader_(model_dir),
        script_(std::move(script)),
        workload_(std::move(workload)) {}

  std::string name() const override { return model_->name(); }
  std::string hash() const override { return model_->hash(); }
  std::int64_t most_pixels() const override { return model_->most_pixels(); }
  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override {
    if (script_ != nullptr) return scripted(request, script_->generate(request, options));
    return recorded(request, model_->generate(request, options));
  }
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema& schema,
                              const models::SamplingOptions& options) const override {
    if (script_ != nullptr) {
      return scripted(request, script_->generate_json(request, schema, options));
    }
    return recorded(request, model_->generate_json(request, schema, options));
  }
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override {
    const models::Choice read = model_->choose(request, candidates, stop_token);
    record(request, read.prompt_tokens, read.cached_tokens);
    if (script_ == nullptr) return read;
    models::Choice said = script_->choose(request, candidates, stop_token);
    said.prompt_tokens = read.prompt_tokens;
    said.image_tokens = read.image_tokens;
    said.cached_tokens = read.cached_tokens;
    return said;
  }

 private:
  // The model reads the prompt and its counts are taken; what it would say is not.
  models::Reply scripted(const models::Request& request, models::Reply said) const {
    models::SamplingOptions one_token;
    one_token.max_new_tokens = 1;
    one_token.temperature = 0;
    const models::Reply read = recorded(request, model_->generate(request, one_token));
    said.prompt_tokens = read.prompt_tokens;
    said.image_tokens = read.image_tokens;
    said.cached_tokens = read.cached_tokens;
    return said;
  }

  models::Reply recorded(const models::Request& request, models::Reply reply) const {
    record(request, reply.prompt_tokens, reply.cached_tokens);
    return reply;
  }

  // Calls may be made at the same time.
  void record(const models::Request& request, std::int64_t prompt, std::int64_t cached) const {
    Units units = reader_.units(request);
    const std::lock_guard lock(mutex_);
    if (static_cast<std::int64_t>(units.size()) != prompt) {
      std::fprintf(stderr, "WRONG COUNT: %s: %zu units, but the model says %lld prompt tokens\n",
                   request.agent.c_str(), units.size(), static_cast<long long>(prompt));
      ++workload_->wrong_counts;
    }
    workload_->prompt += prompt;
    workload_->read += prompt - cached;
    Cost& cost = workload_->costs[request.agent];
    cost = {cost.calls + 1, cost.prompt + prompt, cost.read + prompt - cached};
    workload_->calls.push_back(std::move(units));
  }

  std::unique_ptr<const models::Generator> model_;
  PromptReader reader_;
  std::unique_ptr<const models::Generator> script_;
  std::shared_ptr<Workload> workload_;
  mutable std::mutex mutex_;
};

// Tokens that are read by a cache that keeps all it ever read. The last token is always read: its
// output begins the reply.
std::int64_t ideal(const std::vector<Units>& calls, std::size_t first_counted) {
  std::int64_t read = 0;
  for (std::size_t c = first_counted; c < calls.size(); ++c) {
    std::size_t known = 0;
    for (std::size_t e = 0; e < c; ++e) {
      const auto [here, there] = std::ranges::mismatch(calls[c], calls[e]);
      known = std::max(known, static_cast<std::size_t>(here - calls[c].begin()));
    }
    known = std::min(known, calls[c].size() - 1);
    read += static_cast<std::int64_t>(calls[c].size() - known);
  }
  return read;
}

// The model's folder, in `dir` with another cap of pixels when one is wanted.
std::string sized_model(const std::string& model, std::int64_t max_pixels, const std::string& dir) {
  if (max_pixels == 0) return model;
  std::filesystem::create_directories(dir);
  for (const auto& entry : std::filesystem::directory_iterator(model)) {
    const std::string file = entry.path().filename();
    if (file == "preprocessor_config.json") continue;
    std::filesystem::create_symlink(std::filesystem::absolute(entry.path()),
                                    std::filesystem::path(dir) / file);
  }
  Json config = parse_json(read_file(model + "/preprocessor_config.json"), "a preprocessor");
  config["max_pixels"] = max_pixels;
  write_file_atomic(dir + "/preprocessor_config.json", dump_json(config));
  return dir;
}

// One row of the table.
struct Row {
  std::string model, questions, replies;
  std::int64_t max_pixels = 0;
};

class Table {
 public:
  Table(const store::Store& store, const Choices& choices) : store_(store), choices_(choices) {
    std::printf(
        "| model | questions | replies | tokens a page | calls | without reuse | read | ideal | "
        "read / ideal | "
        "without / read |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
  }

  void print(const Row& row) {
    const TempDir dir;
    questions_ = read_questions(row.questions);
    if (choices_.quick && questions_.size() > 8) questions_.resize(8);
    const std::string model = sized_model(row.model, row.max_pixels, dir.file("model"));
    const auto workload = std::make_shared<Workload>();
    const session::Session session = {store_, {}, parts(model, row.replies, workload)};
    const PresetRun preset = preset_run(choices_.pipeline, {{"scorer", scorers()}});
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      if (q == choices_.warm) workload->count_from_here();
      run_question(session, preset, questions_[q], false);
    }
    const Workload& done = *workload;
    wrong_ += done.wrong_counts;
    const std::int64_t least = ideal(done.calls, done.first_counted);
    const std::int64_t page_tokens =
        PromptReader(model).page_tokens(session.images().page(PageId(0), session::Tier::page));
    std::printf("| %s | %s | %s | %lld | %zu | %lld | %lld | %lld | %.3f | %.2f |\n",
                name_of(row.model).c_str(), std::filesystem::path(row.questions).stem().c_str(),
                row.replies.c_str(), static_cast<long long>(page_tokens),
                done.calls.size() - done.first_counted, static_cast<long long>(done.prompt),
                static_cast<long long>(done.read), static_cast<long long>(least),
                static_cast<double>(done.read) / static_cast<double>(least),
                static_cast<double>(done.prompt) / static_cast<double>(done.read));
    std::fflush(stdout);
    for (const auto& [agent, cost] : done.costs) {
      log::note("{}: {} calls, {} tokens, {} of them read", agent, cost.calls, cost.prompt,
                cost.read);
    }
  }

  int wrong_counts() const { return wrong_; }

 private:
  session::SessionParts parts(const std::string& model, const std::string& replies,
                              const std::shared_ptr<Workload>& workload) const {
    const session::ModelOptions options{.device = {.device = "cpu"},
                                        .keep = {.cache_bytes = choices_.cache_mib << 20}};
    std::unique_ptr<const models::Generator> script;
    if (replies == "oracle") {
      script = std::make_unique<OracleGenerator>(
          gold_answers(questions_),
          std::make_shared<OracleErrors>(OracleErrors{.agent = choices_.agent_errors}));
    }
    session::SessionParts made;
    made.generator = std::make_unique<Recorder>(session::load_generator(model, options), model,
                                                std::move(script), workload);
    return made;
  }

  std::vector<std::string> scorers() const {
    std::vector<std::string> names;
    std::istringstream stream(choices_.scorer);
    for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
    return names;
  }

  // "qwen25vl_a" of ".../qwen25vl_a/model".
  static std::string name_of(const std::string& model) {
    const std::filesystem::path path(model);
    return path.filename() == "model" ? path.parent_path().filename() : path.filename();
  }

  const store::Store& store_;
  const Choices& choices_;
  std::vector<Question> questions_;
  int wrong_ = 0;
};

std::vector<Row> rows(const Choices& choices) {
  const std::string replies = choices.replies.empty() ? "oracle" : choices.replies;
  const std::string questions = choices.questions.empty() ? kGrouped : choices.questions;
  if (!choices.model.empty()) return {{choices.model, questions, replies, choices.max_pixels}};
  const std::string model = FINEPRINT_TEST_DATA "/qwen25vl_a/model";
  if (choices.quick) return {{FINEPRINT_TEST_DATA "/qwen2vl_gen/model", questions, replies, 0}};
  std::vector<Row> all = {{model, questions, replies, 0},
                          {model, questions, replies, kPublishedPixels}};
  if (choices.questions.empty()) all.push_back({model, kSpread, replies, kPublishedPixels});
  return all;
}

// Whether all counts were right.
bool run(const Choices& choices) {
  const TempDir dir;
  make_store(choices.docs, dir.file("store"), choices.scorer != "bm25");
  const store::Store store(dir.file("store"), store::Mode::read);
  Table table(store, choices);
  for (const Row& row : rows(choices)) table.print(row);
  return table.wrong_counts() == 0;
}

Choices read_choices(int count, char** arguments) {
  Choices choices;
  read_options(
      count, arguments,
      {{"--model", [&](const char* value) { choices.model = value; }},
       {"--max-pixels", [&](const char* value) { choices.max_pixels = std::atoll(value); }},
       {"--replies", [&](const char* value) { choices.replies = value; }},
       {"--pipeline", [&](const char* value) { choices.pipeline = value; }},
       {"--scorer", [&](const char* value) { choices.scorer = value; }},
       {"--questions", [&](const char* value) { choices.questions = value; }},
       {"--docs", [&](const char* value) { choices.docs = value; }},
       {"--warm", [&](const char* value) { choices.warm = std::strtoul(value, nullptr, 10); }},
       {"--agent-errors", [&](const char* value) { choices.agent_errors = std::atof(value); }},
       {"--cache-mib",
        [&](const char* value) { choices.cache_mib = std::strtoul(value, nullptr, 10); }}},
      [&] { choices.quick = true; });
  return choices;
}

}  // namespace
}  // namespace fineprint::testing

int main(int count, char** arguments) {
  using namespace fineprint;
  return testing::run_benchmark(count, arguments, [&] {
    return testing::run(testing::read_choices(count, arguments)) ? 0 : 1;
  });
}
