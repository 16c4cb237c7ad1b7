// HKRAG: facts are pruned from the pages, a trial answer shows how sure the model is, and if it is
// not, the pages are read again for their fine print before the answer is written.
// Source: HKRAG, section 3.3; [n] counts the steps of src/pipelines/hkrag/README.md.
#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/hkrag/agents.h"
#include "pipelines/hkrag/gate.h"
#include "pipelines/hkrag/options.h"

namespace fineprint::pipelines {
namespace hkrag {
namespace {

void warn_of_no_scores() {
  static std::once_flag warned;
  std::call_once(warned, [] {
    log::warn(
        "the generator gives no log-probabilities: its certainty cannot be judged, so every "
        "question takes one step of the Decoupler");
  });
}

class Hkrag {
 public:
  Hkrag(session::Context& context, const Question& question, const PipelineOptions& options)
      : context_(context),
        options_(options_of(options, context.session)),
        min_confidence_(options.answer.min_confidence),
        agents_(context, question.text, options.answer.prompts) {}

  Answer run(std::vector<PageId> retrieved) {
    pages_ = std::move(retrieved);
    if (pages_.empty()) return agents::empty_retrieval(context_);
    if (!options_.no_pruner) prune();
    known_ = statements_of(notes_, pages_);
    const bool judged = !options_.no_decoupler || options_.show_draft;
    if (judged && !is_certain() && !options_.no_decoupler) decouple();
    return summarize();
  }

 private:
  // [1-7] Keeps the fewest pages, in rank order, whose facts suffice; all pages if none do.
  void prune() {
    std::set<PageId> without_facts;
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const Pruned pruned =
          agents_.prune(pages_[i], notes_, static_cast<int>(i) + 1);  // pages of the Summarizer
      if (pruned.refused) return;
      if (pruned.well_formed && pruned.facts.empty()) without_facts.insert(pages_[i]);
      notes_.insert(notes_.end(), pruned.facts.begin(), pruned.facts.end());
      if (!pruned.sufficient) continue;
      pages_.resize(i + 1);
      const bool drop = options_.drop_empty_pages && without_facts.size() < pages_.size();
      if (drop) std::erase_if(pages_, [&](auto page) { return without_facts.contains(page); });
      // If no page had facts, dropping all of them would leave nothing to read.
      return;
    }
  }

  // [8-10] If the budget refuses the call, counts as certain: there is only the answer left to
  // write.
  bool is_certain() {
    const Trial trial = agents_.judge(pages_, known_, options_.uncertainty);
    const bool better = !draft_ || !trial.reply.cut;  // than an earlier draft
    if (trial.reply.usable && better) draft_ = trial.reply;
    if (trial.refused) return true;
    scored_ = trial.uncertainty.has_value();
    if (!scored_) warn_of_no_scores();
    const bool certain = trial.uncertainty.value_or(1) < options_.threshold;
    if (!uncertain_) uncertain_ = !certain;
    context_.events.tell(
        {.line = format("hkrag: the trial answer is {}", certain ? "certain" : "uncertain")});
    return certain;
  }

  // [11-15] Looks again for what the notes miss, until nothing new is found or the details answer.
  // An unknown uncertainty would never end the loop, so there is one step then.
  void decouple() {
    std::vector<Region> regions;
    for (int t = 0; t < (scored_ ? options_.iterations : 1); ++t) {
      const Mined mined = agents_.mine(pages_, regions, known_, {options_.images, options_.crops});
      if (mined.refused) return;
      regions = mined.regions;
      const bool grew = add(mined.details) || !regions.empty();
      const auto sorted = agents_.separate(known_, static_cast<int>(pages_.size()));
      if (sorted.refused) return;
      known_ = sorted.statements;
      if (sorted.answerable || !grew) return;
      if (options_.recheck && is_certain()) return;
    }
  }

