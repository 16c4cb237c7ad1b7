// Times a generator from its public interface and prints one JSON object a line and run.
//
//   benchmark_generation --model DIR [--what prefill,decode,pages,choose] [--device cpu]
//                        [--dtype auto] [--threads 0] [--prompt-tokens 512,2048]
//                        [--prefill-concurrent 1] [--concurrent 1,8] [--new-tokens 64]
//                        [--pages 3] [--page-size 392x560] [--first-question 1] [--repeat 3]
//                        [--seed 1] [--cache-mib 1024] [--keep-states DIR] [--prompt-lookup on]
//                        [--schemas FILE] [--seeds 1000]
//
// --what  prefill: --prefill-concurrent calls at a time, each with a text of --prompt-tokens that
//         nobody has read, ask for one token.
//         decode: --concurrent calls at a time ask for --new-tokens of a short prompt; the time is
//         that from the first token of a reply to its last, or, of several calls, that of all less
//         the time that as many like them take for one token each.
//         quote: a reply of --new-tokens that copies a text of --prompt-tokens; times as of decode.
//         pages: two questions on the same --pages new pages, the time to the first token of each.
//         choose: the probabilities of 1 to 5 for a page that is new, then, in another question,
//         for the page that has been read.
//         json: --seeds replies for each schema of --schemas (an object of name and schema), drawn
//         at temperature 1 under varying limits of length, --concurrent of them at a time (the last
//         number); each must parse and fit, and the first that does not is an error.
// --first-question  number from which questions are counted: a second process with the same --seed
//                   and --keep-states has other questions on the same pages
// --repeat          runs, each with pages and texts of its own
//
// Lines: {"benchmark":"generation","what","run","calls","prompt_tokens","image_tokens",
// "cached_tokens","output_tokens" (all calls together),"ms" (wall), "tokens_per_second"}; what is
// "load", "prefill", "decode", "quote", "first_question", "second_question", "choose_new" or
// "choose_read". A decode or quote adds the tokens that prompt lookup proposed and those that were
// accepted. A decode on the CPU adds "read_gb_per_s": the speed of a plain read of memory with as
// many threads, the mean of one just before and one just after.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/session/load.h"
#include "fineprint/session/prefix_shelf.h"

#include "benchmarks/made_page.h"
#include "benchmarks/made_text.h"
#include "benchmarks/read_speed.h"

namespace fineprint {
namespace {

constexpr std::size_t kDecodePrompt = 64;  // tokens

struct Settings {
  std::string model, keep_states;
  std::string what = "prefill,decode,pages,choose";
  models::DeviceOptions device{.device = "cpu"};
  std::vector<std::size_t> prompt_tokens = {512, 2048};
  std::vector<std::size_t> prefill_concurrent = {1};
  std::vector<std::size_t> concurrent = {1, 8};
  std::size_t new_tokens = 64;
  std::size_t pages = 3;
  int page_width = 392, page_height = 560;
  std::size_t first_question = 1;
  std::size_t repeat = 3;
  unsigned seed = 1;
  std::size_t cache_mib = 1024;
  std::string prompt_lookup = "on";
  std::string schemas;
  std::size_t seeds = 1000;
};

std::vector<std::string> split(const std::string& list, char at) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::size_t> numbers(const std::string& list) {
  std::vector<std::size_t> found;
  for (const std::string& part : split(list, ',')) found.push_back(std::stoul(part));
  return found;
}

void read_size(const std::string& text, Settings* settings) {
  const std::vector<std::string> sides = split(text, 'x');
  if (sides.size() != 2) throw Error(ErrorCode::usage, "--page-size: give WIDTHxHEIGHT");
  settings->page_width = std::stoi(sides[0]);
  settings->page_height = std::stoi(sides[1]);
}

void read_option(const std::string& name, const std::string& value, Settings* settings) {
  const auto text = [&](std::string& at) { return [&] { at = value; }; };
  const auto number = [&](auto& at) {
    return [&] { at = static_cast<std::decay_t<decltype(at)>>(std::stoul(value)); };
  };
  const auto list = [&](std::vector<std::size_t>& at) { return [&] { at = numbers(value); }; };
  const std::vector<std::pair<std::string, std::function<void()>>> options = {
      {"--model", text(settings->model)},
      {"--what", text(settings->what)},
      {"--device", text(settings->device.device)},
      {"--dtype", text(settings->device.dtype)},
      {"--threads", number(settings->device.threads)},
      {"--prompt-tokens", list(settings->prompt_tokens)},
      {"--prefill-concurrent", list(settings->prefill_concurrent)},
      {"--concurrent", list(settings->concurrent)},
      {"--new-tokens", number(settings->new_tokens)},
      {"--pages", number(settings->pages)},
      {"--page-size", [&] { read_size(value, settings); }},
      {"--first-question", number(settings->first_question)},
      {"--repeat", number(settings->repeat)},
      {"--seed", number(settings->seed)},
      {"--cache-mib", number(settings->cache_mib)},
      {"--keep-states", text(settings->keep_states)},
      {"--prompt-lookup", text(settings->prompt_lookup)},
      {"--schemas", text(settings->schemas)},
      {"--seeds", number(settings->seeds)},
  };
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const auto& option) { return option.first == name; });
  if (found == options.end()) throw Error(ErrorCode::usage, format("unknown option {}", name));
  found->second();
}

