// PaperTab: 393 questions over tables of papers (UDA, from QASPER).
#include "bench/datasets/prediction_files.h"
#include "bench/datasets/uda.h"

namespace fineprint::bench {
namespace {

constexpr UdaSet kPaperTab = {.table = "paper_tab_qa.csv",
                              .list = "samples_PaperTab.json",
                              .folder = "paper_docs",
                              .scored_as = "paper"};

}  // namespace

const Dataset& papertab_dataset() {
  static const Dataset dataset = {
      .name = "papertab",
      .summary =
          "PaperTab: paper_tab_qa.csv, samples_PaperTab.json or samples.json, and documents/",
      .load = [](const std::string& dir, const LoadOptions&) { return load_uda(kPaperTab, dir); },
      .item = [](const GivenAnswer& given) { return uda_item(kPaperTab, given); },
      .predictions = sample_predictions};
  return dataset;
}

}  // namespace fineprint::bench
