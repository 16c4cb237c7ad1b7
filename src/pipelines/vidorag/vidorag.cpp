// ViDoRAG: a Seeker skims small pictures of the pages that text and page retrieval found; an
// Inspector reads its choice and answers or names the missing facts; an Answer agent checks the
// draft. Source: ViDoRAG (arXiv 2502.18017), section 5; [n] counts the steps of
// src/pipelines/vidorag/README.md.
#include <algorithm>
#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/vidorag/agents.h"
#include "pipelines/vidorag/options.h"
#include "pipelines/vidorag/seeking.h"

namespace fineprint::pipelines {
namespace vidorag {
namespace {

class Vidorag {
 public:
  // `options` must outlive the object.
  Vidorag(session::Context& context, const Question& question, const PipelineOptions& all,
          const Options& options)
      : context_(context),
        options_(options),
        min_confidence_(all.answer.min_confidence),
        agents_(context, question.text, options, all.answer.prompts) {}

  // [1-13]
  Answer run(Pages candidates) {
    candidates_ = std::move(candidates);
    if (candidates_.empty()) return agents::empty_retrieval(context_);
    for (int round = 1;; ++round) {
      const Pages selected = select(round);
      if (selected.empty() && buffer_.empty()) return decline();
      if (selected.empty()) return read_buffer();
      take_in(selected);
      if (limited_) return read_buffer();
      const Inspected seen = agents_.inspect(buffer_);  // [9]
      if (seen.refused) return read_buffer();
      if (seen.answers) return conclude(seen);
      clues_.feedback = seen.feedback;  // [13]
      buffer_ = seen.named;
    }
  }

 private:
  // [3-5] Returns the Seeker's choice, as many pages as the buffer holds. Pages that do not fit
  // remain candidates.
  Pages select(int round) {
    if (candidates_.empty() || round > options_.rounds) return {};
    const int reserve = std::min(static_cast<int>(buffer_.size()) + 1, options_.buffer_pages);
    Sought sought = agents_.seek(candidates_, clues_, round == 1, reserve);
    limited_ = sought.refused;
    // If the budget refuses the Seeker, the pages in the buffer must do; without any, the Seeker's
    // fallback pages are read.
    if (limited_ && !buffer_.empty()) return {};
    if (options_.memory) clues_.memory = sought.summary;
    Pages& selected = sought.selected;
    selected.resize(std::min(selected.size(), most_buffered()));
    std::erase_if(candidates_, [&](PageId page) { return std::ranges::count(selected, page) > 0; });
    return selected;
  }

  // [6] No page that was read helps, and no further page is wanted.
  Answer decline() {
    context_.events.tell({.line = "vidorag: no page is left to read"});
    return agents::answer_of({std::string(kNotAnswerable), false, 0, {}}, {}, min_confidence_);
  }

  // [7] Answers from the buffer, without a draft.
  Answer read_buffer() {
    Pages pages = buffer_;
    const agents::TurnReply reply = agents_.answer(&pages, "");
    return agents::cited_answer(context_, reply, "reference", pages, min_confidence_);
  }

  // [8] Adds the choice to the buffer. The pages kept longest are dropped.
  void take_in(const Pages& selected) {
    buffer_.insert(buffer_.end(), selected.begin(), selected.end());
    const std::size_t surplus = buffer_.size() - std::min(buffer_.size(), most_buffered());
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(surplus));
  }

  // [10-12] A draft that rests on all pages is the answer. Any other draft is checked against the
  // pages that it names, or against all if it names none, and is the answer if the check gives
  // nothing usable.
  Answer conclude(const Inspected& seen) {
    if (seen.named.size() < buffer_.size()) {
      Pages pages = seen.named.empty() ? buffer_ : seen.named;
      const agents::TurnReply reply = agents_.answer(&pages, seen.draft);
      if (reply.usable) {
        return agents::cited_answer(context_, reply, "reference", pages, min_confidence_);
      }
    }
    return agents::cited_answer(context_, seen.reply, "reference", buffer_, min_confidence_);
  }

  std::size_t most_buffered() const { return static_cast<std::size_t>(options_.buffer_pages); }

  session::Context& context_;
  const Options& options_;
  const double min_confidence_;
  const Agents agents_;
  Pages candidates_;      // Ic
  Pages buffer_;          // B, oldest page first
  Clues clues_;           // M and F
  bool limited_ = false;  // the budget refused the Seeker: no more pages are added
};

// Limits the candidates to the cells of the largest mosaic, which is also the most that the Seeker
// can choose from, and records how many are not shown.
void keep_to_a_mosaic(session::Context& context, Pages* candidates) {
  if (candidates->size() <= agents::kMostInMosaic) return;
  const std::size_t unseen = candidates->size() - agents::kMostInMosaic;
  context.events.tell({.step = "unseen",
                       .fields = dump_json({{"pages", unseen}}),
                       .line = format("{} of the pages found are not shown", unseen)});
  candidates->resize(agents::kMostInMosaic);
}

Answer answer_vidorag(session::Context& context, const Question& question,
                      const PipelineOptions& options) {
  Options own = vidorag::option_table().read(options.own);
  own.seeker.layout = seeker_layout(context, own.seeker);
  retrieve::SearchOptions search = options.search;
  if (own.padding && own.seeker.layout == Layout::mosaic) {
    search.union_sizes = {1, 2, 4, 6, 9, 12, 16, 20};  // Source: ViDoRAG's code
  }
  const auto pages = retrieve::search_ranked(context, question.text, search);
  Pages candidates = retrieve::page_numbers(pages.found);
  keep_to_a_mosaic(context, &candidates);
  Answer answer = Vidorag(context, question, options, own).run(candidates);
  answer.retrieved = retrieve::retrieved_pages(context, pages.ranking, candidates);
  return answer;
}

}  // namespace
}  // namespace vidorag

Pipeline vidorag_pipeline() {
  return {.info = {.name = "vidorag",
                   .needs = "a multi-vector page encoder (ColQwen2, ColPali) and a text encoder",
                   .calls_per_question = "2 to 11"},
          .run = vidorag::answer_vidorag,
          .agents = vidorag::agent_names(),
          .options = vidorag::option_table().options(),
          .choice = {.agent = "vidorag.seeker", .choose = vidorag::sought_pages}};
}

}  // namespace fineprint::pipelines