Settings read_options(const std::vector<std::string>& arguments) {
  if (arguments.size() % 2 != 0) throw Error(ErrorCode::usage, "every option takes a value");
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    read_option(arguments[i], arguments[i + 1], &settings);
  }
  if (settings.model.empty()) throw Error(ErrorCode::usage, "--model is missing");
  return settings;
}

// What a call says about itself, added up over calls that ran together.
struct Counts {
  std::int64_t prompt = 0, image = 0, cached = 0, output = 0;
  std::int64_t proposed = 0, accepted = 0;  // of replies

  template <class Result>
  void add(const Result& result, std::int64_t made) {
    prompt += result.prompt_tokens;
    image += result.image_tokens;
    cached += result.cached_tokens;
    output += made;
  }
};

struct Line {
  std::string what;
  std::size_t run = 0, calls = 1;
  Counts counts;
  double ms = 0;
  double tokens = 0;         // that the rate is about; 0: none
  double read_gb_per_s = 0;  // of memory, beside it; 0: not measured
};

void print(const Line& line) {
  nlohmann::ordered_json record{{"benchmark", "generation"},
                                {"what", line.what},
                                {"run", line.run},
                                {"calls", line.calls},
                                {"prompt_tokens", line.counts.prompt},
                                {"image_tokens", line.counts.image},
                                {"cached_tokens", line.counts.cached},
                                {"output_tokens", line.counts.output},
                                {"ms", line.ms}};
  if (line.counts.proposed > 0) {
    record["proposed_tokens"] = line.counts.proposed;
    record["accepted_tokens"] = line.counts.accepted;
  }
  if (line.tokens > 0) record["tokens_per_second"] = line.tokens / line.ms * 1e3;
  if (line.read_gb_per_s > 0) record["read_gb_per_s"] = line.read_gb_per_s;
  std::puts(record.dump().c_str());
  std::fflush(stdout);
}

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  return passed.count();
}

class Benchmark {
 public:
  Benchmark(const Settings& settings, const models::Generator& generator)
      : settings_(settings),
        generator_(generator),
        tokenizer_(models::load_tokenizer(models::read_model(settings.model).tokenizer_path)),
        random_(settings.seed) {}

  void run() {
    warm_up();
    for (const std::string& what : split(settings_.what, ',')) {
      for (run_ = 1; run_ <= settings_.repeat; ++run_) {
        if (what == "prefill")
          prefill();
        else if (what == "decode")
          decode();
        else if (what == "quote")
          quote();
        else if (what == "pages")
          pages();
        else if (what == "choose")
          choose();
        else if (what == "json")
          json();
        else
          throw Error(ErrorCode::usage, format("--what: no measurement is called {}", what));
      }
    }
  }

 private:
  // Threads, memory and, where there are any, GPU kernels are set up by calls that do not count.
  void warm_up() const { ask(question_on({}, "Warm up. " + testing::made_text(20, 0)), 2); }

