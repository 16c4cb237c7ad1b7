// One agent: what it is told, what it may reply, and a call of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/prompts.h"
#include "fineprint/core/image.h"
#include "fineprint/core/records.h"
#include "fineprint/grammar/json_schema.h"
#include "fineprint/models/generator.h"
#include "fineprint/session/context.h"

namespace fineprint::agents {

// Stateless: what an agent knows of a question is in its Turn.
struct Agent {
  std::string name;  // of the trace and of scripts: "NAME.ROLE", as of its prompt
  PromptText prompt;
  std::optional<grammar::JsonSchema> schema = {};  // absent: free text
  session::Tier tier = session::Tier::page;        // of pages that are shown without a ready image
  int max_new_tokens = 1024;
  int retries = 2;
};

// The agent of the prompt "NAME.ROLE": what it is told (see load_prompt), and what the head of the
// prompt's file says of it, in the parts before [system] and [user], each of which may be left out:
//   [agent]                  lines "key = value": tier (of Tier's names), max-new-tokens, retries,
//   tier = fine              and gaps, the names that may stand in the user part as {name}
//   gaps = question notes
//   [schema]                 JSON, of the subset that JsonSchema knows
//   {"type": "object", ...}
// What the file in `prompt_folder` leaves out is as in the built-in one. It may list no gap that
// the built-in one has not, and its schema must require what the built-in one requires. Throws
// Error(usage) naming file and line for a head of another form, and what load_prompt throws.
Agent load_agent(std::string_view name, const std::string& prompt_folder = {});

// An image of a call. Pages are counted over all images: behind the words "Page 3: " stands an
// image of one page, behind "Pages 4 to 9: " a mosaic of six.
struct Shown {
  std::vector<std::uint32_t> pages;       // dense numbers: one, or those of a mosaic
  std::optional<SharedImage> image = {};  // a mosaic or crop; absent: the page at the agent's tier
};

// What a generator is asked when the agent is shown one page, which need be in no store and is at
// its tier, and a question, that fills {question}; there are no other gaps.
models::Request page_request(const Agent& agent, const std::string& question, SharedImage page);

// Why a reply that fits the schema cannot be used all the same ("page 7 was not shown"); nullopt
// when it can. Gets the JSON object, or the free text.
using ReplyCheck = std::function<std::optional<std::string>(std::string_view reply)>;

// Each page as an image of its own.
std::vector<Shown> one_by_one(std::span<const std::uint32_t> pages);

inline constexpr std::size_t kMostInMosaic = 20;
// 1 to kMostInMosaic pages at this tier as one picture, in the grid that image::grid_of has for so
// many. When the question is stopped meanwhile, nothing will be asked, and it has no image.
Shown in_mosaic(const session::Context& context, session::Tier tier,
                std::span<const std::uint32_t> pages);

// What must be left of the budget behind a call, for those that still have to be made.
struct Reserve {
  int calls = 0;
  int pages = 0;
  session::Tier tier = session::Tier::page;  // of these pages
};

// Local indices in a reply: each integer, and each one in a list, that stands in a property `field`
// at any depth must be below `count`, and so must those of the property `also`, if it is named.
// Generators are told so in the schema, and replies are checked.
struct IndexBound {
  std::string field;
  std::size_t count = 0;
  std::string also = {};
  bool some = false;  // generators are told that a list in `field` is not empty; a check looks
};

// What was asked and replied before in a conversation.
struct Exchange {
  std::string said;  // TurnReply::said
  std::string reply;
};

// What an agent is asked.
struct Turn {
  std::string question;            // fills {question}
  std::vector<Value> values = {};  // fill the other gaps
  std::vector<Shown> shown = {};
  ReplyCheck check = {};
  Reserve reserve = {};
  std::optional<IndexBound> indices = {};
  // The turn goes on in this conversation, at whose beginning `shown` was shown; the agent has the
  // system part of the one that began it.
  std::vector<Exchange> before = {};
  bool goes_on = false;  // another turn will go on behind this one
};

struct TurnReply {
  // The reply passed all checks. Otherwise the caller uses the agent's fallback.
  bool usable = false;
  // The last reply was stopped on its way. The part of a free text that was written is usable, the
  // part of an object is not.
  bool cut = false;
  // Usable: the JSON object alone, or the free text without blanks around it. Otherwise the last
  // reply as it came; empty when there was none, or it was cut.
  std::string text;
  std::string said;  // the user part that the last reply answers; empty when there was none
  // Of the last reply, without the token that ends it; empty when the generator tells none.
  std::vector<models::TokenScore> tokens;
  Usage usage;                // of all attempts; `malformed` counts the replies that were no use
  std::string budget_reason;  // which limit kept a call from being made, or cut one; empty: none
};

// Asks the agent, and again with what was wrong in words when a reply is malformed, up to
// agent.retries times; greedy throughout. A call that would pass a limit of the budget, or not
// leave the turn's reserve, is not made, and one that is under way when the question's time is up
// or it is called off is cut; context.limit says why. Before a call its image tokens are
// estimated by one for 28 x 28 pixels; what the generator then reports is what is spent. Adds to
// context.usage, writes one line of trace and log a call:
// {"step":"call","agent","attempt","pages","tier","prompt_tokens","cached_tokens",
//  "output_tokens","entropy"?,"reply","malformed","problem"?,"fallback"?,"stopped"?}, or
// {"step":"budget","agent","reason"}.
// Throws what the generator and the page images throw, and Error(interrupted).
TurnReply call(session::Context& context, const Agent& agent, const Turn& turn);

// An agent with what it is asked.
struct Asking {
  Agent agent;
  Turn turn;
};

// Asks all of them at the same time, each on a thread of its own, and returns when all are done;
// those whose replies are malformed are asked again together. What is checked against the budget,
// counted and told goes in their order, whoever replies first: a call takes those before it for
// made when it looks at what is left. Throws as `call` does, the first one's error in their order,
// when all have ended.
std::vector<TurnReply> call_at_once(session::Context& context, const std::vector<Asking>& askings);

// What an agent chose among given replies.
struct TurnChoice {
  // Of the candidates; absent: the budget did not allow the call or cut it (budget_reason), or the
  // generator cannot tell (problem).
  std::optional<std::size_t> best = {};
  std::vector<double> probabilities = {};  // of the candidates, in their order: their sum is 1
  std::string problem = {};
  Usage usage = {};
  std::string budget_reason = {};
};

// Has the generator score each of `candidates` as the agent's whole reply, behind one reading of
// the prompt (see Generator::choose); the agent's schema and retries and the turn's check are not
// looked at. Not asked at all when Generator::can_choose says that it is of no use. Budget, usage
// and trace are as for call(), the step's "reply" being the candidate; it has "probabilities", or
// the "problem" of a generator that throws Error(model): one that tells no probabilities, or finds
// none of the candidates likely. Throws what the generator else throws, and Error(interrupted).
TurnChoice choose(session::Context& context, const Agent& agent, const Turn& turn,
                  std::span<const std::string> candidates);

}  // namespace fineprint::agents
