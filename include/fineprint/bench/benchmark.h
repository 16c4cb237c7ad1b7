// Reads published benchmarks: their questions and documents as they are distributed, and how they
// are scored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/judge.h"
#include "fineprint/core/records.h"
#include "fineprint/runs/trec.h"
#include "fineprint/session/corpus.h"

namespace fineprint::bench {

// A defect of the published data, and what was done about it.
struct DataProblem {
  std::string file;      // with the questions
  std::size_t line = 0;  // from 1; 0: the complete file
  std::string field;     // empty: the complete record
  std::string what;
};

// Returns, for example, "samples.json:12: evidence_pages: page 0 does not exist ...".
std::string problem_text(const DataProblem& problem);

// One question, and the record that it was made from.
struct PublishedQuestion {
  Question question;        // in fineprint's form: pages from 1, a unique id
  std::string record_json;  // the published record as one JSON object
  std::string file;
  std::size_t line = 0;  // where the record begins
  // Pages of the documents that the question is answered from; 0: not counted.
  std::int64_t pool_pages = 0;
};

// How the questions of a run were drawn.
struct Sample {
  std::size_t of = 0;  // questions that were drawn from
  long seed = 0;
};

struct BenchmarkData {
  std::vector<PublishedQuestion> questions;
  std::vector<std::string> documents;  // files and folders to index
  runs::Gains gains;                   // if some pages count more than others
  // The benchmark's own names of pages, if it has such names.
  std::map<PageRef, std::string> page_names;
  std::string scorer;          // of metrics::scorers(): the rules for its answers
  std::string ranking_scorer;  // the same for its rankings; empty: the usual measures
  // The figure that counts: a field of the scorer's result, or a measure of rankings ("nDCG@10").
  // Empty: the scorer's score.
  std::string measure;
  JudgeKind judge = JudgeKind::none;            // what a judge is asked about its answers
  JudgeKind published_judge = JudgeKind::none;  // the same in the benchmark's paper
  std::optional<Sample> sample = {};            // absent: all questions are asked
  std::vector<DataProblem> problems;

  // Returns the questions without their records.
  std::vector<Question> plain_questions() const;
  JudgeKinds judge_kinds() const { return {judge, published_judge}; }
};

// Which part of a benchmark is loaded.
struct LoadOptions {
  // The part of the questions: a data set of opendocvqa, a language of vidore, or a split of
  // m3docvqa. Empty: the part that the benchmark reports, if it has one.
  std::string subset;
  bool all_pool = false;  // opendocvqa: rank the pages of all its data sets together
  // opendocvqa: the questions are trained on, and not scored. More data sets have such questions.
  bool training = false;
};

// An entry in the table of benchmarks; see src/bench/datasets/dataset.h.
struct Dataset;

// The name of a benchmark and a line about it.
struct BenchmarkName {
  std::string_view name, summary;
};
// Returns all benchmarks, in the order of the table.
std::vector<BenchmarkName> benchmark_names();
// Throws Error(usage) with the list of names if there is no such benchmark.
const Dataset& find_benchmark(const std::string& name);

// Reads the benchmark from the folder that it was unpacked into; src/bench/README.md describes the
// layout. A defect becomes a problem, and the rest is read: a question without text is left out, a
// repeated id gets a number appended, and a page before the first is dropped. Throws Error(input)
// if the folder does not contain this benchmark, and Error(usage) if there is no such subset.
BenchmarkData load_benchmark(const Dataset& dataset, const std::string& dir,
                             const LoadOptions& options = {});

// Returns the data sets of opendocvqa whose training questions the folder has, in the table's
// order. Throws Error(input) if there are none.
std::vector<std::string> training_subsets(const std::string& dir);

// The names that choose_judge() takes, in the order of help. The first one changes nothing.
inline constexpr std::string_view kJudgeChoices = "paper|binary|grade|extract";

// Lets another kind of judge be asked than in the benchmark's paper. Throws Error(usage) if the
// benchmark has no rules that could compare what "extract" extracts.
void choose_judge(const Dataset& dataset, std::string_view choice, BenchmarkData* data);

// Keeps `count` questions, drawn at random; their order stays. The same seed draws the same
// questions, and a larger sample contains the smaller ones. Throws Error(usage) if there are fewer
// questions.
void draw_sample(std::size_t count, long seed, BenchmarkData* data);

// Compares the questions with the indexed documents, and adds a problem for each defect: documents
// that questions name but the store lacks, gold pages after a document's last page (they are
// dropped), and, if questions name no document, documents of other folders.
void check_documents(const session::Corpus& corpus, BenchmarkData* data);

// Sets the pool_pages of all questions. With `whole_store`, questions search all documents, even if
// they name their own.
void count_pool_pages(const session::Corpus& corpus, bool whole_store, BenchmarkData* data);

}  // namespace fineprint::bench
