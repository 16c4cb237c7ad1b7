// The layouts that PaperTab, PaperText and FetaTab share.
#pragma once

#include <string>
#include <string_view>

#include "bench/datasets/dataset.h"

namespace fineprint::bench {

// Where one of them is found and what it is scored by.
struct UdaSet {
  std::string_view table;      // UDA's own: "paper_tab_qa.csv"
  std::string_view list;       // MoLoRAG's: "samples_PaperTab.json"; empty: it has none
  std::string_view folder;     // of UDA's PDFs: "paper_docs"
  std::string_view scored_as;  // what the F1 is told: "paper" (best of three references) or "feta"
};

// Reads UDA's table (values between '|'), MoLoRAG's list, or MDocAgent's samples.json, whichever
// the folder has, in this order.
BenchmarkData load_uda(const UdaSet& set, const std::string& dir);

// The input of UDA's F1.
Json uda_item(const UdaSet& set, const GivenAnswer& given);

}  // namespace fineprint::bench
