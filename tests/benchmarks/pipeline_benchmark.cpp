// Times what a preset does besides searching and calling a model: the figure to reach is 5 ms a
// question. A scripted reader that knows the answers replies at once. Prints a table in Markdown.
//
//   benchmark_pipeline [--store DIR] [--runs 5] [--pipeline NAME] [--scorer LIST] [--quick]
//
// --store: an index of tests/data/docs with the sets text, page and late; else one is made.
// --scorer: instead of each preset's own. --quick: keyword search and two runs, without models.
//
// Columns: medians over the questions of tests/data/questions.jsonl, in milliseconds. "search": the
// scorers' share of the trace. "reader": inside the scripted reader. "drawing": pages rasterised by
// worker processes, which is a part of a model's reading them. "rest": the whole run without these
// three; the first time a question is asked (when pages are also shrunk to their tier), and the
// fastest of its later runs (when pictures are kept, as far as they find room). All runs write a
// trace. The extractive pipeline's rest is its text encoder's.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/documents/document_workers.h"

#include "benchmarks/preset_runs.h"
#include "support/temp_dir.h"

namespace fineprint::testing {
namespace {

struct Choices {
  std::string store, pipeline;
  std::vector<std::string> scorers;
  int runs = 5;
  bool quick = false;
};

// Adds up the time between making one and its end.
class Stopwatch {
 public:
  explicit Stopwatch(double* ms) : ms_(ms) {}
  ~Stopwatch() {
    *ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
                .count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double* ms_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Of one run; questions are asked one after the other.
struct Clocks {
  double reader = 0, drawing = 0;
};

class TimedReader final : public models::Generator {
 public:
  TimedReader(std::unique_ptr<const models::Generator> inner, std::shared_ptr<Clocks> clocks)
      : inner_(std::move(inner)), clocks_(std::move(clocks)) {}

  std::string name() const override { return inner_->name(); }
  std::string hash() const override { return inner_->hash(); }
  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override {
    const Stopwatch watch(&clocks_->reader);
    return inner_->generate(request, options);
  }
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema& schema,
                              const models::SamplingOptions& options) const override {
    const Stopwatch watch(&clocks_->reader);
    return inner_->generate_json(request, schema, options);
  }
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override {
    const Stopwatch watch(&clocks_->reader);
    return inner_->choose(request, candidates, stop_token);
  }

 private:
  std::unique_ptr<const models::Generator> inner_;
  std::shared_ptr<Clocks> clocks_;
};

class TimedPages final : public session::PageSource {
 public:
  explicit TimedPages(std::shared_ptr<Clocks> clocks) : clocks_(std::move(clocks)) {}
  Image raster(const store::DocumentRow& document, int page, double dpi) const override {
    const Stopwatch watch(&clocks_->drawing);
    return inner_->raster(document, page, dpi);
  }

 private:
  std::unique_ptr<const session::PageSource> inner_ = session::document_pages({}, {});
  std::shared_ptr<Clocks> clocks_;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The milliseconds of one run.
struct Parts {
  double total = 0, search = 0, reader = 0, drawing = 0, calls = 0;
  double rest() const { return total - search - reader - drawing; }
};

// One median of each part.
Parts medians(const std::vector<Parts>& all, std::vector<double>* rests) {
  const auto of = [&](double Parts::* part) {
    std::vector<double> values;
    values.reserve(all.size());
    for (const Parts& one : all) values.push_back(one.*part);
    return median(std::move(values));
  };
  for (const Parts& one : all) rests->push_back(one.rest());
  return {of(&Parts::total), of(&Parts::search), of(&Parts::reader), of(&Parts::drawing),
          of(&Parts::calls)};
}

class PipelineRuns {
 public:
  PipelineRuns(const store::Store& store, const PresetRun& preset)
      : preset_(preset), questions_(read_questions(kQuestions)) {
    session::SessionParts parts;
    parts.generator = std::make_unique<TimedReader>(
        std::make_unique<OracleGenerator>(gold_answers(questions_),
                                          std::make_shared<OracleErrors>(), known_passages(store)),
        clocks_);
    parts.pages = std::make_unique<TimedPages>(clocks_);
    session_ =
        std::make_unique<session::Session>(store, session::SessionOptions{}, std::move(parts));
  }

