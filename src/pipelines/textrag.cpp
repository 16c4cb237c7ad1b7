// TextRAG: the best passages of text, one call without images.
// Source: the baseline of ViDoRAG (arXiv 2502.18017) and MoLoRAG.
#include <algorithm>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/reading/passages.h"

namespace fineprint::pipelines {
namespace {

struct TextragOptions {
  int passage_tokens = 0;
};

const OptionTable<TextragOptions>& textrag_options() {
  static const OptionTable<TextragOptions> table = OptionTable<TextragOptions>().add(
      "passage-tokens", &TextragOptions::passage_tokens,
      {.help = "textrag: widen each chunk to its neighbours on the page, to about N tokens (of "
               "four bytes); -k counts passages; 0: chunks as they are found",
       .value = "N",
       .source = "ViDoRAG's code; MoLoRAG, appendix D.2",
       .bounds = {.least = 0, .most = 1'000'000}});
  return table;
}

// Returns the pages of the passages, each once, with the score of its best passage.
std::vector<retrieve::RankedPage> pages_of(const std::vector<Passage>& passages) {
  std::vector<retrieve::RankedPage> pages;
  for (const Passage& passage : passages) {
    const auto known = std::ranges::find(pages, passage.page, &retrieve::RankedPage::page);
    if (known == pages.end()) pages.push_back({passage.page, passage.score});
  }
  return pages;
}

Answer answer_textrag(session::Context& context, const Question& question,
                      const PipelineOptions& options) {
  const session::Corpus& corpus = context.session.corpus();
  const int tokens = textrag_options().read(options.own).passage_tokens;
  const auto passages = search_passages(context, question.text, options.search, tokens);
  Answer answer =
      agents::read_chunks(context, question, shown_passages(corpus, passages.list), options.answer);
  answer.retrieved = retrieve::retrieved_pages(context, pages_of(passages.list), passages.ranking);
  return answer;
}

}  // namespace

Pipeline textrag_pipeline() {
  return {.info = {.name = "textrag",
                   .needs = "a text encoder, or bm25 alone",
                   .calls_per_question = "1",
                   .default_of_small_generators = true},
          .run = answer_textrag,
          .agents = agents::chunk_answer_agents(),
          .options = textrag_options().options(),
          .reads = agents::chunk_answer_option_names()};
}

}  // namespace fineprint::pipelines
