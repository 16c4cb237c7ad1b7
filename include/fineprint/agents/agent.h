// Defines an agent (prompt, schema of the reply, image tier) and calls it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/prompts.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/image.h"
#include "fineprint/core/records.h"
#include "fineprint/grammar/json_schema.h"
#include "fineprint/models/generator.h"
#include "fineprint/session/context.h"

namespace fineprint::agents {

// An agent: one role of a pipeline. It has no state; what it knows of a question is in its Turn.
struct Agent {
  std::string name;  // "NAME.ROLE", as in its prompt, traces and scripts
  PromptText prompt;
  std::optional<grammar::JsonSchema> schema = {};  // absent: free text
  session::Tier tier = session::Tier::page;        // of pages that are shown without a ready image
  int max_new_tokens = 1024;
  int retries = 2;
  bool labels = true;  // "Page 0: " precedes each image
};

// Returns the agent of the prompt "NAME.ROLE": its texts (see load_prompt), and the settings in the
// head of the prompt's file. The head has two parts before [system] and [user], both optional:
//   [agent]                  lines "key = value": tier (of Tier's names), max-new-tokens, retries,
//   tier = fine              gaps, the names that may appear in the user part as {name}, and for
//   gaps = question notes    models that were trained on another form: labels = none (images have
//   labels = none            no "Page 0: "), system = none (the request has no system message)
//   [schema]                 JSON, of the subset that JsonSchema knows
//   {"type": "object", ...}
// A file in `prompt_folder` inherits what it leaves out from the built-in file. It must not list a
// gap that the built-in file does not have, and its schema must require what the built-in schema
// requires, because the pipeline reads those properties. Throws Error(usage) naming file and line
// if a head has another form, and the errors of load_prompt.
Agent load_agent(std::string_view name, const std::string& prompt_folder = {});

// An image of a call, with the pages that it shows. Pages are numbered over all images of the call:
// "Page 3: " precedes an image of one page, "Pages 4 to 9: " a mosaic of six, and "Page 3 (top left
// of page 0): " a crop.
struct Shown {
  std::vector<PageId> pages;              // one, or those of a mosaic
  std::optional<SharedImage> image = {};  // a mosaic or crop; absent: the page at the agent's tier
  std::string part = {};                  // of a crop: "top left of page 0"
};

// Returns the request for an agent that is shown one page and asked one question, which fills
// {question}; the prompt must have no other gaps. The page need not be in any store and must
// already have the size of the agent's tier. Used for training, where pages come from elsewhere.
models::Request page_request(const Agent& agent, const std::string& question, SharedImage page);
// The same for several pages, shown in this order. There is a name for each ("report.pdf:3"), under
// which what the model makes of the picture may be kept.
models::Request pages_request(const Agent& agent, const std::string& question,
                              std::vector<SharedImage> pages, std::vector<std::string> names);
// The same for an agent that is shown no page: `values` fill the prompt's other gaps.
models::Request text_request(const Agent& agent, const std::string& question,
                             std::vector<Value> values);

// Returns why a reply that fits the schema still cannot be used ("page 7 was not shown"), in words
// for the model, or nullopt if it can. Receives the JSON object, or the free text.
using ReplyCheck = std::function<std::optional<std::string>(std::string_view reply)>;

// Returns each page as an image of its own.
std::vector<Shown> one_by_one(std::span<const PageId> pages);

// The most pages that a mosaic can have.
inline constexpr std::size_t kMostInMosaic = 20;
// Returns 1 to kMostInMosaic pages at this tier as one picture, in the grid of image::grid_of for
// their number. If the question is stopped meanwhile, the result has no image, because nothing will
// be asked.
Shown in_mosaic(const session::Context& context, session::Tier tier, std::span<const PageId> pages);

// The part of the budget that a call must leave for later calls.
struct Reserve {
  int calls = 0;
  int pages = 0;
  session::Tier tier = session::Tier::page;  // tier of these pages
};

// Limits local indices in a reply: each integer in a property `field` at any depth, alone or in a
// list, must be below `count`; the same for the property `also`, if it is named. The schema states
// the limit for generators, and replies are checked against it.
struct IndexBound {
  std::string field;
  std::size_t count = 0;
  std::string also = {};
  bool some = false;  // the schema also requires a non-empty list in `field`
};

// An earlier request of a conversation, and its reply.
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
  // Earlier exchanges, if the turn continues a conversation. `shown` was shown at its beginning,
  // and the agent's system part is replaced by that of the agent that began it.
  std::vector<Exchange> before = {};
  bool goes_on = false;  // another turn will continue after this one
};

