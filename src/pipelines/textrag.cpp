// TextRAG: the best passages of text, one call without images.
// Source: the baseline of ViDoRAG (arXiv 2502.18017) and MoLoRAG.
#include <algorithm>
#include <string>
#include <utility>
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

// Returns the heading of a passage: "report.pdf, page 3: Results > Segments".
std::string heading_of(const session::Corpus& corpus, const Passage& passage) {
  const PageRef ref = corpus.ref(passage.page);
  const std::string place = ref.doc + ", page " + std::to_string(ref.page);
  const std::string context = corpus.chunk(passage.first_chunk).context;
  return context.empty() ? place : place + ": " + context;
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

// Returns the passages as the model reads them: in the order of the documents and not of the
// ranking, so that another question on the same passages begins alike and need not read them again.
std::vector<agents::ChunkShown> shown_passages(const session::Corpus& corpus,
                                               std::vector<Passage> passages) {
  std::ranges::sort(passages, {}, &Passage::first_chunk);
  std::vector<agents::ChunkShown> chunks;
  for (Passage& passage : passages) {
    chunks.push_back({passage.page, heading_of(corpus, passage), std::move(passage.text),
                      std::move(passage.parts)});
  }
  return chunks;
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
                   .default_of_generators = true},
          .run = answer_textrag,
          .agents = agents::chunk_answer_agents(),
          .options = textrag_options().options(),
          .reads = agents::chunk_answer_option_names()};
}

}  // namespace fineprint::pipelines