  // A text that makes about so many tokens of prompt with the template around it.
  std::string text_of(std::size_t tokens) {
    constexpr std::size_t kTemplate = 22;
    const std::string text = testing::made_text(tokens, random_());
    const std::vector<tokenizer::Token> made = tokenizer_->encode(text, false);
    const std::size_t kept = tokens > kTemplate ? tokens - kTemplate : 1;
    return made.size() <= kept ? text : text.substr(0, made[kept - 1].end);  // ASCII
  }

  static models::Request question_on(std::vector<Image> images, const std::string& text) {
    models::Message message{.role = models::Role::user, .text = text, .images = {}};
    for (std::size_t i = 0; i < images.size(); ++i) message.images.push_back(i);
    models::Request request;
    request.messages.push_back(std::move(message));
    request.images.assign(images.begin(), images.end());
    return request;
  }

  models::Reply ask(const models::Request& request, std::size_t tokens) const {
    models::SamplingOptions options;
    options.max_new_tokens = static_cast<int>(tokens);
    options.temperature = 0;
    return generator_.generate(request, options);
  }

  // All requests at once, a thread each.
  std::vector<models::Reply> ask_together(const std::vector<models::Request>& requests,
                                          std::size_t tokens) const {
    std::vector<models::Reply> replies(requests.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      threads.emplace_back([&, i] { replies[i] = ask(requests[i], tokens); });
    }
    threads.clear();
    return replies;
  }

  Line line_of(const std::string& what, const std::vector<models::Reply>& replies) const {
    Line line{.what = what, .run = run_, .calls = replies.size(), .counts = {}};
    for (const models::Reply& reply : replies) {
      line.counts.add(reply, reply.output_tokens);
      line.counts.proposed += reply.proposed_tokens;
      line.counts.accepted += reply.accepted_tokens;
    }
    return line;
  }

  // The time that all of them take for one token.
  Line first_token(const std::string& what, const std::vector<models::Request>& requests) const {
    std::vector<models::Reply> replies;
    const double ms = milliseconds([&] { replies = ask_together(requests, 1); });
    Line line = line_of(what, replies);
    line.ms = ms;
    return line;
  }

  std::vector<models::Request> text_requests(std::size_t count, std::size_t tokens) {
    std::vector<models::Request> requests;
    for (std::size_t i = 0; i < count; ++i) requests.push_back(question_on({}, text_of(tokens)));
    return requests;
  }

  void prefill() {
    for (const std::size_t calls : settings_.prefill_concurrent) {
      for (const std::size_t tokens : settings_.prompt_tokens) {
        Line line = first_token("prefill", text_requests(calls, tokens));
        line.tokens = static_cast<double>(line.counts.prompt - line.counts.cached);
        print(line);
      }
    }
  }

  void decode() {
    for (const std::size_t calls : settings_.concurrent) {
      // Of calls together, the first writes while the others' prompts are still being read.
      double prompts_ms = 0;
      if (calls > 1) prompts_ms = first_token("", text_requests(calls, kDecodePrompt)).ms;
      const std::vector<models::Request> requests = text_requests(calls, kDecodePrompt);
      const double before = read_speed();
      std::vector<models::Reply> replies;
      const double ms =
          milliseconds([&] { replies = ask_together(requests, settings_.new_tokens); });
      Line line = line_of("decode", replies);
      line.read_gb_per_s = (before + read_speed()) / 2;
      line.ms = calls > 1 ? ms - prompts_ms : replies[0].decode_ms;
      line.counts.output -= static_cast<std::int64_t>(calls);  // the first ones are of the prefill
      line.tokens = static_cast<double>(line.counts.output);
      print(line);
    }
  }

  void quote() {
    for (const std::size_t tokens : settings_.prompt_tokens) {
      const std::string text = "Copy this text, word by word and nothing else:\n\n";
      const models::Reply reply =
          ask(question_on({}, text + text_of(tokens)), settings_.new_tokens);
      Line line = line_of("quote", {reply});
      line.ms = reply.decode_ms;
      line.tokens = static_cast<double>(--line.counts.output);  // the first one is of the prefill
      print(line);
    }
  }

