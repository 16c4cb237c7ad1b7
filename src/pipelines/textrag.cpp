// TextRAG: the best chunks of text, one call without images.
// Source: the baseline of ViDoRAG (arXiv 2502.18017) and MoLoRAG; five chunks as in ViDoRAG.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines {
namespace {

using retrieve::FoundChunk;

// Returns the heading of a chunk: "report.pdf, page 3: Results > Segments".
std::string heading_of(const session::Corpus& corpus, const FoundChunk& found,
                       const std::string& context) {
  const PageRef ref = corpus.ref(found.page);
  const std::string place = ref.doc + ", page " + std::to_string(ref.page);
  return context.empty() ? place : place + ": " + context;
}

// Returns the sentences and table rows that are mostly inside the chunk. A chunk may end within a
// sentence, which then belongs to the chunk that has more of it.
std::vector<std::string> parts_of(const Page& page, const Chunk& chunk) {
  const std::uint32_t begin = chunk.first_word, end = begin + chunk.word_count;
  std::vector<std::string> parts;
  for (Snippet& part : snippets_of(page)) {
    const std::uint32_t first = std::max(begin, part.first_word);
    const std::uint32_t last = std::min(end, part.first_word + part.word_count);
    if (last > first && 2 * (last - first) > part.word_count) parts.push_back(std::move(part.text));
  }
  return parts;
}

// Returns the pages of the chunks, each once, with the score of its best chunk.
std::vector<RetrievedPage> pages_of(const session::Corpus& corpus,
                                    const std::vector<FoundChunk>& found) {
  std::vector<RetrievedPage> pages;
  for (const FoundChunk& one : found) {
    const PageRef ref = corpus.ref(one.page);
    const auto known = std::ranges::find(pages, ref, &RetrievedPage::page);
    if (known == pages.end()) pages.push_back({ref, one.score, true});
  }
  return pages;
}

Answer answer_textrag(session::Context& context, const Question& question,
                      const PipelineOptions& options) {
  const session::Corpus& corpus = context.session.corpus();
  const auto found = retrieve::search_chunks(context, question.text, options.search);
  std::vector<agents::ChunkShown> chunks;
  for (const FoundChunk& one : found) {
    const Chunk chunk = corpus.chunk(one.chunk);
    chunks.push_back({one.page, heading_of(corpus, one, chunk.context), chunk.text,
                      parts_of(corpus.page(one.page), chunk)});
  }
  Answer answer = agents::read_chunks(context, question, chunks, options.answer);
  answer.retrieved = pages_of(corpus, found);
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
          .reads = agents::chunk_answer_option_names()};
}

}  // namespace fineprint::pipelines
