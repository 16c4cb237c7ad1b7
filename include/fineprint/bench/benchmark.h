// Published benchmarks: questions and documents as they are distributed, and how they are scored.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/judge.h"
#include "fineprint/bench/trec.h"
#include "fineprint/core/records.h"
#include "fineprint/session/corpus.h"

namespace fineprint::bench {

// Something of the published data that is missing or malformed, and what was done about it.
struct DataProblem {
  std::string file;      // of the questions
  std::size_t line = 0;  // from 1; 0: the whole file
  std::string field;     // empty: the whole record
  std::string what;
};

// "samples.json:12: evidence_pages: page 0 counts from 1 ..."
std::string problem_text(const DataProblem& problem);

// One question, and the record that it was made of.
struct PublishedQuestion {
  Question question;        // in our terms: pages from 1, an id of its own
  std::string record_json;  // the published record as one JSON object
  std::string file;
  std::size_t line = 0;  // where the record begins
};

struct BenchmarkData {
  std::vector<PublishedQuestion> questions;
  std::vector<std::string> documents;  // files and folders to index
  Gains gains;                         // where some pages count more than others
  // What the benchmark calls a page, where it has names of its own for them.
  std::map<PageRef, std::string> page_names;
  std::string scorer;          // of metrics::scorers(): the rules for these answers
  std::string ranking_scorer;  // the same for their rankings; empty: the usual measures
  // What counts: a field that the scorer gives, or a measure of rankings ("nDCG@10"); empty: the
  // scorer's score.
  std::string measure;
  JudgeKind judge = JudgeKind::none;  // what a judge is asked about these answers
  std::vector<DataProblem> problems;

  std::vector<Question> plain_questions() const;
};

struct LoadOptions {
  // The part of the questions: a data set of opendocvqa, a language of vidore, a split of m3docvqa.
  // Empty: the one that the benchmark reports, if it has one.
  std::string subset;
  bool all_pool = false;  // opendocvqa: rank the pages of all its data sets together
};

// One of the table; see src/bench/datasets/dataset.h.
struct Dataset;

// Name and a line for people, in the order of the table.
struct BenchmarkName {
  std::string_view name, summary;
};
std::vector<BenchmarkName> benchmark_names();
// Throws Error(usage) that lists the names.
const Dataset& find_benchmark(const std::string& name);

// Reads the benchmark from the folder it was unpacked into (README.md beside this says how). What
// is malformed becomes a problem and the rest is read: a question without words is left out, an id
// that was used already gets a number behind it, a page before the first is dropped. Throws
// Error(input) where the folder holds no such benchmark, Error(usage) for a subset that there is
// not.
BenchmarkData load_benchmark(const Dataset& dataset, const std::string& dir,
                             const LoadOptions& options = {});

// Holds the questions against what was indexed: documents that questions name and the store lacks,
// gold pages behind the last one, which are dropped, and, where questions name no document,
// documents of other folders. Adds problems.
void check_documents(const session::Corpus& corpus, BenchmarkData* data);

}  // namespace fineprint::bench
