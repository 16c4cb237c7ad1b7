// Agents that answer one question from two streams, pages as text and pages as pictures: a general
// one that has both, a critical one that names the key clues of each, one for each stream, and one
// that weighs what the others say.
// Source: MDocAgent (arXiv 2503.13964), its last three stages; DMAP's generator is the same without
// the critical agent.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/reading.h"
#include "fineprint/core/geometry.h"
#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines {

// A part of a page that the image agent sees by itself.
struct ShownPart {
  std::uint32_t page = 0;  // dense
  Box box;                 // points
  std::string caption;     // may be empty
};

// What the agents are given: dense pages in the order of their rank, none twice in a stream.
struct Streams {
  std::vector<std::uint32_t> texts, images;
  std::vector<ShownPart> parts = {};  // behind the images
};

struct StreamAgentsOptions {
  bool critical = true;    // there is a critical agent
  bool free_text = false;  // the general, text and image agents are those of NAME/ROLE_free.txt
};

// One question's agents. Replies of theirs have an `answer`, perhaps an `answerable`, the critical
// one's the clues `text` and `image`. The general agent has what the budget leaves; each other call
// leaves room for those behind it, so that what is found is still summarised.
class StreamAgents {
 public:
  // `name`: of the pipeline whose prompts they have. Pages are shown at the reader's tier, the
  // summary is at most as long as its answers.
  StreamAgents(session::Context& context, std::string name, std::string question,
               const agents::ReaderOptions& reader, const StreamAgentsOptions& options)
      : context_(context),
        name_(std::move(name)),
        question_(std::move(question)),
        reader_(reader),
        options_(options) {}

  // [general] -> [critical] -> [text | image, at once] -> [summarise]: 5 calls, 4 without the
  // critical agent. Fallbacks: no clues; an agent's or the summary's raw text; without a summary
  // the first answer that does not decline in the order image, text, general. Cites all pages that
  // were shown, in the order of `Streams`, images first, then parts. Over a limit on pages or image
  // tokens the general agent is shown fewer pictures.
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
  void count_as_shown(const std::vector<std::uint32_t>& images,
                      const std::vector<std::uint32_t>& texts);

  session::Context& context_;
  const std::string name_, question_;
  const agents::ReaderOptions reader_;
  const StreamAgentsOptions options_;
  agents::TurnReply general_, text_, image_;
  std::vector<std::uint32_t> general_images_;  // that the general agent was shown
  std::vector<std::uint32_t> shown_images_, shown_parts_, shown_texts_;
};

}  // namespace fineprint::pipelines
