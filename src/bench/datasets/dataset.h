// What differs between benchmarks: how their data is read, scored, and written for their own
// scorers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/json.h"

namespace fineprint::bench {

// An answer with its question.
struct GivenAnswer {
  const PublishedQuestion& question;
  Json record;             // question.record_json
  const Answer& answer;    // empty if there is none
  std::string prediction;  // the text to compare: the answer, or what the judge extracted from it
  std::string extraction;  // the judge's reply, if it extracts
};

// A file for the benchmark's own scorer.
struct PredictionFile {
  std::string name;  // "predictions.json"
  std::string text;
};

// Returns {"answer", "prediction", "answer_format"} of fineprint's record.
Json own_item(const GivenAnswer& given);
// Returns the published record with the answer as "prediction", or the judge's reply as
// "extraction".
Json extracted_item(const GivenAnswer& given);
// Returns {"evidence_pages", "pages_ranking"} for a question about one document.
Json page_ranking_item(const GivenAnswer& given);

struct Dataset {
  std::string_view name;
  std::string_view summary;  // one line for people
  BenchmarkData (*load)(const std::string& dir, const LoadOptions& options) = nullptr;
  // Returns the input of the scorer that BenchmarkData::scorer names.
  Json (*item)(const GivenAnswer& given) = nullptr;
  // Returns the input of the scorer that BenchmarkData::ranking_scorer names.
  Json (*ranking_item)(const GivenAnswer& given) = nullptr;
  // Returns the answers in the benchmark's own field names.
  std::vector<PredictionFile> (*predictions)(const BenchmarkData& data,
                                             const std::vector<GivenAnswer>& given) = nullptr;
};

const Dataset& mmlongbench_dataset();
const Dataset& longdocurl_dataset();
const Dataset& opendocvqa_dataset();
const Dataset& vidoseek_dataset();
const Dataset& vidore_dataset();
const Dataset& papertab_dataset();
const Dataset& papertext_dataset();
const Dataset& fetatab_dataset();
const Dataset& financebench_dataset();
const Dataset& m3docvqa_dataset();
const Dataset& folder_dataset();

}  // namespace fineprint::bench
