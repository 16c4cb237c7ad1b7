// The last step of pipelines: an agent reads the evidence and answers, and its reply becomes the
// answer's record.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/citations.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::agents {

// Returns an answer that abstains, without a call, because nothing was retrieved. Traces the step
// "empty_retrieval".
Answer empty_retrieval(session::Context& context);

// What a reading agent says: {"answer", "answerable"} of its JSON object, or the complete text. An
// object without "answerable" counts as an answer.
struct StatedAnswer {
  std::string answer;  // kNotAnswerable if !answerable
  bool answerable = false;
  // The probability that the documents hold an answer: 1 - H' of the reply's tokens if it answers,
  // H' if it abstains (H' is the result of uncertainty()); 1 and 0 if there are no scores. Not
  // calibrated.
  double confidence = 0;
  std::vector<std::size_t> indices;  // local indices in the property `evidence`
  // The reply is usable, and the generator gave its log-probabilities.
  bool weighed = false;
  // What the object gives as its answer although it says that there is none; usually empty.
  std::string withdrawn = {};
};

// Parses a reply. `evidence` is the name of the property that lists indices ("pages"), or empty for
// free text. A reply that was not usable counts as free text, and one of a call that was not made,
// or that was cut before any text, abstains. Throws Error(no_reply) if the model replied without
// text.
StatedAnswer stated_answer(const TurnReply& reply, std::string_view evidence);

// Returns what was stated as a record with these citations. Below `min_confidence` it abstains.
Answer answer_of(const StatedAnswer& stated, std::vector<Citation> citations,
                 double min_confidence);

// Returns the record of a reply about these pages. Cites, as entire pages, the pages that
// the reply names in `evidence`, in its order, or all pages if the reply is or counts as free text
// that answers.
Answer cited_answer(const session::Context& context, const TurnReply& reply,
                    std::string_view evidence, std::span<const PageId> pages,
                    double min_confidence);

// Asks about all of these pages, in this order, at the agent's tier; `turn` has the rest. If a
// limit of the budget is exceeded, drops the last pages until the call fits, and removes them from
// `pages`. `evidence` is the property whose indices must be below the number of pages; empty: none.
// If `composites` is above 0, the pages are shown in that many mosaics of three columns. Source of
// the mosaics: MoLoRAG, section 4.1, for models that take few images.
TurnReply ask_about_pages(session::Context& context, const Agent& agent, Turn turn,
                          std::vector<PageId>* pages, std::string_view evidence,
                          int composites = 0);
// The same, with the pages shown as `show` returns them.
using Showing = std::function<std::vector<Shown>(std::span<const PageId>)>;
TurnReply ask_about_pages(session::Context& context, const Agent& agent, Turn turn,
                          std::vector<PageId>* pages, std::string_view evidence,
                          const Showing& show);

// How evidence is read and answers are given. They apply to every pipeline that reads by the
// functions below; the last two apply to all pipelines that ask agents.
struct AnswerOptions {
  bool free_text = false;  // no schema: the text is the answer, all pages are cited
  session::Tier tier = session::Tier::page;
  int composites = 0;  // show the pages in this many mosaics of three columns; 0: each page alone
  int max_new_tokens = 256;
  double min_confidence = -1;
  double min_answerability = 0.5;  // for pipelines that judge it
  std::string prompts = {};        // a folder, as for load_prompt
};

// The command-line and file options of AnswerOptions.
const OptionTable<AnswerOptions>& answer_options();

// Return what a pipeline declares: the agents of read_pages and of read_chunks, and the options
// that these use.
std::vector<std::string> page_answer_agents();
std::vector<std::string> chunk_answer_agents();
std::vector<std::string> page_answer_option_names();
std::vector<std::string> chunk_answer_option_names();

// Answers by one call that shows all pages in this order and asks the question. The agent is
// "answer.pages", or "answer.pages_text" for free text. Abstains if not even one page fits into the
// budget. Without pages it returns empty_retrieval().
Answer read_pages(session::Context& context, const Question& question, std::vector<PageId> pages,
                  const AnswerOptions& options);

// A run of text from one page.
struct ChunkShown {
  PageId page;
  std::string heading;  // may be empty
  std::string text;
  std::vector<std::string> parts = {};  // its sentences and table rows; empty: only the text
};

// Returns the gap {chunks}: each chunk with the number by which a reply names it. Their text is
// quoted line by line and the numbers are not, so that no chunk can forge a number. Each chunk's
// end is a fork point: another question on the same chunks goes on from there.
Value chunk_list(std::span<const ChunkShown> chunks);

// Returns the record of a reply about these chunks. Of each chunk that the reply names in
// `evidence`, quotes the parts that share most words with the answer, or else with the question; a
// chunk that shares none is cited as its page. A reply that names no chunks because it is free text
// (`evidence` is then empty), not usable or not complete cites the ones that share words with the
// answer, or all if none does.
Answer cited_chunks(session::Context& context, const Question& question,
                    std::span<const ChunkShown> chunks, const TurnReply& reply,
                    std::string_view evidence, double min_confidence);

// Answers by one call without images; the agent is "answer.chunks", or "answer.chunks_text". Cites
// as cited_chunks() does.
Answer read_chunks(session::Context& context, const Question& question,
                   std::span<const ChunkShown> chunks, const AnswerOptions& options);

}  // namespace fineprint::agents
