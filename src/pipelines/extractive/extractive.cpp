// Answers without a generator. Quotes the sentence or table row that fits best, and gives the value
// in it if that is safe. A small QA model may also point at an answer in the passages that fit
// best, which is given if it is surer than the quote.
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/extractive/drafts.h"
#include "pipelines/extractive/reply_check.h"
#include "pipelines/extractive/shown_page.h"

namespace fineprint::pipelines {
namespace {

using extractive::AskedPages;
using extractive::Draft;
using extractive::Drafts;
using extractive::SnippetCandidate;

std::vector<retrieve::RankedPage> without_scorers(const std::vector<retrieve::FoundPage>& pages) {
  std::vector<retrieve::RankedPage> ranked;
  for (const retrieve::FoundPage& page : pages) ranked.push_back({page.page, page.score});
  return ranked;
}

// Returns the question with the words of its pictures, by which alone this pipeline knows them. A
// picture with few words is of one thing, which they name. More words are a part of a page and
// would drown the question: they only find pages.
std::string with_words_of_pictures(session::Context& context, const std::string& question) {
  constexpr std::size_t kNamingText = 200;  // bytes
  std::string text = question;
  for (QuestionPicture& picture : context.pictures) {
    PictureRecord& record = picture.record;
    if (record.text.empty()) {
      record.note("no text was found in it");
    } else if (record.text.size() > kNamingText) {
      record.note("its text is long, so it was searched for but is not part of the question");
    } else {
      text += " " + record.text;
      record.note_use("text");
    }
  }
  return text;
}

Answer answer_extractively(session::Context& context, const Question& question,
                           const PipelineOptions& options) {
  const session::Models& models = context.session.models();
  const models::QaModel* model = extractive::qa_model(models, options);
  const AskedPages asked(context, with_words_of_pictures(context, question.text),
                         extractive::before_reading(models, options), model != nullptr);
  Answer answer;
  answer.answer = kNotAnswerable;
  answer.retrieved = retrieve::retrieved_pages(context, without_scorers(asked.found),
                                               without_scorers(asked.ranking));
  if (std::optional<Answer> page = extractive::shown_page(context, question.text)) {
    page->retrieved = std::move(answer.retrieved);
    return *std::move(page);
  }
  std::vector<SnippetCandidate> candidates = extractive::ranked_candidates(context, asked);
  if (candidates.empty()) {
    context.events.tell({.step = "empty_retrieval"});
    // Nothing found is itself a sign that the documents hold no answer.
    answer.answerability = extractive::answerability(extractive::kNothingFound);
    answer.confidence = extractive::confidence_in_declining(extractive::kNothingFound);
    return answer;
  }
  const session::Pool pool = context.session.corpus().pool(options.search.docs);
  const Drafts drafts = extractive::drafts_of(context, model, asked, pool, std::move(candidates));
  if (drafts.read) {
    answer.retrieved = retrieve::retrieved_pages(context, without_scorers(drafts.read->pages),
                                                 without_scorers(asked.ranking));
  }
  const Draft& draft = drafts.best();
  answer.citations = extractive::citations_of(context, draft);
  answer.answerability = extractive::answerability(draft.signs);
  answer.confidence = extractive::confidence(draft.signs);
  answer.answerable =
      *answer.answerability >= options.answer.min_answerability &&
      answer.confidence >= options.answer.min_confidence &&
      !(options.answer.min_answerability > 0 && extractive::is_absence_likelier(draft.signs));
  if (answer.answerable) {
    answer.answer = draft.text();
  } else {
    answer.confidence = extractive::confidence_in_declining(draft.signs);
  }
  return answer;
}

}  // namespace

Pipeline extractive_pipeline() {
  return {.info = {.name = "extractive",
                   .needs = "scorers bm25, text (or bm25 alone)",
                   .calls_per_question = "0",
                   .generates = false},
          .run = answer_extractively,
          .check = extractive::check_qa_model,
          .reply_check = {.run = extractive::checked_reply}};
}

}  // namespace fineprint::pipelines
