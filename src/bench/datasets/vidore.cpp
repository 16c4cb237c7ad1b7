// ViDoRe V3: one of its data sets (hr, finance_en, ...), a pool of pages with graded relevance, and
// an answer for each question. scripts/data/unpack-parquet unpacks its tables; the pages are those
// of the PDFs next to them.
#include <map>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

// One of six languages; each question exists in all of them.
constexpr const char* kDefaultLanguage = "english";

// Adds a problem and returns nullopt if the field is not a whole number.
std::optional<long> whole_field(const Source& source, const char* field, Loading* loading) {
  const auto found = source.fields.find(field);
  if (found != source.fields.end() && found->is_number_integer()) return found->get<long>();
  loading->problem(source, field, "is missing or not a whole number: left out");
  return std::nullopt;
}

// Returns the file names of documents by their ids. If the table is missing, the names are ID.pdf.
std::map<std::string, std::string> document_files(const std::string& dir, Loading* loading) {
  std::map<std::string, std::string> files;
  const std::string table = find_if_any(dir, {"documents_metadata.jsonl"});
  if (table.empty()) return files;
  for (const Source& source : read_json_lines(table, loading->problems())) {
    const auto id = loading->need_text(source, "doc_id");
    const auto file = loading->need_text(source, "file_name");
    if (id && file) files[*id] = file->ends_with(".pdf") ? *file : *file + ".pdf";
  }
  return files;
}

// Returns the pages by their ids. In this data, pages count from 0.
std::map<long, PageRef> corpus_pages(const std::string& dir, Loading* loading) {
  const std::map<std::string, std::string> files = document_files(dir, loading);
  std::map<long, PageRef> pages;
  for (const Source& source :
       read_json_lines(find_in(dir, {"corpus.jsonl"}), loading->problems())) {
    const auto id = whole_field(source, "corpus_id", loading);
    const auto number = whole_field(source, "page_number_in_doc", loading);
    const auto doc = loading->need_text(source, "doc_id");
    // Its problem is already recorded; the other pages stay usable.
    if (!id || !number || !doc) continue;
    const auto named = files.find(*doc);
    const std::string file =
        loading->document(source, "doc_id", named == files.end() ? *doc + ".pdf" : named->second);
    if (const auto page =
            loading->page(source, "page_number_in_doc", *number, PageBase::zero, file)) {
      pages[*id] = *page;
      // Predictions in the published form name pages by these ids.
      loading->data()->page_names[*page] = std::to_string(*id);
    }
  }
  return pages;
}

// Returns the relevant pages of questions with their grades, 1 or 2.
std::map<long, std::map<PageRef, double>> graded_pages(const std::string& dir,
                                                       const std::map<long, PageRef>& pages,
                                                       Loading* loading) {
  std::map<long, std::map<PageRef, double>> grades;
  for (const Source& source : read_json_lines(find_in(dir, {"qrels.jsonl"}), loading->problems())) {
    const auto query = whole_field(source, "query_id", loading);
    const auto id = whole_field(source, "corpus_id", loading);
    const auto grade = whole_field(source, "score", loading);
    if (!query || !id || !grade || *grade <= 0) continue;
    const auto page = pages.find(*id);
    if (page == pages.end()) {
      loading->problem(source, "corpus_id", format("page {} is not in corpus.jsonl", *id));
      continue;
    }
    grades[*query][page->second] = static_cast<double>(*grade);
  }
  return grades;
}

void add_vidore(const Source& source, const std::map<long, std::map<PageRef, double>>& grades,
                Loading* loading) {
  const auto id = whole_field(source, "query_id", loading);
  if (!id) return;
  Question question;
  question.id = std::to_string(*id);
  question.text = loading->need_text(source, "query").value_or("");
  question.answer = loading->text(source, "answer");
  question.evidence.emplace();
  const auto judged = grades.find(*id);
  if (judged != grades.end()) {
    for (const auto& [page, grade] : judged->second) question.evidence->push_back(page);
    loading->data()->gains[question.id] = judged->second;
  }
  loading->add(source, std::move(question),
               fields_of(source, {"language", "query_types", "query_format", "content_type",
                                  "raw_answers"}));
}

BenchmarkData load_vidore(const std::string& dir, const LoadOptions& options) {
  const std::string file = find_in(dir, {"queries.jsonl"});
  const std::string language = options.subset.empty() ? kDefaultLanguage : options.subset;
  Loading loading({find_in(dir, {"pdfs"})});
  const auto grades = graded_pages(dir, corpus_pages(dir, &loading), &loading);
  for (const Source& source : read_json_lines(file, loading.problems())) {
    if (loading.text(source, "language").value_or(language) == language) {
      add_vidore(source, grades, &loading);
    }
  }
  if (loading.data()->questions.empty()) {
    throw Error(ErrorCode::usage,
                format("{} has no question in the language \"{}\"; choose another --subset", file,
                       language));
  }
  loading.data()->measure = "nDCG@10";
  loading.data()->judge = JudgeKind::binary;
  return loading.take();
}

// Returns {"query": {"page": score}}, the form of mteb's retrieval tasks.
std::vector<PredictionFile> vidore_predictions(const BenchmarkData& data,
                                               const std::vector<GivenAnswer>& given) {
  Json all = Json::object();
  for (const GivenAnswer& one : given) {
    Json pages = Json::object();
    for (const RetrievedPage& found : one.answer.retrieved) {
      const auto name = data.page_names.find(found.page);
      if (name != data.page_names.end()) pages[name->second] = found.score;
    }
    all[one.question.question.id] = std::move(pages);
  }
  return {{"predictions.json", dump_json(all) + "\n"}};
}

}  // namespace

const Dataset& vidore_dataset() {
  static const Dataset dataset = {
      .name = "vidore",
      .summary = "a data set of ViDoRe V3, unpacked: queries, corpus, qrels .jsonl and pdfs/",
      .load = load_vidore,
      .item = {},
      .predictions = vidore_predictions};
  return dataset;
}

}  // namespace fineprint::bench
