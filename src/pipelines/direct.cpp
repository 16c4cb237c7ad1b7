// Direct: no retrieval. The model sees the first pages of the pool, or the gold pages.
// Source: the baseline of MoLoRAG, section 4.1 (30 pages; mosaics for models that take few images);
// with --gold-pages it is the upper bound of ViDoRAG and HKRAG.
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines {
namespace {

struct Options {
  int pages = 30;
};

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>().add("direct-pages", &Options::pages,
                                 {.help = "pipeline direct: show the first N pages of the pool",
                                  .value = "N",
                                  .source = "MoLoRAG, section 4.1"});
  return table;
}

std::vector<PageId> pages_in_order(session::Context& context, const Question& question,
                                   const retrieve::SearchOptions& options) {
  if (options.gold_pages) {
    return retrieve::page_numbers(retrieve::search(context, question.text, options));
  }
  const session::Corpus& corpus = context.session.corpus();
  std::vector<PageId> pages;
  for (const DocumentId document : corpus.pool(options.docs)) {
    for (int page = 1; page <= corpus.documents()[document.value].row.page_count; ++page) {
      pages.push_back(corpus.page_number(document, page));
    }
  }
  return pages;
}

// Drops pages beyond the limit, and records how many: an answer that lacks them may be wrong.
void cut(session::Context& context, std::size_t most, std::vector<PageId>* pages) {
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
  std::vector<PageId> pages = pages_in_order(context, question, options.search);
  cut(context, static_cast<std::size_t>(own.pages), &pages);
  std::vector<RetrievedPage> shown;
  shown.reserve(pages.size());
  for (const PageId page : pages) shown.push_back({corpus.ref(page), 0, true});
  Answer answer = agents::read_pages(context, question, std::move(pages), options.answer);
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
