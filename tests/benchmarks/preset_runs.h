// What benchmarks of pipelines share: a store of test documents, the presets as the program reads
// them, an oracle over the test questions, and one run of a question.
#pragma once

#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/answering/method_options.h"
#include "fineprint/answering/presets.h"
#include "fineprint/core/format.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/reading/worker.h"
#include "fineprint/session/context.h"
#include "fineprint/session/load.h"

#include "cli/options.h"
#include "cli/wiring.h"
#include "support/oracle_generator.h"

namespace fineprint::testing {

inline constexpr const char* kDocs = FINEPRINT_TEST_DATA "/docs";
inline constexpr const char* kQuestions = FINEPRINT_TEST_DATA "/questions.jsonl";

// The set-up's text encoder, and tiny encoders of pages and texts with random weights: what these
// find is noise.
inline std::vector<std::string> test_retrievers() {
  return {FINEPRINT_BENCHMARK_MODEL, FINEPRINT_TEST_DATA "/phi3v_a/model",
          FINEPRINT_TEST_DATA "/colpali_a/model", FINEPRINT_TEST_DATA "/colbert_a/model"};
}

// Makes a store of `folder` with maps of its documents; without `vectors` for keyword search alone.
inline void make_store(const std::string& folder, const std::string& store_dir, bool vectors) {
  ingest::IngestOptions options;
  options.map = "heuristic";
  if (vectors) {
    options.retrievers = test_retrievers();
    options.elements = true;
  } else {
    options.scorers = {"bm25"};
  }
  store::Store store(store_dir, store::Mode::write);
  const ingest::IngestReport report = ingest::ingest({folder}, options, store);
  for (const ingest::FailedFile& failure : report.failures) {
    throw Error(failure.code, format("{}: {}", failure.file, failure.message));
  }
}

// A preset as `--pipeline NAME` has it, with some settings changed.
struct PresetRun {
  std::string name;
  const pipelines::Pipeline* method = nullptr;
  pipelines::PipelineOptions options;

  // Whether its pages are found by vectors of page images.
  bool by_images() const {
    for (const std::string& scorer : options.search.scorers) {
      if (scorer.starts_with("page") || scorer.starts_with("hybrid-mask")) return true;
      if (scorer.starts_with("late") && !scorer.starts_with("late-text")) return true;
    }
    return false;
  }
  std::string scorers() const {
    std::string joined;
    for (const std::string& scorer : options.search.scorers) {
      joined += (joined.empty() ? "" : ",") + scorer;
    }
    return joined;
  }
};

inline PresetRun preset_run(const std::string& name, const OptionTexts& changed = {}) {
  const answering::Preset preset = answering::find_preset(name, cli::options());
  cli::Settings settings(cli::options());
  settings.lay_over(preset.values, preset.file);
  settings.lay_over(changed, "the benchmark");
  return {name, preset.method, answering::pipeline_options(settings, preset.method->info.name)};
}

// What the store lacks for the preset, but for vectors; empty: nothing. Throws what else is wrong.
inline std::string lacking(const session::Session& session, const PresetRun& preset) {
  if (preset.method->check == nullptr) return {};
  try {
    preset.method->check(session, preset.options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::store) throw;
    return error.what();
  }
  return {};
}

// Every chunk of the store, by which the oracle knows passages again.
inline std::vector<KnownPassage> known_passages(const store::Store& store) {
  const session::Corpus corpus(store);
  const session::ChunkTable& chunks = corpus.chunks();
  std::vector<KnownPassage> known;
  for (ChunkId chunk; chunk.value < chunks.page.size(); ++chunk) {
    const PageRef ref = corpus.ref(chunks.page_of(chunk));
    known.push_back({bare_text(corpus.chunk(chunk).text), format("{}:{}", ref.doc, ref.page)});
  }
  return known;
}

// Reads "--name value" pairs and "--quick". Throws Error(usage) naming what it does not know.
inline void read_options(int count, char** arguments,
                         const std::map<std::string, std::function<void(const char*)>>& options,
                         const std::function<void()>& quick) {
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--quick") {
      quick();
      continue;
    }
    const auto option = options.find(name);
    if (option == options.end()) throw Error(ErrorCode::usage, format("unknown option {}", name));
    if (i + 1 == count) throw Error(ErrorCode::usage, format("{} takes a value", name));
    option->second(arguments[++i]);
  }
}

// The main function of a benchmark that reads documents: `run` gives the exit code.
inline int run_benchmark(int count, char** arguments, const std::function<int()>& run) {
  if (count > 1 && std::strcmp(arguments[1], documents::kWorkerArgument) == 0) {
    return reading::run_worker();
  }
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}

// What came of one question.
struct Outcome {
  Answer answer;
  Usage usage;
  std::string trace;  // JSON
  double ms = 0;      // of the pipeline
};

inline Outcome run_question(const session::Session& session, const PresetRun& preset,
                            const Question& question, bool traced) {
  pipelines::PipelineOptions options = preset.options;
  options.search.docs = question.docs;
  Trace trace(traced);
  Budget budget;
  session::Context context{session, trace, budget};
  Outcome outcome;
  outcome.answer = preset.method->run(context, question, options);
  outcome.ms = budget.seconds() * 1000;
  outcome.usage = context.usage;
  if (traced) outcome.trace = trace.to_json();
  return outcome;
}

}  // namespace fineprint::testing
