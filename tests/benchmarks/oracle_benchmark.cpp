// Tells apart what each preset loses by retrieval, by its agents and by its reader: a scripted
// reader that knows the evidence pages and answers of tests/data/questions.jsonl replies to every
// call, perfectly and then with errors at a given rate. Prints a table in Markdown.
//
//   benchmark_oracle [--store DIR] [--rate 0.1] [--seeds 20] [--pipeline NAME] [--quick]
//
// --store: an index of tests/data/docs with the sets text, page and late; else one is made, with
// the set-up's text encoder, and with tiny page encoders of random weights, whose rows say so.
// Presets that find pages by images are therefore run a second time with --scorer bm25,text.
// --rate: the share of wrong calls, in turn of agents, of the reader, and of replies that are no
// JSON; --seeds: how often each is drawn. --quick: keyword search and two seeds, without models.
//
// Pages are shown as small grey pictures, as nobody looks at them. "Right" is the gold answer, or
// none where the documents hold none; "lost by retrieval" is what the perfect reader gets wrong.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/documents/document_workers.h"
#include "fineprint/metrics/ranking.h"

#include "benchmarks/preset_runs.h"
#include "support/temp_dir.h"

namespace fineprint::testing {
namespace {

struct Choices {
  std::string store, pipeline;
  double rate = 0.1;
  int seeds = 20;
  bool quick = false;
};

// What nobody looks at need not be drawn.
class GreyPages final : public session::PageSource {
 public:
  Image raster(const store::DocumentRow&, int, double) const override {
    return {56, 56, 3, std::vector<std::uint8_t>(std::size_t{56} * 56 * 3, 200)};
  }
};

// Means over questions and seeds.
struct Means {
  double right = 0, calls = 0, malformed = 0;
};

class OracleRuns {
 public:
  OracleRuns(const store::Store& store, const Choices& choices)
      : choices_(choices), questions_(read_questions(kQuestions)), gold_(gold_answers(questions_)) {
    session::SessionParts parts;
    parts.generator = std::make_unique<OracleGenerator>(gold_, errors_, known_passages(store));
    parts.pages = std::make_unique<GreyPages>();
    session_ =
        std::make_unique<session::Session>(store, session::SessionOptions{}, std::move(parts));
  }

  void print_row(const PresetRun& preset) {
    if (const std::string lack = lacking(*session_, preset); !lack.empty()) {
      std::printf("| %s | not run: %s | | | | | | | |\n", preset.name.c_str(), lack.c_str());
      return;
    }
    const std::string pages = how_found(preset);
    if (!preset.method->info.generates) {
      std::printf("| %s | %s | %s | | | | | | |\n", preset.name.c_str(), pages.c_str(),
                  recall(preset).c_str());
      return;
    }
    const Means perfect = run(preset, {}, 1);
    const Means agents = run(preset, {.agent = choices_.rate}, choices_.seeds);
    const Means reader = run(preset, {.reader = choices_.rate}, choices_.seeds);
    const Means broken = run(preset, {.malformed = choices_.rate}, choices_.seeds);
    std::printf("| %s | %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f (%.2f) | %.2f |\n",
                preset.name.c_str(), pages.c_str(), recall(preset).c_str(), perfect.right,
                100 - perfect.right, perfect.right - agents.right, perfect.right - reader.right,
                perfect.right - broken.right, broken.malformed, perfect.calls);
    std::fflush(stdout);
    if (perfect.malformed > 0) {
      throw Error(ErrorCode::internal,
                  format("{}: replies of a perfect oracle were malformed", preset.name));
    }
  }

 private:
  static std::string how_found(const PresetRun& preset) {
    if (!preset.method->info.searches) return "all, in order";
    return preset.scorers() + (preset.by_images() ? " (random weights)" : "");
  }

  Means run(const PresetRun& preset, OracleErrors errors, int seeds) {
    Means means;
    for (int seed = 0; seed < seeds; ++seed) {
      errors.seed = static_cast<std::uint64_t>(seed);
      *errors_ = errors;
      for (const Question& question : questions_) {
        const Outcome outcome = run_question(*session_, preset, question, false);
        means.right += is_right(outcome.answer, question) ? 100 : 0;
        means.calls += static_cast<double>(outcome.usage.vlm_calls);
        means.malformed += static_cast<double>(outcome.usage.malformed);
      }
    }
    const double runs = static_cast<double>(questions_.size()) * seeds;
    return {means.right / runs, means.calls / runs, means.malformed / runs};
  }

  bool is_right(const Answer& answer, const Question& question) const {
    const Gold& gold = gold_.at(question.text);
    if (gold.pages.empty()) return !answer.answerable;
    return answer.answerable && answer.answer == gold.answer;
  }

  // Of the evidence pages, how many were handed on, in per cent; with how many pages that were.
  std::string recall(const PresetRun& preset) {
    *errors_ = {};
    double sum = 0, handed = 0;
    int counted = 0;
    for (const Question& question : questions_) {
      const std::vector<PageRef> gold = question.evidence.value_or(std::vector<PageRef>{});
      if (gold.empty()) continue;
      std::vector<PageRef> found;
      for (const RetrievedPage& page :
           run_question(*session_, preset, question, false).answer.retrieved) {
        if (std::ranges::find(found, page.page) == found.end()) found.push_back(page.page);
      }
      sum += metrics::recall(found, {gold.begin(), gold.end()}, found.size());
      handed += static_cast<double>(found.size());
      ++counted;
    }
    if (handed == 0) return "";
    return format("{:.1f} of {:.1f}", 100 * sum / counted, handed / counted);
  }

  Choices choices_;
  std::vector<Question> questions_;
  GoldAnswers gold_;
  std::shared_ptr<OracleErrors> errors_ = std::make_shared<OracleErrors>();
  std::unique_ptr<session::Session> session_;
};

void print_head(const Choices& choices) {
  std::printf(
      "Per cent of the questions; wrong calls at a rate of %g, mean of %d draws.\n\n"
      "| pipeline | pages by | evidence handed on, of pages | right, perfect reader | lost by "
      "retrieval | lost by agents | lost by reader | lost by malformed replies (number a question) "
      "| calls a question |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
      choices.rate, choices.seeds);
}

void run(const Choices& choices) {
  const TempDir dir;
  const bool vectors = !choices.quick && session::has_nets();
  const std::string store_dir = choices.store.empty() ? dir.file("store") : choices.store;
  if (choices.store.empty()) make_store(kDocs, store_dir, vectors);
  const store::Store store(store_dir, store::Mode::read);
  OracleRuns runs(store, choices);
  print_head(choices);
  for (const std::string& name : answering::preset_names()) {
    if (!choices.pipeline.empty() && name != choices.pipeline) continue;
    const PresetRun preset = preset_run(name);
    if (!vectors) {
      runs.print_row(preset_run(name, {{"scorer", {"bm25"}}}));
      continue;
    }
    runs.print_row(preset);
    if (preset.by_images()) runs.print_row(preset_run(name, {{"scorer", {"bm25", "text"}}}));
  }
}

Choices read_choices(int count, char** arguments) {
  Choices choices;
  const auto quick = [&] {
    choices.quick = true;
    choices.seeds = 2;
  };
  read_options(count, arguments,
               {{"--store", [&](const char* value) { choices.store = value; }},
                {"--pipeline", [&](const char* value) { choices.pipeline = value; }},
                {"--rate", [&](const char* value) { choices.rate = std::atof(value); }},
                {"--seeds", [&](const char* value) { choices.seeds = std::atoi(value); }}},
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
