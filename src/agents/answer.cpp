// Turns an agent's last reply into the answer's record.
#include "fineprint/agents/answer.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/image/mosaic.h"

#include "agents/supporting_parts.h"
#include "agents/turn_request.h"

namespace fineprint::agents {
namespace {

// Source: MoLoRAG, section 4.1.
constexpr int kCompositeColumns = 3;

image::Grid composite_grid(std::size_t pages) {
  const int count = static_cast<int>(pages);
  const int columns = std::min(kCompositeColumns, count);
  return {(count + columns - 1) / columns, columns};
}

// Returns `count` mosaics, or fewer, of equally many consecutive pages each.
std::vector<Shown> in_mosaics(const session::Context& context, session::Tier tier,
                              std::span<const PageId> pages, int count) {
  const auto parts = static_cast<std::size_t>(count);
  const std::size_t each = (pages.size() + parts - 1) / parts;
  std::vector<Shown> shown;
  for (std::size_t first = 0; first < pages.size(); first += each) {
    if (context.stop_token.stop_requested()) break;  // nothing will be asked about them
    const auto run = pages.subspan(first, std::min(each, pages.size() - first));
    shown.push_back(mosaic_of(context, tier, run, composite_grid(run.size()), first));
  }
  return shown;
}

void weigh(const TurnReply& reply, StatedAnswer* stated) {
  const std::optional<double> doubt = uncertainty(reply.tokens, {});
  stated->confidence = stated->answerable ? 1 - doubt.value_or(0) : doubt.value_or(0);
  stated->weighed = doubt.has_value() && reply.usable;
}

// Options override the tier and the length in the head of the prompt.
Agent reader(std::string_view name, const AnswerOptions& options) {
  Agent agent = load_agent(format("{}{}", name, options.free_text ? "_text" : ""), options.prompts);
  agent.tier = options.tier;
  agent.max_new_tokens = options.max_new_tokens;
  return agent;
}

// Returns what the reply names as its evidence. Free text names none, so all that was shown is
// meant.
std::vector<std::size_t> evidence_of(const StatedAnswer& stated, const TurnReply& reply,
                                     std::string_view evidence, std::size_t count) {
  if (!stated.answerable) return {};
  if (reply.usable && !evidence.empty()) return stated.indices;
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Keeps the chunks that share words with the answer; keeps all if none does.
void keep_sharing(const std::string& answer, std::span<const ChunkShown> chunks,
                  std::vector<std::size_t>* meant) {
  std::vector<std::size_t> sharing;
  std::ranges::copy_if(*meant, std::back_inserter(sharing),
                       [&](std::size_t index) { return shares_terms(chunks[index].text, answer); });
  // "Yes" shares no words with anything; then all chunks are as good.
  if (!sharing.empty()) *meant = std::move(sharing);
}

// Adds claims of the parts of the chunk that support the stated answer, or of its entire page.
void quote_chunk(const ChunkShown& chunk, const std::string& question, const StatedAnswer& stated,
                 std::vector<Claim>* claims) {
  const std::span<const std::string> parts =
      chunk.parts.empty() ? std::span(&chunk.text, 1) : std::span(chunk.parts);
  const auto quotes = supporting_parts(parts, question, stated.answer);
  for (const std::string& quote : quotes) {
    claims->push_back({chunk.page, quote, stated.confidence});
  }
  if (quotes.empty()) claims->push_back({chunk.page, "", stated.confidence});
}

}  // namespace

TurnReply ask_about_pages(session::Context& context, const Agent& agent, Turn turn,
                          std::vector<PageId>* pages, std::string_view evidence, int composites) {
  const auto show = [&](std::span<const PageId> some) {
    return composites > 0 ? in_mosaics(context, agent.tier, some, composites) : one_by_one(some);
  };
  return ask_about_pages(context, agent, std::move(turn), pages, evidence, Showing(show));
}

TurnReply ask_about_pages(session::Context& context, const Agent& agent, Turn turn,
                          std::vector<PageId>* pages, std::string_view evidence,
                          const Showing& show) {
  while (true) {
    turn.shown = show(*pages);
    if (!evidence.empty()) turn.indices = IndexBound{std::string(evidence), pages->size()};
    TurnReply reply = call(context, agent, turn);
    // A call that was made and then cut does not get a second try with fewer pages.
    const bool refused = !reply.budget_reason.empty() && reply.usage.vlm_calls == 0;
    if (!refused || pages->size() <= 1) return reply;
    // The budget has no room for all pages, so the call is made without the last one.
    pages->pop_back();
  }
}

Answer empty_retrieval(session::Context& context) {
  context.events.tell(
      {.step = "empty_retrieval", .line = "no page was found, so no model is asked"});
  return answer_of({std::string(kNotAnswerable), false, 0, {}}, {}, -1);
}

StatedAnswer stated_answer(const TurnReply& reply, std::string_view evidence) {
  // A model that says nothing has not said that there is no answer.
  if (!reply.why_empty.empty()) throw Error(ErrorCode::no_reply, reply.why_empty);
  StatedAnswer stated;
  std::string text = reply.text;
  bool says_so = true;
  if (reply.usable && !evidence.empty()) {
    const Json object = parse_json(reply.text, "a reply");
    text = object.at("answer").get<std::string>();
    says_so = object.value("answerable", true);
    for (const Json& index : object.at(std::string(evidence))) {
      const auto value = index.get<std::size_t>();
      // An index that the reply repeats means one citation.
      const auto end = stated.indices.end();
      if (std::find(stated.indices.begin(), end, value) == end) stated.indices.push_back(value);
    }
  }
  const FinalAnswer final = final_answer(text, says_so);
  stated.answer = final.text;
  stated.answerable = final.answerable;
  if (!says_so) stated.withdrawn = declines(text) ? "" : std::string(trim(text));
  weigh(reply, &stated);
  return stated;
}

Answer answer_of(const StatedAnswer& stated, std::vector<Citation> citations,
                 double min_confidence) {
  Answer answer;
  answer.answerable = stated.answerable && stated.confidence >= min_confidence;
  answer.answer = answer.answerable ? stated.answer : std::string(kNotAnswerable);
  answer.confidence = stated.confidence;
  answer.weighed = stated.weighed;
  answer.withdrawn = stated.withdrawn;
  answer.citations = std::move(citations);
  return answer;
}

Answer cited_answer(const session::Context& context, const TurnReply& reply,
                    std::string_view evidence, std::span<const PageId> pages,
                    double min_confidence) {
  const StatedAnswer stated = stated_answer(reply, evidence);
  std::vector<Claim> claims;
  for (const std::size_t index : evidence_of(stated, reply, evidence, pages.size())) {
    claims.push_back({pages[index], "", stated.confidence});
  }
  return answer_of(stated, cite(context.session.corpus(), pages, claims), min_confidence);
}

std::vector<std::string> page_answer_agents() { return {"answer.pages", "answer.pages_text"}; }

std::vector<std::string> chunk_answer_agents() { return {"answer.chunks", "answer.chunks_text"}; }

std::vector<std::string> page_answer_option_names() {
  return {"answer-format", "answer-tokens", "image-tier", "composites"};
}

std::vector<std::string> chunk_answer_option_names() { return {"answer-format", "answer-tokens"}; }

Answer read_pages(session::Context& context, const Question& question, std::vector<PageId> pages,
                  const AnswerOptions& options) {
  if (pages.empty()) return empty_retrieval(context);
  const std::string_view evidence = options.free_text ? "" : "pages";
  const TurnReply reply =
      ask_about_pages(context, reader("answer.pages", options), {.question = question.text}, &pages,
                      evidence, options.composites);
  return cited_answer(context, reply, evidence, pages, options.min_confidence);
}

Value chunk_list(std::span<const ChunkShown> chunks) {
  Value list{.name = "chunks", .text = "", .data = false};
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    list.text += format("Passage {}:\n", i);
    if (!chunks[i].heading.empty()) list.text += as_data(chunks[i].heading) + "\n";
    list.text += as_data(chunks[i].text) + "\n";
    list.ends.push_back(list.text.size());
  }
  return list;
}

Answer cited_chunks(session::Context& context, const Question& question,
                    std::span<const ChunkShown> chunks, const TurnReply& reply,
                    std::string_view evidence, double min_confidence) {
  const StatedAnswer stated = stated_answer(reply, evidence);
  std::vector<PageId> pages;
  for (const ChunkShown& chunk : chunks) pages.push_back(chunk.page);
  std::vector<std::size_t> meant = evidence_of(stated, reply, evidence, chunks.size());
  const bool names_none = !reply.usable || evidence.empty() || reply.completed;
  if (names_none) keep_sharing(stated.answer, chunks, &meant);
  std::vector<Claim> claims;
  for (const std::size_t index : meant) {
    quote_chunk(chunks[index], question.text, stated, &claims);
  }
  return answer_of(stated, cite(context.session.corpus(), pages, claims), min_confidence);
}

Answer read_chunks(session::Context& context, const Question& question,
                   std::span<const ChunkShown> chunks, const AnswerOptions& options) {
  if (chunks.empty()) return empty_retrieval(context);
  const std::string_view evidence = options.free_text ? "" : "chunks";
  Turn turn{.question = question.text, .values = {chunk_list(chunks)}};
  if (!evidence.empty()) turn.indices = IndexBound{std::string(evidence), chunks.size()};
  const TurnReply reply = call(context, reader("answer.chunks", options), turn);
  return cited_chunks(context, question, chunks, reply, evidence, options.min_confidence);
}

}  // namespace fineprint::agents
