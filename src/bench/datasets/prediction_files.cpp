// Writes records as JSON lists and lines.
#include "bench/datasets/prediction_files.h"

#include <filesystem>

namespace fineprint::bench {

std::string json_list_text(const std::vector<Json>& records) {
  std::string text = "[\n";
  for (std::size_t i = 0; i < records.size(); ++i) {
    text += dump_json(records[i]) + (i + 1 < records.size() ? ",\n" : "\n");
  }
  return text + "]\n";
}

std::string json_lines_text(const std::vector<Json>& records) {
  std::string text;
  for (const Json& record : records) text += dump_json(record) + "\n";
  return text;
}

// Harnesses differ in the number of the first page.
Json ranked_pages(const GivenAnswer& given, PageBase base) {
  Json pages = Json::array();
  for (const RetrievedPage& found : given.answer.retrieved) {
    pages.push_back(found.page.page - 1 + static_cast<int>(base));
  }
  return pages;
}

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

std::vector<PredictionFile> sample_predictions(const BenchmarkData&,
                                               const std::vector<GivenAnswer>& given) {
  std::vector<Json> records;
  for (const GivenAnswer& one : given) {
    Json record = one.record;
    record["response"] = one.answer.answer;
    if (!one.extraction.empty()) {
      record["extracted_res"] = one.extraction;
      record["pred"] = one.prediction;
    }
    record["raw_response"] = one.answer.answer;
    record["pages_ranking"] = dump_json(ranked_pages(one, PageBase::one));
    record["ans_fineprint"] = one.answer.answer;
    record["mix-top-10-question"] = ranked_pages(one, PageBase::zero);
    records.push_back(std::move(record));
  }
  return {{"predictions.json", json_list_text(records)}};
}

}  // namespace fineprint::bench
