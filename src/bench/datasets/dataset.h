// What is particular to one benchmark: how its data is read, scored and given back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/json.h"

namespace fineprint::bench {

// An answer beside its question.
struct GivenAnswer {
  const PublishedQuestion& question;
  Json record;             // question.record_json
  const Answer& answer;    // empty where none was given
  std::string prediction;  // what is compared: the answer, or what was extracted of it
  std::string extraction;  // the judge's reply, if it was asked to extract
};

// A file for the benchmark's own scorer.
struct PredictionFile {
  std::string name;  // "predictions.json"
  std::string text;
};

// {"answer", "prediction", "answer_format"} of our own record.
Json own_item(const GivenAnswer& given);
// The published record with the answer as "prediction", or the judge's reply as "extraction".
Json extracted_item(const GivenAnswer& given);
// {"evidence_pages", "pages_ranking"} of a question about one document.
Json page_ranking_item(const GivenAnswer& given);

struct Dataset {
  std::string_view name;
  std::string_view summary;  // a line for people
  BenchmarkData (*load)(const std::string& dir, const LoadOptions& options) = nullptr;
  // The input of the scorer that BenchmarkData::scorer names.
  Json (*item)(const GivenAnswer& given) = nullptr;
  // The same of the one that BenchmarkData::ranking_scorer names.
  Json (*ranking_item)(const GivenAnswer& given) = nullptr;
  // In the benchmark's own field names.
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