// The outcome of a call.
struct TurnReply {
  // The reply passed all checks. If false, the caller uses the agent's fallback.
  bool usable = false;
  // The last reply gave an answer and left out what follows from it; all that was shown is named as
  // its evidence.
  bool completed = false;
  // The last reply was stopped before it ended. The written part of a free text is usable; part of
  // an object is not.
  bool cut = false;
  // If usable, the JSON object alone, or the free text without surrounding white space. Otherwise
  // the last reply as it came, or empty if there was none or it was cut.
  std::string text;
  std::string said;  // the user part that the last reply answers; may be empty
  // Scores of the last reply's tokens, without the end token; empty if the generator gives none.
  std::vector<models::TokenScore> tokens;
  Usage usage;                // of all attempts; `malformed` counts unusable replies
  std::string budget_reason;  // the limit that refused a call or cut it; may be empty
  // Why the last reply has no text (models::why_empty), with the names of agent and model; empty if
  // it has text, or was cut.
  std::string why_empty;
};

// Asks the agent. If the reply is malformed, asks again with the problem in words, up to
// agent.retries times. Decoding is always greedy.
//
// A call that would exceed a limit of the budget, or not leave the turn's reserve, is not made. A
// call that is running when the question's time is up, or when the question is cancelled, is cut.
// context.limit says why. Before a call its image tokens are estimated as one per 28 x 28 pixels;
// afterwards the number that the generator reports is spent.
//
// Adds to context.usage, and writes one line of trace and log per call:
// {"step":"call","agent","attempt","pages","tier","prompt_tokens","cached_tokens",
//  "output_tokens","entropy"?,"reply","malformed","problem"?,"fallback"?,"stopped"?}, or
// {"step":"budget","agent","reason"}.
// Throws the errors of the generator and of the page images, and Error(interrupted).
TurnReply call(session::Context& context, const Agent& agent, const Turn& turn);

// An agent with what it is asked.
struct Asking {
  Agent agent;
  Turn turn;
};

// Makes all calls at the same time, each on a thread of its own, and returns when all are done.
// Malformed replies are asked for again together. Budget checks, usage and traces follow the order
// of `askings`, whichever replies first: the budget counts all earlier calls of the list as made.
// Throws like call(), the first error in their order, after all calls have ended.
std::vector<TurnReply> call_at_once(session::Context& context, const std::vector<Asking>& askings);

// An agent's choice among given replies.
struct TurnChoice {
  // Index of the chosen candidate. Absent if the budget refused or cut the call (budget_reason), or
  // if the generator cannot choose (problem).
  std::optional<std::size_t> best = {};
  std::vector<double> probabilities = {};  // of the candidates, in their order; their sum is 1
  std::string problem = {};
  Usage usage = {};
  std::string budget_reason = {};
};

// Lets the generator score each of `candidates` as the agent's complete reply, after reading the
// prompt once (see Generator::choose). Ignores the agent's schema and retries and the turn's check.
// Makes no call if Generator::can_choose is false. Budget, usage and trace are as for call(); the
// step's "reply" is the candidate. The step has "probabilities", or a "problem" if the generator
// throws Error(model): it gives no probabilities, or finds none of the candidates likely. Throws
// all other errors of the generator, and Error(interrupted).
TurnChoice choose(session::Context& context, const Agent& agent, const Turn& turn,
                  std::span<const std::string> candidates);

}  // namespace fineprint::agents
