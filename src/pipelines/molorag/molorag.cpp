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

// The pages to read, and the ranking that they were taken from.
struct PagesOfWalks {
  std::vector<Scored> ranking;
  std::vector<PageId> shown;
};

// [1-10] Returns the best K pages of a walk for the question, then those of a walk for the further
// question, each once. Every page of the pool is ranked before a walk, so one walk with a search
// for both questions would add none.
PagesOfWalks pages_of_walks(session::Context& context, const std::string& question,
                            PipelineOptions options, const agents::Reserve& reserve) {
  const std::string also = std::exchange(options.search.also, {});
  const auto most = static_cast<std::size_t>(options.search.k);
  PagesOfWalks pages{.ranking = walked_pages(context, question, options, reserve), .shown = {}};
  const auto ranked = static_cast<std::size_t>(std::max(options.search.k, retrieve::kLeastRanked));
  pages.ranking.resize(std::min(pages.ranking.size(), ranked));
  for (const Scored& page : pages.ranking) {
    if (pages.shown.size() < most) pages.shown.push_back(page.page);
  }
  if (also.empty()) return pages;
  std::vector<Scored> more = walked_pages(context, also, options, reserve);
  more.resize(std::min(more.size(), most));
  for (const Scored& page : more) {
    const bool is_shown = std::ranges::find(pages.shown, page.page) != pages.shown.end();
    if (!is_shown) pages.shown.push_back(page.page);
    const auto known = std::ranges::find(pages.ranking, page.page, &Scored::page);
    if (known == pages.ranking.end()) pages.ranking.push_back(page);
  }
  return pages;
}

Answer answer_by_walk(session::Context& context, const Question& question,
                      const PipelineOptions& options) {
  // A walk would only leave the gold pages.
  if (options.search.gold_pages) return read_found_pages(context, question, options);
  const agents::Reserve answer{.calls = 1, .pages = options.search.k, .tier = options.answer.tier};
  PagesOfWalks found = pages_of_walks(context, question.text, options, answer);
  std::vector<RetrievedPage> retrieved;
  for (const Scored& page : found.ranking) {
    const bool shown = std::ranges::find(found.shown, page.page) != found.shown.end();
    retrieved.push_back({context.session.corpus().ref(page.page), page.combined, shown});
  }
  Answer read =
      agents::read_pages(context, question, std::move(found.shown), options.answer);  // [11]
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
                  .agents = molorag::judge_names(),
                  .starts_from = "start-scorer"},
      .judge = {.agent = "molorag.relevance",
                .marks = molorag::judge_marks(),
                .make_examples = molorag::make_examples},
      .asks = molorag::molorag_agents};
}

}  // namespace fineprint::pipelines
