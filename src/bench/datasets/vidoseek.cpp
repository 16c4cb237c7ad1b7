// ViDoSeek (ViDoRAG): 1,142 questions with one answer each, over one pool of all pages of all
// documents. Its harness has SlideVQA in the same layout.
#include "fineprint/core/format.h"

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

void add_vidoseek(const Source& source, Loading* loading) {
  Question question;
  question.id = loading->need_text(source, "uid").value_or("");
  question.text = loading->need_text(source, "query").value_or("");
  question.answer = loading->need_text(source, "reference_answer");
  const auto meta = source.fields.find("meta_info");
  Json extra = Json::object();
  if (meta == source.fields.end() || !meta->is_object()) {
    loading->problem(source, "meta_info",
                     "is missing or not an object: the gold pages are unknown");
  } else {
    const Source inner{source.file, source.line, *meta};
    const std::string file = loading->need_text(inner, "file_name").value_or("");
    if (!file.empty()) loading->document(inner, "file_name", file);
    question.evidence = loading->pages(inner, "reference_page", PageBase::one, file);
    if (!question.evidence) loading->problem(source, "meta_info.reference_page", "is missing");
    extra = fields_of(inner, {"source_type", "query_type"});
  }
  // The document of a question is part of what must be found, so the pool is not limited to it.
  loading->add(source, std::move(question), std::move(extra));
}

// There are no rules for its answers: a judge grades them. Without one, the ranking is the score.
BenchmarkData load_vidoseek(const std::string& dir, const LoadOptions&) {
  const std::string file = find_in(dir, {"rag_dataset.json", "vidoseek.json"});
  Loading loading({find_in(dir, {"pdf", "pdfs", "documents"})});
  for (const Source& source : read_json_list(file, loading.problems(), "examples")) {
    add_vidoseek(source, &loading);
  }
  loading.data()->ranking_scorer = "vidorag_retrieval";
  loading.data()->measure = "R@5";  // from its paper's table of retrieval
  loading.data()->judge = JudgeKind::grade;
  return loading.take();
}

// Returns the harness's name of a page's picture: page 1 is NAME_1.jpg.
std::string picture_of(const PageRef& page) {
  return format("{}_{}.jpg", stem_of(page.doc), page.page);
}

// Lists only pages that were read, because the harness counts all of the list. Uses the published
// record, whose pages are judged by the names of their pictures.
Json harness_ranking_item(const GivenAnswer& given) {
  const Json meta = given.record.value("meta_info", Json::object());
  Json retrieved = Json::array();
  for (const RetrievedPage& found : shown_pages(given.answer)) {
    retrieved.push_back(picture_of(found.page));
  }
  return {{"file_name", meta.value("file_name", Json())},
          {"reference_page", meta.value("reference_page", Json())},
          {"retrieved", std::move(retrieved)}};
}

std::vector<PredictionFile> vidoseek_predictions(const BenchmarkData&,
                                                 const std::vector<GivenAnswer>& given) {
  std::vector<Json> records;
  for (const GivenAnswer& one : given) {
    Json nodes = Json::array();
    for (const RetrievedPage& found : shown_pages(one.answer)) {
      nodes.push_back({{"node", {{"metadata", {{"file_name", picture_of(found.page)}}}}},
                       {"score", found.score}});
    }
    Json record = one.record;
    record["response"] = one.answer.answer;
    record["recall_results"] = {{"source_nodes", std::move(nodes)}};
    records.push_back(std::move(record));
  }
  return {{"predictions.jsonl", json_lines_text(records)}};
}

}  // namespace

const Dataset& vidoseek_dataset() {
  static const Dataset dataset = {.name = "vidoseek",
                                  .summary = "ViDoSeek: rag_dataset.json and pdf/",
                                  .load = load_vidoseek,
                                  .item = {},
                                  .ranking_item = harness_ranking_item,
                                  .predictions = vidoseek_predictions};
  return dataset;
}

}  // namespace fineprint::bench
