// The layouts that PaperTab, PaperText and FetaTab share.
#pragma once

#include <string>
#include <string_view>

#include "bench/datasets/dataset.h"

namespace fineprint::bench {

// Where one of these benchmarks is found, and how it is scored.
struct UdaSet {
  std::string_view table;   // UDA's table: "paper_tab_qa.csv"
  std::string_view list;    // MoLoRAG's list: "samples_PaperTab.json"; empty: there is none
  std::string_view folder;  // of UDA's PDFs: "paper_docs"
  std::string_view
      scored_as;  // the variant of the F1: "paper" (best of three references) or "feta"
};

// Reads UDA's table (values between '|'), MoLoRAG's list, or MDocAgent's samples.json: the first of
// these that the folder has.
BenchmarkData load_uda(const UdaSet& set, const std::string& dir);

// Returns the input of UDA's F1.
Json uda_item(const UdaSet& set, const GivenAnswer& given);

}  // namespace fineprint::bench
