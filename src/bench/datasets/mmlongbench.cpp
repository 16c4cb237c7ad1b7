// MMLongBench-Doc: 1,082 questions over single long documents, 223 of them without an answer. Also
// read in the form that MoLoRAG distributes, which has its own ids and rules.
#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

constexpr const char* kSharedForm = "samples_MMLong.json";

void add_mmlongbench(const Source& source, Loading* loading) {
  Question question;
  const auto file = loading->need_text(source, "doc_id");
  if (!file) return;
  question.docs = {loading->document(source, "doc_id", *file)};
  question.id = loading->text(source, "id").value_or("");
  question.text = loading->need_text(source, "question").value_or("");
  question.answer = loading->need_text(source, "answer");
  question.answer_format = loading->need_text(source, "answer_format").value_or("");
  question.evidence = loading->pages(source, "evidence_pages", PageBase::one, *file);
  Json extra = fields_of(source, {"doc_type"});
  extra["evidence_sources"] = loading->list(source, "evidence_sources");
  loading->add(source, std::move(question), std::move(extra));
}

BenchmarkData load_mmlongbench(const std::string& dir, const LoadOptions&) {
  const std::string file = find_in(
      dir, {"samples.json", "data/samples.json", kSharedForm, "dataset/samples_MMLong.json"});
  Loading loading({find_in(dir, {"documents", "data/documents"})});
  for (const Source& source : read_json_list(file, loading.problems())) {
    add_mmlongbench(source, &loading);
  }
  loading.data()->ranking_scorer = "molorag_retrieval";
  // MoLoRAG scores with its own copy of the rules, so the form decides.
  loading.data()->scorer = file.ends_with(kSharedForm) ? "molorag_mmlong" : "mmlongbench";
  loading.data()->judge = JudgeKind::extraction;
  return loading.take();
}

}  // namespace

const Dataset& mmlongbench_dataset() {
  static const Dataset dataset = {.name = "mmlongbench",
                                  .summary = "MMLongBench-Doc: samples.json and documents/",
                                  .load = load_mmlongbench,
                                  .item = extracted_item,
                                  .ranking_item = page_ranking_item,
                                  .predictions = sample_predictions};
  return dataset;
}

}  // namespace fineprint::bench
