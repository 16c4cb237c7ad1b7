// FetaTab: 1,024 questions over tables of encyclopedia articles (UDA, from FeTaQA).
#include "bench/datasets/prediction_files.h"
#include "bench/datasets/uda.h"

namespace fineprint::bench {
namespace {

constexpr UdaSet kFetaTab = {.table = "feta_qa.csv",
                             .list = "samples_FetaTab.json",
                             .folder = "wiki_feta_docs/pdfs",
                             .scored_as = "feta"};

}  // namespace

const Dataset& fetatab_dataset() {
  static const Dataset dataset = {
      .name = "fetatab",
      .summary = "FetaTab: feta_qa.csv, samples_FetaTab.json or samples.json, and documents/",
      .load = [](const std::string& dir, const LoadOptions&) { return load_uda(kFetaTab, dir); },
      .item = [](const GivenAnswer& given) { return uda_item(kFetaTab, given); },
      .predictions = sample_predictions};
  return dataset;
}

}  // namespace fineprint::bench
