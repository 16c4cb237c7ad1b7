// FinanceBench, its open part: 150 questions over annual reports. Its answers were judged by
// people, and no rules were published.
#include <algorithm>

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

// Returns the pages of all pieces of evidence, each once, because several pieces are often on one
// page.
std::optional<std::vector<PageRef>> evidence_pages_of(const Source& source, Loading* loading) {
  const auto pieces = source.fields.find("evidence");
  if (pieces == source.fields.end() || !pieces->is_array()) {
    loading->problem(source, "evidence", "is missing or not a list: the gold pages are unknown");
    return std::nullopt;
  }
  std::vector<PageRef> pages;
  for (const Json& piece : *pieces) {
    if (!piece.is_object()) {
      loading->problem(source, "evidence", "contains something that is not an object: left out");
      continue;
    }
    const Source inner{source.file, source.line, piece};
    const auto name = loading->need_text(inner, "doc_name");
    const auto number = piece.find("evidence_page_num");
    if (number == piece.end() || !number->is_number_integer()) {
      loading->problem(source, "evidence.evidence_page_num", "is missing or not a whole number");
    } else if (name) {
      const auto page = loading->page(source, "evidence.evidence_page_num", number->get<long>(),
                                      PageBase::zero, *name + ".pdf");
      if (page && std::ranges::find(pages, *page) == pages.end()) pages.push_back(*page);
    }
  }
  return pages;
}

// The published records name documents without the ending of their files.
void add_financebench(const Source& source, Loading* loading) {
  const auto name = loading->need_text(source, "doc_name");
  if (!name) return;
  Question question;
  question.id = loading->need_text(source, "financebench_id").value_or("");
  question.docs = {loading->document(source, "doc_name", *name + ".pdf")};
  question.text = loading->need_text(source, "question").value_or("");
  question.answer = loading->need_text(source, "answer");
  question.evidence = evidence_pages_of(source, loading);
  loading->add(source, std::move(question),
               fields_of(source, {"company", "question_type", "question_reasoning"}));
}

BenchmarkData load_financebench(const std::string& dir, const LoadOptions&) {
  const std::string file =
      find_in(dir, {"financebench_open_source.jsonl", "data/financebench_open_source.jsonl"});
  Loading loading({find_in(dir, {"pdfs", "documents"})});
  for (const Source& source : read_json_lines(file, loading.problems())) {
    add_financebench(source, &loading);
  }
  // No rules were published, so the relaxed match gives a first number; --judge is closer to the
  // published judgement by people.
  loading.data()->scorer = "relaxed";
  loading.data()->judge = JudgeKind::binary;
  return loading.take();
}

std::vector<PredictionFile> financebench_predictions(const BenchmarkData&,
                                                     const std::vector<GivenAnswer>& given) {
  std::vector<Json> records;
  for (const GivenAnswer& one : given) {
    records.push_back({{"financebench_id", one.question.question.id},
                       {"question", one.question.question.text},
                       {"gold_answer", one.question.question.answer.value_or("")},
                       {"model_answer", one.answer.answer}});
  }
  return {{"predictions.jsonl", json_lines_text(records)}};
}

}  // namespace

const Dataset& financebench_dataset() {
  static const Dataset dataset = {
      .name = "financebench",
      .summary = "FinanceBench: financebench_open_source.jsonl and pdfs/",
      .load = load_financebench,
      .item = own_item,
      .predictions = financebench_predictions};
  return dataset;
}

}  // namespace fineprint::bench
