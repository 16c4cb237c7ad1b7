// OpenDocVQA (VDocRAG): questions over a pool of page pictures, of one data set or of all.
// scripts/data/unpack-parquet unpacks the published Parquet files.
#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "bench/datasets/dataset.h"
#include "bench/datasets/loading.h"
#include "bench/datasets/prediction_files.h"

namespace fineprint::bench {
namespace {

// The data sets, and the measure that VDocRAG's paper gives for the test questions of each. Those
// without a measure have only training questions.
constexpr std::pair<std::string_view, std::string_view> kOpenSubsets[] = {
    {"chartqa", "relaxed"}, {"slidevqa", "f1"}, {"infovqa", "anls"}, {"dude", "anls"},
    {"openwikitable", ""},  {"visualmrc", ""},  {"docvqa", ""},      {"mhdocvqa", ""}};

std::string_view measure_of_subset(const std::string& subset, bool training) {
  std::string names;
  for (const auto& [name, measure] : kOpenSubsets) {
    if (measure.empty() && !training) continue;
    if (name == subset) return measure;
    names += format("{}{}", names.empty() ? "" : ", ", name);
  }
  throw Error(
      ErrorCode::usage,
      format("--subset \"{}\": choose one of the data sets of opendocvqa: {}", subset, names));
}

// Returns the files of the pool by their names without ending. These are the page ids with '%XX'
// for characters that file names cannot contain (scripts/data/unpack-parquet). They need no
// decoding, because file_stem() encodes ids in the same way.
std::map<std::string, std::string> files_by_id(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().stem().string()] = entry.path().filename().string();
  }
  return files;
}

// Encodes an id as scripts/data/unpack-parquet names files.
std::string file_stem(const std::string& id) {
  std::string stem;
  for (const unsigned char c : id) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c >= 0x80;
    stem += is_plain ? std::string(1, static_cast<char>(c)) : format("%{:02X}", unsigned{c});
  }
  return stem;
}

// Returns the question without the instruction for the retriever that precedes it.
std::string without_instruction(const std::string& query) {
  constexpr std::string_view kMarker = "Query: ";
  const std::size_t marker = query.rfind(kMarker);
  const std::size_t begin = marker == std::string::npos ? 0 : marker + kMarker.size();
  return std::string(trim(std::string_view(query).substr(begin)));
}

void add_opendocvqa(const Source& source, const std::map<std::string, std::string>& files,
                    Loading* loading) {
  Question question;
  question.id = loading->need_text(source, "query_id").value_or("");
  question.text = without_instruction(loading->need_text(source, "query").value_or(""));
  const std::vector<std::string> answers = loading->list(source, "answers");
  if (answers.empty()) {
    loading->problem(source, "answers", "is missing or empty: the answer cannot be scored");
  } else {
    question.answer = answers.front();
  }
  question.evidence.emplace();
  for (const std::string& id : loading->list(source, "relevant_doc_ids")) {
    const auto file = files.find(file_stem(id));
    if (file == files.end()) {
      loading->problem(source, "relevant_doc_ids", format("page {} is not in the pool", id));
      continue;
    }
    question.evidence->push_back({file->second, 1});
  }
  Json extra = Json::object();
  extra["answers"] = answers;
  loading->add(source, std::move(question), std::move(extra));
}

// The pages of a data set, or of all data sets, are picture files in one folder.
BenchmarkData load_opendocvqa(const std::string& dir, const LoadOptions& options) {
  const std::string measure(measure_of_subset(options.subset, options.training));
  const std::string file = find_in(dir, {options.subset + ".jsonl"});
  const std::string pool = options.all_pool ? "all" : options.subset;
  const std::string folder = find_in(dir, {"corpus/" + pool});
  const std::map<std::string, std::string> files = files_by_id(folder);
  Loading loading({folder});
  for (const Source& source : read_json_lines(file, loading.problems())) {
    add_opendocvqa(source, files, &loading);
  }
  loading.data()->scorer = "opendocvqa";
  loading.data()->measure = measure;
  loading.data()->judge = JudgeKind::grade;
  return loading.take();
}

std::vector<PredictionFile> opendocvqa_predictions(const BenchmarkData&,
                                                   const std::vector<GivenAnswer>& given) {
  Json answers = Json::object();
  std::string ranking;
  for (const GivenAnswer& one : given) {
    const std::string& id = one.question.question.id;
    answers[id] = {{"ground_truth", Json::parse(one.question.question.extra_json).at("answers")},
                   {"prediction", one.answer.answer}};
    for (const RetrievedPage& found : one.answer.retrieved) {
      ranking += format("{}\t{}\t{}\n", id, stem_of(found.page.doc), found.score);
    }
  }
  return {{"predictions.json", dump_json(answers) + "\n"}, {"ranking.txt", ranking}};
}

}  // namespace

std::vector<std::string> training_subsets(const std::string& dir) {
  std::vector<std::string> subsets;
  std::string names;
  for (const auto& [name, measure] : kOpenSubsets) {
    const std::string file = format("{}.jsonl", name);
    if (!find_if_any(dir, {file}).empty()) subsets.emplace_back(name);
    names += format("{}{}", names.empty() ? "" : ", ", file);
  }
  if (!subsets.empty()) return subsets;
  throw Error(ErrorCode::input,
              format("{} has none of {}; src/bench/README.md describes the layout of opendocvqa",
                     dir, names));
}

const Dataset& opendocvqa_dataset() {
  static const Dataset dataset = {
      .name = "opendocvqa",
      .summary = "OpenDocVQA, unpacked: SUBSET.jsonl and corpus/SUBSET or corpus/all",
      .load = load_opendocvqa,
      .item =
          [](const GivenAnswer& given) {
            return Json{
                {"prediction", given.prediction},
                {"references", Json::parse(given.question.question.extra_json).at("answers")}};
          },
      .predictions = opendocvqa_predictions};
  return dataset;
}

}  // namespace fineprint::bench
