// Agents that answer one question from two streams, pages as text and pages as pictures: a general
// agent that gets both, a critical agent that names the key clues of each, one agent for each
// stream, and one that weighs what the others say.
// Source: MDocAgent (arXiv 2503.13964), its last three stages; DMAP's generator is the same without
// the critical agent.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"
#include "fineprint/core/geometry.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

// A part of a page that the image agent sees as a picture of its own.
struct ShownPart {
  PageId page;
  Box box;              // points
  std::string caption;  // may be empty
};

// The input of the agents: page ids in rank order, none twice in a stream.
struct Streams {
  std::vector<PageId> texts, images;
  std::vector<ShownPart> parts = {};  // shown after the images
};

// Which agents run, and how they reply.
struct StreamAgentsOptions {
  bool critical = true;    // ask the critical agent
  bool free_text = false;  // general, text and image agents use NAME/ROLE_free.txt
};

// The agents of one question. Their replies have an `answer` and perhaps an `answerable`; that of
// the critical agent has the clues `text` and `image`. The general agent may use all of the budget
// that is left; each other call leaves room for the later ones, so that the findings are still
// summarised.
class StreamAgents {
 public:
  // `name`: the pipeline whose prompts the agents use. Pages are shown at the tier of `answer`, and
  // the summary is at most as long as its answers.
  StreamAgents(session::Context& context, std::string name, std::string question,
               const agents::AnswerOptions& answer, const StreamAgentsOptions& options)
      : context_(context),
        name_(std::move(name)),
        question_(std::move(question)),
        answer_(answer),
        options_(options) {}

  // [general] -> [critical] -> [text | image, at once] -> [summarise]: 5 calls, 4 without the
  // critical agent. Fallbacks: no clues; an agent's or the summary's raw text; without a summary
  // the first answer that does not abstain, in the order image, text, general. Cites all pages that
  // were shown, in the order of `Streams`, images first, then parts. If a limit on pages or image
  // tokens is reached, the general agent sees fewer pictures.
  Answer answer(const Streams& streams);

 private:
  struct Clues {
    std::string text, image;
  };

  agents::Agent agent(const std::string& role) const;
  agents::Agent answering_agent(const std::string& role) const;
  void ask_general(const Streams& streams);
  Clues ask_critical(const Streams& streams) const;
  void ask_text_and_image(const Streams& streams, const Clues& clues);
  agents::TurnReply summarise() const;
  const agents::TurnReply& best_reply() const;
  std::vector<agents::Shown> pictures(const Streams& streams, session::Tier tier) const;
  void count_as_shown(const std::vector<PageId>& images, const std::vector<PageId>& texts);

  session::Context& context_;
  const std::string name_, question_;
  const agents::AnswerOptions answer_;
  const StreamAgentsOptions options_;
  agents::TurnReply general_, text_, image_;
  std::vector<PageId> general_images_;  // pages that the general agent saw
  std::vector<PageId> shown_images_, shown_parts_, shown_texts_;
};

}  // namespace fineprint::pipelines
