// PaperText: 2,804 questions over the text of papers (UDA, from QASPER).
#include "bench/datasets/prediction_files.h"
#include "bench/datasets/uda.h"

namespace fineprint::bench {
namespace {

constexpr UdaSet kPaperText = {
    .table = "paper_text_qa.csv", .list = "", .folder = "paper_docs", .scored_as = "paper"};

}  // namespace

const Dataset& papertext_dataset() {
  static const Dataset dataset = {
      .name = "papertext",
      .summary = "PaperText: paper_text_qa.csv or samples.json, and documents/",
      .load = [](const std::string& dir, const LoadOptions&) { return load_uda(kPaperText, dir); },
      .item = [](const GivenAnswer& given) { return uda_item(kPaperText, given); },
      .predictions = sample_predictions};
  return dataset;
}

}  // namespace fineprint::bench
