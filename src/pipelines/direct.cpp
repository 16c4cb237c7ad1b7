// Direct: no retrieval. The model sees the first pages of the pool, or the gold pages.
// Source: the baseline of MoLoRAG, section 4.1 (30 pages; mosaics for models that take few images);
// with gold pages it is the upper bound of ViDoRAG and HKRAG.
#include <algorithm>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {
namespace {

struct Options {
  int pages = 30;
  int composites = 0;
  bool gold_pages = false;
};

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("direct-pages", &Options::pages,
               {.help = "pipeline direct: show the first N pages of the pool",
                .value = "N",
                .source = "MoLoRAG, section 4.1"})
          .add("composites", &Options::composites,
               {.help = "pipeline direct: show the pages in N mosaics; 0: each page alone",
                .value = "N",
                .source = "MoLoRAG, section 4.1"})
          .add(
              "gold-pages", &Options::gold_pages,
              {.help = "pipeline direct: show each question's evidence_pages instead; its score is "
                       "the upper bound for any retrieval"});
  return table;
}

std::vector<std::uint32_t> pages_in_order(const session::Corpus& corpus,
                                          const session::Pool& pool) {
  std::vector<std::uint32_t> pages;
  for (const std::uint32_t document : pool) {
    for (int page = 1; page <= corpus.documents()[document].row.page_count; ++page) {
      pages.push_back(corpus.page_number(document, page));
    }
  }
  return pages;
}

// Data sets may name a page without its document if the question has only one.
bool is_evidence(const PageRef& page, const std::vector<PageRef>& evidence) {
  return std::ranges::any_of(evidence, [&](const PageRef& right) {
    return right.page == page.page &&
           (right.doc.empty() || session::names_document(right.doc, page.doc));
  });
}

void keep_evidence(const session::Corpus& corpus, const Question& question,
                   std::vector<std::uint32_t>* pages) {
  if (!question.evidence) {
    throw Error(
        ErrorCode::input,
        format("question \"{}\" has no evidence_pages, but --gold-pages needs them", question.id));
  }
  std::erase_if(*pages, [&](std::uint32_t page) {
    return !is_evidence(corpus.ref(page), *question.evidence);
  });
  // An empty list is fine: it means that the question has no answer.
  if (pages->empty() && !question.evidence->empty()) {
    throw Error(ErrorCode::input,
                format("none of the evidence_pages of question \"{}\" is in its documents in {}",
                       question.id, corpus.store().dir()));
  }
}

// Drops pages beyond the limit, and records how many: an answer that lacks them may be wrong.
void cut(session::Context& context, std::size_t most, std::vector<std::uint32_t>* pages) {
  if (pages->size() <= most) return;
  const std::size_t unseen = pages->size() - most;
  context.events.tell({.step = "unseen",
                       .fields = dump_json({{"pages", unseen}}),
                       .line = format("{} pages of the pool are not shown", unseen)});
  pages->resize(most);
}

Answer answer_direct(session::Context& context, const Question& question,
                     const PipelineOptions& options) {
  const session::Corpus& corpus = context.session.corpus();
  const Options own = option_table().read(options.own);
  std::vector<std::uint32_t> pages = pages_in_order(corpus, corpus.pool(options.search.docs));
  if (own.gold_pages) keep_evidence(corpus, question, &pages);
  cut(context, static_cast<std::size_t>(own.pages), &pages);
  std::vector<RetrievedPage> shown;
  shown.reserve(pages.size());
  for (const std::uint32_t page : pages) shown.push_back({corpus.ref(page), 0, true});
  Answer answer =
      agents::read_pages(context, question, std::move(pages), options.answer, own.composites);
  answer.retrieved = std::move(shown);
  return answer;
}

}  // namespace

Pipeline direct_pipeline() {
  return {
      .info = {.name = "direct", .needs = "nothing", .calls_per_question = "1", .searches = false},
      .run = answer_direct,
      .agents = agents::page_answer_agents(),
      .options = option_table().options(),
      .reads = agents::page_answer_option_names()};
}

}  // namespace fineprint::pipelines
