// LongDocURL: 2,325 questions of understanding, reasoning and locating over long documents. It is
// read in its authors' form (lines with typed values) and in MoLoRAG's (a list of strings).
#include "fineprint/core/format.h"

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

// Reads the fields that both forms share. `file` is the document's.
void add_longdocurl(const Source& source, const char* id, const std::string& file, Json extra,
                    Loading* loading) {
  Question question;
  question.id = loading->text(source, id).value_or("");
  question.docs = {file};
  question.text = loading->need_text(source, "question").value_or("");
  question.answer = loading->text(source, "answer");
  question.answer_format = loading->need_text(source, "answer_format").value_or("");
  question.evidence = loading->pages(source, "evidence_pages", PageBase::one, file);
  extra["evidence_sources"] = loading->list(source, "evidence_sources");
  loading->add(source, std::move(question), std::move(extra));
}

// The authors' records name documents by number.
void add_authors_form(const Source& source, Loading* loading) {
  const auto number = loading->need_text(source, "doc_no");
  if (!number) return;
  const std::string file = loading->document(source, "doc_no", *number + ".pdf");
  Json extra = fields_of(source, {"question_type", "task_tag", "total_pages", "start_end_idx"});
  add_longdocurl(source, "question_id", file, std::move(extra), loading);
}

// MoLoRAG's records name documents by file.
void add_shared_form(const Source& source, Loading* loading) {
  const auto name = loading->need_text(source, "doc_id");
  if (!name) return;
  const std::string file = loading->document(source, "doc_id", *name);
  add_longdocurl(source, "id", file, fields_of(source, {"task_type"}), loading);
}

BenchmarkData load_longdocurl(const std::string& dir, const LoadOptions&) {
  const std::string lines = find_if_any(dir, {"LongDocURL.jsonl", "data/LongDocURL.jsonl"});
  const std::string list =
      find_if_any(dir, {"samples_LongDocURL.json", "dataset/samples_LongDocURL.json"});
  if (lines.empty() && list.empty()) {
    find_in(dir, {"LongDocURL.jsonl", "samples_LongDocURL.json"});  // reports the missing file
  }
  Loading loading({find_in(dir, {"documents", "data/documents", "pdfs", "data/pdfs"})});
  if (!lines.empty()) {
    for (const Source& source : read_json_lines(lines, loading.problems())) {
      add_authors_form(source, &loading);
    }
  } else {
    for (const Source& source : read_json_list(list, loading.problems())) {
      add_shared_form(source, &loading);
    }
  }
  loading.data()->ranking_scorer = "molorag_retrieval";
  loading.data()->scorer = lines.empty() ? "molorag_longdocurl" : "longdocurl";
  loading.data()->judge = lines.empty() ? JudgeKind::extraction : JudgeKind::tagged_extraction;
  return loading.take();
}

// MoLoRAG's form is read by the same harnesses as the other samples.
std::vector<PredictionFile> longdocurl_predictions(const BenchmarkData& data,
                                                   const std::vector<GivenAnswer>& given) {
  if (data.scorer != "longdocurl") return sample_predictions(data, given);
  std::vector<Json> records;
  for (const GivenAnswer& one : given) {
    Json record = one.record;
    record["detailed_response"] = one.answer.answer;
    record["pred"] = one.prediction;
    records.push_back(std::move(record));
  }
  return {{"predictions.jsonl", json_lines_text(records)}};
}

}  // namespace

const Dataset& longdocurl_dataset() {
  static const Dataset dataset = {
      .name = "longdocurl",
      .summary = "LongDocURL: LongDocURL.jsonl or samples_LongDocURL.json, and documents/",
      .load = load_longdocurl,
      .item = extracted_item,
      .ranking_item = page_ranking_item,
      .predictions = longdocurl_predictions};
  return dataset;
}

}  // namespace fineprint::bench
