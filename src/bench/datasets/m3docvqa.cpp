// M3DocVQA (M3DocRAG): questions of MultimodalQA over one pool of encyclopedia articles as PDFs.
// Its gold names documents, not pages.
#include "fineprint/core/format.h"

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

constexpr const char* kDefaultSplit = "dev";  // the split that the paper reports

// Returns the texts of "answers": [{"answer": ...}]. Together they are the answer.
std::vector<std::string> answer_texts(const Source& source, Loading* loading) {
  std::vector<std::string> texts;
  const auto answers = source.fields.find("answers");
  if (answers != source.fields.end() && answers->is_array()) {
    for (const Json& answer : *answers) {
      if (!answer.is_object()) continue;
      if (const auto text = loading->text({source.file, source.line, answer}, "answer")) {
        texts.push_back(*text);
      }
    }
  }
  if (texts.empty()) loading->problem(source, "answers", "is missing or empty");
  return texts;
}

// The gold names documents but no pages, so these are kept as an extra field and not as evidence.
std::vector<std::string> supporting_documents(const Source& source, Loading* loading) {
  std::vector<std::string> files;
  const auto context = source.fields.find("supporting_context");
  if (context == source.fields.end() || !context->is_array()) return files;
  for (const Json& piece : *context) {
    if (!piece.is_object()) continue;
    const Source inner{source.file, source.line, piece};
    if (const auto id = loading->need_text(inner, "doc_id")) {
      files.push_back(loading->document(source, "supporting_context", *id + ".pdf"));
    }
  }
  return files;
}

void add_m3docvqa(const Source& source, Loading* loading) {
  Question question;
  question.id = loading->need_text(source, "qid").value_or("");
  question.text = loading->need_text(source, "question").value_or("");
  const std::vector<std::string> answers = answer_texts(source, loading);
  // Several texts become one JSON list, the form of list answers.
  if (answers.size() == 1) question.answer = answers.front();
  if (answers.size() > 1) question.answer = dump_json(Json(answers));
  Json extra = Json::object();
  extra["answers"] = answers;
  extra["supporting_docs"] = supporting_documents(source, loading);
  if (const auto meta = source.fields.find("metadata");
      meta != source.fields.end() && meta->is_object()) {
    extra["question_type"] = loading->text({source.file, source.line, *meta}, "type").value_or("");
  }
  loading->add(source, std::move(question), std::move(extra));
}

BenchmarkData load_m3docvqa(const std::string& dir, const LoadOptions& options) {
  const std::string split = options.subset.empty() ? kDefaultSplit : options.subset;
  const std::string name = format("MMQA_{}.jsonl", split);
  const std::string file = find_in(dir, {"multimodalqa/" + name, name});
  Loading loading({find_in(dir, {"splits/pdfs_" + split, "pdfs_" + split})});
  for (const Source& source : read_json_lines(file, loading.problems())) {
    add_m3docvqa(source, &loading);
  }
  loading.data()->scorer = "f1";
  loading.data()->judge = JudgeKind::binary;
  return loading.take();
}

// In this format, pages count from 0.
std::vector<PredictionFile> m3docvqa_predictions(const BenchmarkData&,
                                                 const std::vector<GivenAnswer>& given) {
  Json all = Json::object();
  for (const GivenAnswer& one : given) {
    Json pages = Json::array();
    for (const RetrievedPage& found : one.answer.retrieved) {
      pages.push_back({stem_of(found.page.doc), found.page.page - 1, found.score});
    }
    all[one.question.question.id] = {{"pred_answer", one.answer.answer},
                                     {"page_retrieval_results", std::move(pages)}};
  }
  return {{"predictions.json", dump_json(all) + "\n"}};
}

}  // namespace

const Dataset& m3docvqa_dataset() {
  static const Dataset dataset = {
      .name = "m3docvqa",
      .summary = "M3DocVQA: multimodalqa/MMQA_dev.jsonl and splits/pdfs_dev/",
      .load = load_m3docvqa,
      .item = own_item,
      .predictions = m3docvqa_predictions};
  return dataset;
}

}  // namespace fineprint::bench
