// Writes predictions for the benchmarks' own scorers.
#pragma once

#include <string>
#include <vector>

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"

namespace fineprint::bench {

// Returns `records` as a JSON list with one record a line, or as JSON Lines.
std::string json_list_text(const std::vector<Json>& records);
std::string json_lines_text(const std::vector<Json>& records);

// Returns the page numbers of the ranking, counted from `base`.
Json ranked_pages(const GivenAnswer& given, PageBase base);
// Returns the file name without its ending: "report" for "old/report.pdf".
std::string stem_of(const std::string& file);

// Returns the published records, each with its answer and ranking in the fields that three
// harnesses read: "response" (MMLongBench-Doc), "raw_response" and "pages_ranking" (MoLoRAG: a list
// in a string, pages from 1), "ans_fineprint" and "mix-top-10-question" (MDocAgent with run-name
// fineprint: pages from 0).
std::vector<PredictionFile> sample_predictions(const BenchmarkData& data,
                                               const std::vector<GivenAnswer>& given);

}  // namespace fineprint::bench
