// The last step of pipelines: an agent reads the evidence and answers, and its reply becomes the
// answer's record.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/citations.h"
#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::agents {

// An answer without evidence and without a call: nothing was retrieved. Writes the trace's line
// "empty_retrieval".
Answer empty_retrieval(session::Context& context);

// What a reading agent said: {"answer", "answerable"} of its JSON object, else the whole text. An
// object without "answerable" answers.
struct Verdict {
  std::string answer;  // kNotAnswerable when !answerable
  bool answerable = false;
  // That the documents hold an answer: 1 - H' of the reply's tokens when it answers, H' when it
  // declines; 1 and 0 when there is nothing to weigh. Not calibrated.
  double confidence = 0;
  std::vector<std::size_t> indices;  // local: those of the property `evidence`
  // The reply is what was asked for, and the generator tells its log-probabilities.
  bool weighed = false;
};

// Takes the reply apart; `evidence` is the name of the property that lists indices ("pages"), or
// empty for free text. A reply that was not usable is taken as free text, and an empty one
// declines.
Verdict verdict_of(const TurnReply& reply, std::string_view evidence);

// The verdict as a record with these citations; below `min_confidence` it declines.
Answer answer_of(const Verdict& verdict, std::vector<Citation> citations, double min_confidence);

// The record of a reply about these pages: those that it names in `evidence` are cited as a whole,
// in the order of the reply, or all when it is, or was taken as, free text that answers.
Answer cited_answer(const session::Context& context, const TurnReply& reply,
                    std::string_view evidence, std::span<const std::uint32_t> pages,
                    double min_confidence);

// Asks about all of these pages, in this order, at the agent's tier; `turn` says the rest. Over a
// limit of the budget the last pages are left out until the call fits, which `pages` then tells.
// `evidence` is the property whose indices must be below the number of pages; empty: none is
// checked. With `composites` above 0 the pages are shown in so many mosaics of three columns.
// Source of the mosaics: MoLoRAG, section 4.1, for models that take few images.
TurnReply ask_about_pages(session::Context& context, const Agent& agent, Turn turn,
                          std::vector<std::uint32_t>* pages, std::string_view evidence,
                          int composites = 0);
// The same with the pages shown as `show` has it.
using Showing = std::function<std::vector<Shown>(std::span<const std::uint32_t>)>;
TurnReply ask_about_pages(session::Context& context, const Agent& agent, Turn turn,
                          std::vector<std::uint32_t>* pages, std::string_view evidence,
                          const Showing& show);

// How evidence is read and answers are given: of every pipeline that reads by the functions below,
// and the last two of all that ask agents.
struct ReaderOptions {
  bool free_text = false;  // no schema: the text is the answer and all pages are cited
  session::Tier tier = session::Tier::page;
  int max_new_tokens = 256;
  double min_confidence = -1;
  double min_answerability = 0.5;  // of pipelines that judge it
  std::string prompts = {};        // a folder, as for load_prompt
};

const OptionTable<ReaderOptions>& reader_options();

// For a pipeline to declare: the agents of read_pages and of read_passages, and the options that
// these look at.
std::vector<std::string> page_reader_names();
std::vector<std::string> passage_reader_names();
std::vector<std::string> page_reader_option_names();
std::vector<std::string> passage_reader_option_names();

// One call: all pages in this order and the question; agent "answer.pages", or "answer.pages_text"
// for free text; `composites` as in ask_about_pages. When no page fits into the budget it declines.
// Without pages: empty_retrieval.
Answer read_pages(session::Context& context, const Question& question,
                  std::vector<std::uint32_t> pages, const ReaderOptions& options,
                  int composites = 0);

// A run of text from one page.
struct PassageShown {
  std::uint32_t page = 0;  // dense
  std::string heading;     // may be empty
  std::string text;
  std::vector<std::string> parts = {};  // its sentences and table rows; empty: the text alone
};

// One call without images: agent "answer.chunks", or "answer.chunks_text". Of the passages that the
// reply names those parts are quoted that share most words with the answer, else with the question;
// a passage that shares none is cited as its page. Free text names no passages: those that share
// words with the answer are meant, or all when none does.
Answer read_passages(session::Context& context, const Question& question,
                     std::span<const PassageShown> passages, const ReaderOptions& options);

}  // namespace fineprint::agents