  void print_row(int runs) {
    if (const std::string lack = lacking(*session_, preset_); !lack.empty()) {
      std::printf("| %s | not run: %s | | | | | | | |\n", preset_.name.c_str(), lack.c_str());
      return;
    }
    // What is read once a session (posting lists, vectors, models) is no question's.
    Question warm_up;
    warm_up.id = "warm-up";
    warm_up.text = questions_.front().text;
    warm_up.docs = questions_.front().docs;
    ask(warm_up);
    std::vector<Parts> first, later;
    for (const Question& question : questions_) {
      first.push_back(ask(question));
      Parts fastest = ask(question);
      for (int run = 2; run < runs; ++run) {
        const Parts again = ask(question);
        if (again.rest() < fastest.rest()) fastest = again;
      }
      later.push_back(fastest);
    }
    std::vector<double> first_rest, later_rest;
    const Parts cold = medians(first, &first_rest);
    const Parts warm = medians(later, &later_rest);
    std::printf("| %s | %s | %.0f | %.2f | %.2f | %.1f | %.2f | %.2f | %.2f |\n",
                preset_.name.c_str(),
                preset_.method->info.searches ? preset_.scorers().c_str() : "", cold.calls,
                warm.search, warm.reader, cold.drawing, median(first_rest), median(later_rest),
                *std::ranges::max_element(later_rest));
    std::fflush(stdout);
  }

 private:
  Parts ask(const Question& question) {
    *clocks_ = {};
    const Outcome outcome = run_question(*session_, preset_, question, true);
    Parts parts{outcome.ms, 0, clocks_->reader, clocks_->drawing,
                static_cast<double>(outcome.usage.vlm_calls)};
    const std::vector<std::string> scorers = retrieve::scorer_names();
    for (const Json& step : parse_json(outcome.trace, "a trace")) {
      const std::string name = step.value("step", "");
      const std::string kind = name.substr(0, name.find_last_not_of("-0123456789") + 1);
      if (std::ranges::find(scorers, kind) != scorers.end()) parts.search += step.value("ms", 0.0);
    }
    return parts;
  }

  PresetRun preset_;
  std::vector<Question> questions_;
  std::shared_ptr<Clocks> clocks_ = std::make_shared<Clocks>();
  std::unique_ptr<session::Session> session_;
};

void run(const Choices& choices) {
  const TempDir dir;
  const bool vectors = !choices.quick && session::has_nets();
  const std::string store_dir = choices.store.empty() ? dir.file("store") : choices.store;
  if (choices.store.empty()) make_store(kDocs, store_dir, vectors);
  const store::Store store(store_dir, store::Mode::read);
  OptionTexts changed;
  if (!choices.scorers.empty()) changed["scorer"] = choices.scorers;
  if (!vectors) changed["scorer"] = {"bm25"};
  std::printf(
      "| pipeline | scorers | calls | search | reader | drawing, first | rest, first | rest, "
      "pictures kept | worst of these |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const std::string& name : answering::preset_names()) {
    if (!choices.pipeline.empty() && name != choices.pipeline) continue;
    PipelineRuns(store, preset_run(name, changed)).print_row(choices.runs);
  }
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

Choices read_choices(int count, char** arguments) {
  Choices choices;
  const auto quick = [&] {
    choices.quick = true;
    choices.runs = 2;
  };
  read_options(
      count, arguments,
      {{"--store", [&](const char* value) { choices.store = value; }},
       {"--pipeline", [&](const char* value) { choices.pipeline = value; }},
       {"--scorer", [&](const char* value) { choices.scorers = split(value); }},
       {"--runs", [&](const char* value) { choices.runs = std::max(2, std::atoi(value)); }}},
      quick);
  return choices;
}

}  // namespace
}  // namespace fineprint::testing

int main(int count, char** arguments) {
  using namespace fineprint;
  return testing::run_benchmark(count, arguments, [&] {
    testing::run(testing::read_choices(count, arguments));
    return 0;
  });
}
