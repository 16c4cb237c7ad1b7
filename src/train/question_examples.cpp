// Makes examples for retrievers from the questions of a data set and their gold pages.
#include "fineprint/train/question_examples.h"

#include <filesystem>
#include <utility>

#include "fineprint/core/json.h"

namespace fineprint::train {
namespace {

Json pictures_of(const bench::BenchmarkData& data, const Question& question) {
  const std::filesystem::path pool = std::filesystem::absolute(data.documents.front());
  Json pictures = Json::array();
  for (const PageRef& page : question.evidence.value_or(std::vector<PageRef>())) {
    pictures.push_back({{"image", (pool / page.doc).lexically_normal().string()}});
  }
  return pictures;
}

}  // namespace

void add_question_examples(const bench::BenchmarkData& data, QuestionExamples* made) {
  for (const bench::PublishedQuestion& published : data.questions) {
    const Question& question = published.question;
    Json pictures = pictures_of(data, question);
    if (pictures.empty()) {
      ++made->without_pages;
      continue;
    }
    made->lines += dump_json({{"id", question.id},
                              {"query", question.text},
                              {"positive", std::move(pictures)},
                              {"answers", bench::gold_answers(question)}}) +
                   "\n";
    ++made->examples;
  }
}

}  // namespace fineprint::train
