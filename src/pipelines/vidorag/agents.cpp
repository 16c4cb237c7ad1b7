// Asks ViDoRAG's agents and parses their replies.
#include "pipelines/vidorag/agents.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::pipelines::vidorag {
namespace {

// Pages that the Seeker's fallback reads: the two that rank first.
constexpr std::size_t kFallbackPages = 2;

Pages pages_listed(const Json& indices, std::span<const PageId> pages) {
  return pages_named(indices.get<std::vector<std::size_t>>(), pages);
}

std::optional<std::string> chooses_some(std::string_view reply) {
  if (!parse_json(reply, "a reply").at("choice").empty()) return std::nullopt;
  return "\"choice\" names no page, and none has been read yet";
}

// ViDoRAG, section 5.2: F holds the evaluation of the pages and the missing information.
std::string feedback_of(const Json& object) {
  std::string feedback = object.at("reason").get<std::string>();
  const std::string missing = object.at("missing").get<std::string>();
  if (!missing.empty()) feedback += (feedback.empty() ? "Missing: " : "\nMissing: ") + missing;
  return feedback;
}

}  // namespace

Pages pages_named(std::span<const std::size_t> indices, std::span<const PageId> pages) {
  Pages named;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    // The order of the pages, and not that of the reply, is kept: it is the order of their rank.
    if (std::ranges::count(indices, i) > 0) named.push_back(pages[i]);
  }
  return named;
}

std::vector<std::string> agent_names() {
  return {"vidorag.seeker", "vidorag.inspector", "vidorag.answer"};
}

Layout seeker_layout(const session::Context& context, const View& view) {
  const std::int64_t most = context.session.generator("vidorag.seeker").most_pixels();
  const auto cells = static_cast<std::int64_t>(agents::kMostInMosaic);
  const std::int64_t needed = cells * session::tier_size(view.tier).most_pixels;
  if (view.layout == Layout::separate || most == 0 || most >= needed) return view.layout;
  context.events.tell(
      {.step = "layout",
       .fields = dump_json({{"seeker", "separate"}, {"most_pixels", most}, {"mosaic", needed}}),
       .line = format("the model sees at most {} pixels of an image, but a mosaic has up to {}: "
                      "the candidates are shown one by one",
                      most, needed)});
  return Layout::separate;
}

agents::Agent Agents::agent(std::string_view role, session::Tier tier) const {
  agents::Agent loaded = agents::load_agent(format("vidorag.{}", role), prompts_);
  loaded.tier = tier;
  return loaded;
}

std::vector<agents::Shown> Agents::shown(std::span<const PageId> pages, const View& view) const {
  if (view.layout == Layout::separate) return agents::one_by_one(pages);
  return {agents::in_mosaic(context_, view.tier, pages)};
}

Sought Agents::seek(std::span<const PageId> candidates, const Clues& clues, bool first,
                    int reserve) const {
  agents::Turn turn{.question = question_,
                    .values = {{"memory", clues.memory}, {"feedback", clues.feedback}},
                    .shown = shown(candidates, options_.seeker)};
  // Later an empty choice means that no further page is worth reading.
  if (first) turn.check = chooses_some;
  turn.reserve = {.calls = 1, .pages = reserve, .tier = options_.reader.tier};
  turn.indices = agents::IndexBound{.field = "choice", .count = candidates.size(), .some = first};
  const agents::TurnReply reply =
      agents::call(context_, agent("seeker", options_.seeker.tier), turn);
  Sought sought{.selected = {}, .summary = clues.memory, .refused = !reply.budget_reason.empty()};
  if (!reply.usable) {
    const auto fallback = candidates.first(std::min(kFallbackPages, candidates.size()));
    sought.selected.assign(fallback.begin(), fallback.end());
    return sought;
  }
  const Json object = parse_json(reply.text, "a reply");
  sought.selected = pages_listed(object.at("choice"), candidates);
  sought.summary = object.at("summary").get<std::string>();
  return sought;
}

Inspected Agents::inspect(std::span<const PageId> pages) const {
  agents::Turn turn{.question = question_, .shown = shown(pages, options_.reader)};
  turn.reserve = {
      .calls = 1, .pages = static_cast<int>(pages.size()), .tier = options_.reader.tier};
  turn.indices = agents::IndexBound{.field = "reference", .count = pages.size(), .also = "keep"};
  Inspected seen{.reply = agents::call(context_, agent("inspector", options_.reader.tier), turn)};
  seen.refused = !seen.reply.budget_reason.empty();
  if (!seen.reply.usable) {
    seen.named.assign(pages.begin(), pages.end());
    return seen;
  }
  const Json object = parse_json(seen.reply.text, "a reply");
  seen.answers = object.at("verdict") == "answer";
  seen.named = pages_listed(object.at(seen.answers ? "reference" : "keep"), pages);
  if (seen.answers) {
    seen.draft = object.at("answer").get<std::string>();
  } else {
    seen.feedback = feedback_of(object);
  }
  return seen;
}

agents::TurnReply Agents::answer(Pages* pages, const std::string& draft) const {
  const agents::Turn turn{.question = question_, .values = {{"draft", draft}}};
  const auto show = [&](std::span<const PageId> some) { return shown(some, options_.reader); };
  return agents::ask_about_pages(context_, agent("answer", options_.reader.tier), turn, pages,
                                 "reference", show);
}

}  // namespace fineprint::pipelines::vidorag
