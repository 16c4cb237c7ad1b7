// Reads questions over papers and encyclopedia articles in the three forms that are distributed.
#include "bench/datasets/uda.h"

#include "fineprint/core/format.h"

#include "bench/datasets/loading.h"

namespace fineprint::bench {
namespace {

constexpr const char* kAnswerColumns[] = {"answer_1", "answer_2", "answer_3"};

// A missing reference is written as a single blank.
std::vector<std::string> references_of(const Source& source, Loading* loading) {
  std::vector<std::string> references;
  if (source.fields.contains("answer")) {
    references.push_back(loading->need_text(source, "answer").value_or(""));
    return references;
  }
  for (const char* column : kAnswerColumns) {
    const auto text = loading->text(source, column);
    if (text && *text != " " && !text->empty()) references.push_back(*text);
  }
  if (references.empty()) loading->problem(source, "answer_1", "the question has no answer");
  return references;
}

// The first reference is the gold answer; the scorer compares with all of them.
void add_uda(const Source& source, Loading* loading, Question question,
             std::vector<std::string> references) {
  question.text = loading->need_text(source, "question").value_or("");
  if (!references.empty()) question.answer = references.front();
  question.answer_format = loading->text(source, "answer_format").value_or("");
  Json extra = Json::object();
  extra["answers"] = std::move(references);
  loading->add(source, std::move(question), std::move(extra));
}

// UDA's table names documents without ".pdf".
void add_table_row(const Source& source, Loading* loading) {
  const auto name = loading->need_text(source, "doc_name");
  if (!name) return;
  Question question;
  question.id = loading->need_text(source, "q_uid").value_or("");
  question.docs = {loading->document(source, "doc_name", *name + ".pdf")};
  add_uda(source, loading, std::move(question), references_of(source, loading));
}

// Reads a sample of a list. `page_ids` of some samples limit the retrieval and are not gold pages.
void add_uda_sample(const Source& source, Loading* loading) {
  const auto file = loading->need_text(source, "doc_id");
  if (!file) return;
  Question question;
  question.id = loading->text(source, "id").value_or("");
  question.docs = {loading->document(source, "doc_id", *file)};
  add_uda(source, loading, std::move(question), references_of(source, loading));
}

}  // namespace

// UDA's own table comes first if the folder has several forms.
BenchmarkData load_uda(const UdaSet& set, const std::string& dir) {
  const std::string table =
      find_if_any(dir, {set.table, format("dataset/qa/{}", set.table), format("qa/{}", set.table)});
  const std::string list =
      set.list.empty() ? "" : find_if_any(dir, {set.list, format("dataset/{}", set.list)});
  const std::string file = !table.empty()  ? table
                           : !list.empty() ? list
                                           : find_in(dir, {"samples.json", set.table});
  Loading loading({find_in(dir, {"documents", format("src_doc_files/{}", set.folder),
                                 format("dataset/src_doc_files/{}", set.folder)})});
  if (!table.empty()) {
    for (const Source& source : read_csv(file, '|', loading.problems())) {
      add_table_row(source, &loading);
    }
  } else {
    for (const Source& source : read_json_list(file, loading.problems())) {
      add_uda_sample(source, &loading);
    }
  }
  loading.data()->scorer = "uda_f1";
  loading.data()->judge = JudgeKind::binary;
  return loading.take();
}

Json uda_item(const UdaSet& set, const GivenAnswer& given) {
  return {{"benchmark", set.scored_as},
          {"prediction", given.prediction},
          {"references", Json::parse(given.question.question.extra_json).at("answers")}};
}

}  // namespace fineprint::bench