  // Returns whether any of the details is new.
  bool add(const std::vector<Note>& details) {
    bool grew = false;
    for (const Note& detail : details) {
      const bool known =
          std::ranges::any_of(notes_, [&](const Note& note) { return note.text == detail.text; });
      if (known) continue;
      grew = true;
      notes_.push_back(detail);
      known_.fine_print.push_back(note_line(detail, pages_));
    }
    return grew;
  }

  // [10, 16] Writes the answer.
  Answer summarize() {
    const bool show = options_.show_draft && draft_;
    std::vector<PageId> shown = pages_;
    const agents::TurnReply reply =
        agents_.summarize(&shown, known_, show ? &draft_->text : nullptr);
    // Without a summary, the trial answer is the best so far.
    const bool none = reply.usage.vlm_calls == 0 || (reply.cut && !reply.usable);
    const agents::StatedAnswer stated =
        none && draft_ ? agents::stated_answer(*draft_, "") : agents::stated_answer(reply, "pages");
    if (!none) pages_ = std::move(shown);
    const auto claims = claims_of(stated, reply.usable, pages_, notes_);
    Answer answer = agents::answer_of(
        stated, agents::cite(context_.session.corpus(), pages_, claims), min_confidence_);
    answer.uncertain = uncertain_;
    return answer;
  }

  session::Context& context_;
  const Options options_;
  const double min_confidence_;
  const Agents agents_;
  std::vector<PageId> pages_;               // P, in rank order
  std::vector<Note> notes_;                 // all facts and details
  Statements known_;                        // I_h and I_d
  std::optional<agents::TurnReply> draft_;  // a0
  bool scored_ = true;                      // the generator gives log-probabilities
  std::optional<bool> uncertain_;           // by the first trial answer
};

Answer answer(session::Context& context, const Question& question, const PipelineOptions& options) {
  const auto ranked = retrieve::search_ranked(context, question.text, options.search);
  std::vector<PageId> shown = retrieve::page_numbers(ranked.found);
  if (hkrag::option_table().read(options.own).seek) {
    shown = page_choice().choose(context, question.text, options.answer.prompts, std::move(shown));
  }
  Answer answer = Hkrag(context, question, options).run(shown);
  answer.retrieved = retrieve::retrieved_pages(context, ranked.ranking, shown);
  return answer;
}

void check(const session::Session& session, const PipelineOptions& options) {
  const Options own = options_of(options, session);
  if (!own.seek) return;
  session.generator(page_choice().agent);
  if (options.search.gold_pages) {
    throw Error(ErrorCode::usage,
                "--seek chooses among pages found, but --gold-pages has all gold pages read; leave "
                "out one of them");
  }
  if (options.search.k > 1) return;
  throw Error(ErrorCode::usage,
              format("--seek: with -k {} there is only one page to choose from; give a larger -k",
                     options.search.k));
}

std::vector<std::string> hkrag_agents(const PipelineOptions& options) {
  const Options own = hkrag::option_table().read(options.own);
  std::vector<std::string> names = {"hkrag.summarizer"};
  if (own.seek) names.push_back(page_choice().agent);
  if (!own.no_pruner) names.emplace_back("hkrag.pruner");
  if (!own.no_decoupler || own.show_draft) names.emplace_back("hkrag.judger");
  if (!own.no_decoupler) {
    names.insert(names.end(), {"hkrag.decoupler_mine", "hkrag.decoupler_separate"});
  }
  return names;
}

}  // namespace
}  // namespace hkrag

Pipeline hkrag_pipeline() {
  return {
      .info = {.name = "hkrag",
               .needs = "a single-vector page encoder (Phi-3-vision, DSE)",
               .calls_per_question = "3 to 18"},
      .run = hkrag::answer,
      .agents = hkrag::agent_names(),
      .options = hkrag::option_table().options(),
      .check = hkrag::check,
      .golden_cases = {{.name = "method_hkrag", .formula = "mask"}},
      .gate = {.agent = "hkrag.judger", .judge = hkrag::judge_for_gate, .check = hkrag::check_gate},
      .asks = hkrag::hkrag_agents};
}

}  // namespace fineprint::pipelines
