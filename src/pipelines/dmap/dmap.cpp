// DMAP: a document map says where to look, in addition to the pages that text and image retrieval
// find. Agents answer from all three. An answer that misses the question is written again with the
// pages around the located ones.
// Source: DMAP, section 3.3; [n] counts the steps of src/pipelines/dmap/README.md.
#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/docmap/stored_map.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/dmap/agents.h"
#include "pipelines/dmap/expansion.h"
#include "pipelines/dmap/finding.h"
#include "pipelines/dmap/options.h"
#include "pipelines/dmap/retrieval.h"
#include "pipelines/reading/side_by_side.h"
#include "pipelines/reading/stream_agents.h"

namespace fineprint::pipelines {
namespace dmap {
namespace {

// Gold pages are shown alone: the map adds none, neither before nor after the first answer.
Options own_options(const PipelineOptions& options) {
  Options own = dmap_options().read(options.own);
  own.structure = own.structure && !options.search.gold_pages;
  return own;
}

class Dmap {
 public:
  Dmap(session::Context& context, const Question& question, const PipelineOptions& options,
       DocumentId document)
      : context_(context),
        question_(question),
        search_(options.search),
        answer_(options.answer),
        options_(own_options(options)),
        document_(document),
        map_(docmap::whole_map(corpus().store(), corpus().documents()[document.value].row)),
        agents_(context, question.text, options.answer.prompts) {
    search_.pool = session::Pool{document};
  }

  Answer run() {
    retrieve();
    if (streams_.texts.empty() && streams_.images.empty() && streams_.parts.empty()) {
      return agents::empty_retrieval(context_);
    }
    Answer answer = generate();  // [5]
    // [6, 7]
    for (int round = 0; round < options_.rounds && !agents_.addressed(answer, room()); ++round) {
      const std::vector<PageId> more = expand();
      if (more.empty()) break;  // [9]
      Answer again = answer_again(more);
      // An answer that a limit cut short is no reason to drop the earlier one.
      if (again.answerable || context_.limit.empty()) answer = std::move(again);
    }
    answer.retrieved = retrieved_pages(context_, streams_.texts, streams_.images, found_);
    return answer;  // [11]
  }

 private:
  const session::Corpus& corpus() const { return context_.session.corpus(); }

  // [1-4] Runs text and image retrieval, which need no call, then asks where the map leads, and
  // joins all three into streams.
  void retrieve() {
    found_ = search_side_by_side(context_, question_.text, search_, options_.sides);
    std::vector<std::string> names;
    if (options_.structure) {
      names = agents_.locate(map_, options_.locate_max_tokens, {.calls = 1});
    }
    const Located place = located(context_, document_, map_, names);
    const std::vector<docmap::MappedElement> elements =
        found_elements(context_, document_, map_, found_);
    streams_ = joined(corpus(), document_, place, found_, elements, search_.k);
    seeds_ = first_seeds(corpus(), place, found_);
  }

  Answer generate() const {
    return StreamAgents(context_, "dmap", question_.text, answer_, options_.agents)
        .answer(streams_);
  }

  // Returns what answering again takes.
  agents::Reserve room() const {
    const bool all = options_.reanswer == Reanswer::full;
    return {.calls = !all ? 1 : 4 + static_cast<int>(options_.agents.critical)};
  }

  // [8] Returns the pages around the seeds that no agent has read or seen. They become the seeds of
  // a further round.
  std::vector<PageId> expand() {
    if (!options_.structure) return {};
    std::vector<int> shown;
    for (const std::vector<PageId>* stream : {&streams_.texts, &streams_.images}) {
      for (const PageId page : *stream) shown.push_back(corpus().ref(page).page);
    }
    seeds_ = expansion(map_, seeds_, shown, options_.expansion);
    context_.events.tell({.step = "expanded",
                          .fields = dump_json({{"pages", seeds_}}),
                          .line = format("dmap: {} surrounding pages added", seeds_.size())});
    std::vector<PageId> more;
    for (const int page : seeds_) more.push_back(corpus().page_number(document_, page));
    return more;
  }

  // [10] Answers again, with the pages added to both streams, or from the added pages alone.
  Answer answer_again(const std::vector<PageId>& more) {
    append_new(more, &streams_.texts);
    append_new(more, &streams_.images);
    if (options_.reanswer == Reanswer::full) return generate();
    return agents::read_pages(context_, question_, more, answer_);
  }

  session::Context& context_;
  const Question& question_;
  retrieve::SearchOptions search_;
  const agents::AnswerOptions answer_;
  const Options options_;
  const DocumentId document_;
  const docmap::DocumentMap map_;
  const Agents agents_;
  SideBySide found_;
  Streams streams_;
  std::vector<int> seeds_;  // pages, from 1, where the next expansion starts
};

Answer answer_by_map(session::Context& context, const Question& question,
                     const PipelineOptions& options) {
  const Searches searches = dmap_options().read(options.own).sides.searches;
  const auto document = document_asked(context, question.text, options.search, searches);
  if (!document) return agents::empty_retrieval(context);
  return Dmap(context, question, options, *document).run();
}

// Throws if no document of the store has a map, or if none has vectors of the elements of maps.
void check_store(const session::Session& session, const PipelineOptions& options) {
  require_map(session.corpus());
  const SideBySideOptions sides = dmap_options().read(options.own).sides;
  check_searches(options.search, sides.searches);
  if (sides.unit == RankedUnit::element) retrieve::require_elements(session, options.search);
}

std::vector<std::string> agents_asked(const PipelineOptions& options) {
  const Options own = dmap_options().read(options.own);
  std::vector<std::string> names = {"dmap.general", "dmap.text", "dmap.image", "dmap.summarise"};
  if (own.agents.critical) names.emplace_back("dmap.critical");
  if (own.structure) names.insert(names.end(), {"dmap.locate", "dmap.locate_sections"});
  if (own.rounds > 0) names.emplace_back("dmap.reflect");
  // Only the map has further pages, from which alone the answer may be given again.
  const bool reads_more = own.structure && own.rounds > 0;
  if (reads_more && own.reanswer != Reanswer::full) names.emplace_back("answer.pages");
  return names;
}

}  // namespace
}  // namespace dmap

Pipeline dmap_pipeline() {
  return {.info = {.name = "dmap",
                   .needs = "document maps (index --map), a text encoder and a multi-vector page "
                            "encoder (ColBERT, ColPali); to rank elements, --elements too",
                   .calls_per_question = "5 to 11",
                   .maps = true},
          .run = dmap::answer_by_map,
          .agents = dmap::agent_names(),
          .options = dmap::dmap_options().options(),
          .reads = agents::page_answer_option_names(),
          .check = dmap::check_store,
          .finding = {.scorer = "map",
                      .rank = dmap::rank_located,
                      .check = dmap::check_finding,
                      .agents = {"dmap.locate", "dmap.locate_sections"},
                      .starts_from = "document-scorer"},
          .reflection = {.agent = "dmap.reflect", .missing = dmap::missing_part},
          .asks = dmap::agents_asked};
}

}  // namespace fineprint::pipelines
