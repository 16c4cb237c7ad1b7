// The user's own questions: questions.jsonl in fineprint's form, and documents in docs/.
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"

namespace fineprint::bench {
namespace {

// Drops wrong pages, because they would make the complete record unreadable.
void mend_pages(Source* source, Loading* loading) {
  const auto pages = source->fields.find("evidence_pages");
  if (pages == source->fields.end() || !pages->is_array()) return;
  Json kept = Json::array();
  for (const Json& page : *pages) {
    const Json& number = page.is_object() && page.contains("page") ? page["page"] : page;
    const bool is_page = number.is_number_integer() && number.get<long>() >= 1;
    if (is_page) kept.push_back(page);
    if (!is_page) {
      loading->problem(*source, "evidence_pages",
                       format("{} is not a page (pages count from 1): left out", dump_json(page)));
    }
  }
  const bool none_left = kept.empty() && !pages->empty();
  *pages = none_left ? Json() : std::move(kept);
}

void add_own(Source source, const std::filesystem::path& folder, Loading* loading) {
  mend_pages(&source, loading);
  Question question;
  try {
    question = parse_question(dump_json(source.fields));
  } catch (const Error& error) {
    return loading->problem(source, "", format("left out: {}", error.what()));
  }
  for (std::string& image : question.images) image = (folder / image).string();
  for (const std::string& doc : question.docs) {
    // A glob cannot be looked up as a file.
    if (doc.find_first_of("*?[") == std::string::npos) loading->document(source, "doc", doc);
  }
  const Json extra = Json::parse(question.extra_json);
  loading->add(source, std::move(question), extra);
}

BenchmarkData load_folder(const std::string& dir, const LoadOptions&) {
  const std::string file = find_in(dir, {"questions.jsonl"});
  Loading loading({find_in(dir, {"docs", "documents"})});
  for (const Source& source : read_json_lines(file, loading.problems()))
    add_own(source, dir, &loading);
  loading.data()->scorer = "relaxed";
  loading.data()->judge = JudgeKind::binary;
  return loading.take();
}

}  // namespace

const Dataset& folder_dataset() {
  static const Dataset dataset = {.name = "folder",
                                  .summary = "questions of your own: questions.jsonl and docs/",
                                  .load = load_folder,
                                  .item = own_item,
                                  .predictions = nullptr};
  return dataset;
}

}  // namespace fineprint::bench
