// MoLoRAG: a walk over the graph of similar pages finds pages that hold the answer although they do
// not look like the question; one call answers from them.
// Source: MoLoRAG, section 3 and algorithm 1; [n] counts the steps of
// src/pipelines/molorag/README.md.
#include <algorithm>
#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/molorag/examples.h"
#include "pipelines/molorag/walk.h"
#include "pipelines/reading/found_pages.h"

namespace fineprint::pipelines {
namespace molorag {
namespace {

// [3-8] Judges `pages` and the pages that they lead to. Returns the judged pages.
std::vector<Scored> judged_pages(session::Context& context, const std::string& question,
                                 const PipelineOptions& options, const agents::Reserve& reserve,
                                 const std::vector<Scored>& pages) {
  const Options own = molorag::option_table().read(options.own);
  Judge judge(context, question,
              {.soft = own.soft_relevance, .prompts = options.answer.prompts, .reserve = reserve});
  session::PageLinks links = page_links(context.session, own.graph, options.search);
  const bool walks = !own.ablations.all_pages;
  if (walks) links.require(context.session.corpus().pool(options.search.docs));
  return Walk(context, own, std::move(judge), std::move(links), pages).run();
}

// Appends the best other pages if fewer than `count` were judged.
void fill(const std::vector<Scored>& pages, double semantic_weight, std::size_t count,
          std::vector<Scored>* ranked) {
  for (const Scored& page : pages) {
    if (ranked->size() >= count) return;
    if (std::ranges::find(*ranked, page.page, &Scored::page) != ranked->end()) continue;
    ranked->push_back({page.page, page.semantic, semantic_weight * page.semantic});
  }
}

// [1-9] Returns all judged pages, best first, then the pages that fill up to K; none below the
// least score. Returns all pages by their meaning if none was judged.
std::vector<Scored> walked_pages(session::Context& context, const std::string& question,
                                 const PipelineOptions& options, const agents::Reserve& reserve) {
  const Options own = molorag::option_table().read(options.own);
  std::vector<Scored> pages = pages_by_meaning(context, question, options.search);
  std::vector<Scored> ranked;
  const bool judges = !own.ablations.no_logic && !pages.empty();
  if (judges) ranked = judged_pages(context, question, options, reserve, pages);
  if (ranked.empty()) return pages;
  std::ranges::sort(ranked, ranks_before);  // [9]
  const double weight = own.ablations.logic_only ? 0 : own.semantic_weight;
  if (own.fill) fill(pages, weight, static_cast<std::size_t>(options.search.k), &ranked);
  std::erase_if(ranked, [&](const Scored& page) { return page.combined < own.keep_from; });
  return ranked;
}

// The same for other pipelines and searches, which cut by score: here pages that were not judged
// are sorted by score too.
std::vector<retrieve::RankedPage> rank_pages(session::Context& context, const std::string& question,
                                             const PipelineOptions& options,
                                             const agents::Reserve& reserve) {
  PipelineOptions start = options;
  start.search = start_search(options);
  std::vector<Scored> ranked = walked_pages(context, question, start, reserve);
  std::ranges::sort(ranked, ranks_before);
  std::vector<retrieve::RankedPage> pages;
  for (const Scored& page : ranked) pages.push_back({page.page, page.combined});
  return pages;
}

Answer answer_by_walk(session::Context& context, const Question& question,
                      const PipelineOptions& options) {
  // A walk would only leave the gold pages.
  if (options.search.gold_pages) return read_found_pages(context, question, options);
  const agents::Reserve answer{.calls = 1, .pages = options.search.k, .tier = options.answer.tier};
  std::vector<Scored> found = walked_pages(context, question.text, options, answer);
  const int ranked = std::max(options.search.k, retrieve::kLeastRanked);
  found.resize(std::min(found.size(), static_cast<std::size_t>(ranked)));
  std::vector<PageId> pages;
  std::vector<RetrievedPage> retrieved;
  for (const Scored& page : found) {
    const bool shown = pages.size() < static_cast<std::size_t>(options.search.k);  // [10]
    if (shown) pages.push_back(page.page);
    retrieved.push_back({context.session.corpus().ref(page.page), page.combined, shown});
  }
  Answer read = agents::read_pages(context, question, std::move(pages), options.answer);  // [11]
  read.retrieved = std::move(retrieved);
  return read;
}

std::vector<std::string> all_agents() {
  std::vector<std::string> names = judge_names();
  names.push_back("molorag.question");
  for (std::string& name : agents::page_answer_agents()) names.push_back(std::move(name));
  return names;
}

// The agent that writes questions is asked by the training alone.
std::vector<std::string> molorag_agents(const PipelineOptions& options) {
  const bool judges = !molorag::option_table().read(options.own).ablations.no_logic;
  std::vector<std::string> names = agents::page_answer_agents();
  if (judges) names.emplace_back("molorag.relevance");
  return names;
}

}  // namespace
}  // namespace molorag

Pipeline molorag_pipeline() {
  return {
      .info = {.name = "molorag",
               .needs = "a page encoder (ColPali, ColQwen2) and the page graph that index makes "
                        "over its vectors",
               .calls_per_question = "1 per visited page, plus 1"},
      .run = molorag::answer_by_walk,
      .agents = molorag::all_agents(),
      .options = molorag::option_table().options(),
      .reads = agents::page_answer_option_names(),
      .check = molorag::check,
      .finding = {.scorer = "molorag",
                  .rank = molorag::rank_pages,
                  .check = molorag::check_finding,
                  .agents = molorag::judge_names()},
      .judge = {.agent = "molorag.relevance",
                .marks = molorag::judge_marks(),
                .make_examples = molorag::make_examples},
      .asks = molorag::molorag_agents};
}

}  // namespace fineprint::pipelines