  double read_speed() const {
    const models::DeviceOptions& device = settings_.device;
    if (device.device != "cpu") return 0;
    const int all = static_cast<int>(std::thread::hardware_concurrency());
    return fineprint_read_gb_per_s(device.threads > 0 ? device.threads : all);
  }

  std::vector<Image> new_pages(std::size_t count) {
    std::vector<Image> made;
    for (std::size_t i = 0; i < count; ++i) {
      made.push_back(
          testing::made_page(settings_.page_width, settings_.page_height, next_page_seed()));
    }
    return made;
  }

  // Pages must not depend on how many texts were drawn before: another process wants the same.
  unsigned next_page_seed() { return settings_.seed * 1000 + page_++; }

  static std::string question(std::size_t number) {
    return format("Question {}: which of the figures on these pages are restated?", number);
  }

  void pages() {
    const std::vector<Image> images = new_pages(settings_.pages);
    for (const std::size_t add : {0, 1}) {
      const models::Request request = question_on(images, question(settings_.first_question + add));
      print(first_token(add == 0 ? "first_question" : "second_question", {request}));
    }
  }

  void choose() {
    const std::vector<Image> images = new_pages(1);
    const std::vector<std::string> candidates = {"1", "2", "3", "4", "5"};
    for (const std::size_t add : {0, 1}) {
      const models::Request request = question_on(
          images, "How relevant is this page? " + question(settings_.first_question + add));
      models::Choice choice;
      Line line{.what = add == 0 ? "choose_new" : "choose_read", .run = run_, .counts = {}};
      line.ms = milliseconds([&] { choice = generator_.choose(request, candidates); });
      line.counts.add(choice, 0);
      print(line);
    }
  }

  // Throws for a reply that does not fit.
  void check_json(const grammar::JsonSchema& schema, const std::string& name,
                  std::size_t seed) const {
    models::SamplingOptions options;
    options.max_new_tokens = 128 + static_cast<int>(seed % 7) * 32;
    options.temperature = 1;
    options.seed = seed;
    const models::Reply reply =
        generator_.generate_json(question_on({}, "Reply with " + name), schema, options);
    if (const auto problem = schema.problem(reply.text)) {
      throw Error(ErrorCode::model,
                  format("{}, seed {}: {}: {}", name, seed, *problem, reply.text));
    }
  }

  void json() const {
    const Json schemas = parse_json(read_file(settings_.schemas), settings_.schemas);
    for (const auto& [name, written] : schemas.items()) {
      const grammar::JsonSchema schema = grammar::JsonSchema::parse(dump_json(written));
      Line line{.what = "json " + name, .run = run_, .calls = settings_.seeds, .counts = {}};
      line.ms = milliseconds([&] {
        parallel_for(settings_.seeds, static_cast<int>(settings_.concurrent.back()),
                     [&](std::size_t i) { check_json(schema, name, i + 1); });
      });
      print(line);
    }
  }

  const Settings& settings_;
  const models::Generator& generator_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::mt19937 random_;
  unsigned page_ = 0;
  std::size_t run_ = 1;
};

serving::PrefixCacheOptions prefix_cache_options(const Settings& settings) {
  serving::PrefixCacheOptions keep{.cache_bytes = settings.cache_mib << 20};
  if (!settings.keep_states.empty())
    keep.shelf = session::open_prefix_shelf(settings.keep_states, {});
  return keep;
}

void run(const Settings& settings) {
  const session::ModelOptions options{.device = settings.device,
                                      .keep = prefix_cache_options(settings),
                                      .lookup = {.on = settings.prompt_lookup == "on"}};
  std::unique_ptr<models::Generator> generator;
  Line load{.what = "load", .run = 1, .counts = {}};
  load.ms = milliseconds([&] { generator = session::load_generator(settings.model, options); });
  print(load);
  Benchmark(settings, *generator).run();
}

}  // namespace
}  // namespace fineprint

int main(int count, char** arguments) {
  try {
    fineprint::run(fineprint::read_options({arguments + 1, arguments + count}));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
