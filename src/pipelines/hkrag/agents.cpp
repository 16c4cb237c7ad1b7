// Asks HKRAG's agents and parses their replies.
#include "pipelines/hkrag/agents.h"

#include <algorithm>
#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "pipelines/reading/regions.h"

namespace fineprint::pipelines::hkrag {
namespace {

std::string lines(const std::vector<std::string>& statements) {
  std::string text;
  for (const std::string& statement : statements) text += statement + "\n";
  return text;
}

// The two lists fill gaps of their own, so that prompts can treat fine print differently.
std::vector<agents::Value> values_of(const Statements& known) {
  return {{"context", lines(known.salient)}, {"details", lines(known.fine_print)}};
}

std::vector<std::string> texts(const Json& list) { return list.get<std::vector<std::string>>(); }

std::string lines_of(const Statements& known) {
  return lines(known.salient) + lines(known.fine_print);
}

// An empty trial answer has no tokens, so it has no uncertainty either.
std::optional<std::string> not_empty(std::string_view reply) {
  if (!reply.empty()) return std::nullopt;
  return "it is empty";
}

void record(session::Context& context, const std::optional<double>& uncertainty,
            const std::optional<double>& entropy) {
  Json fields{{"value", uncertainty ? Json(*uncertainty) : Json()}};
  if (entropy) fields["entropy"] = *entropy;
  context.events.tell(
      {.step = "uncertainty",
       .fields = dump_json(fields),
       .line = "hkrag: uncertainty " + (uncertainty ? format("{:.3f}", *uncertainty) : "unknown")});
}

// Returns the page that a reply's index means. Indices count the pictures: pages, then regions.
PageId page_at(std::size_t index, std::span<const PageId> pages, std::span<const Region> regions) {
  return index < pages.size() ? pages[index] : regions[index - pages.size()].page;
}

// Returns "top left of page 0". Regions are asked for of pages of the same call, or of crops of
// them.
std::string part_name(const Region& region, std::span<const PageId> pages) {
  const auto found = std::ranges::find(pages, region.page);
  return format("{} of page {}", region.where, found - pages.begin());
}

}  // namespace

std::string note_line(const Note& note, std::span<const PageId> pages) {
  const auto found = std::ranges::find(pages, note.page);
  std::string place = found == pages.end() ? "" : format("page {}", found - pages.begin());
  if (!note.where.empty()) place += (place.empty() ? "" : ", ") + note.where;
  return (place.empty() ? "" : place + ": ") + note.text;
}

Statements statements_of(std::span<const Note> notes, std::span<const PageId> pages) {
  Statements known;
  for (const Note& note : notes) {
    (note.fine_print ? known.fine_print : known.salient).push_back(note_line(note, pages));
  }
  return known;
}

std::vector<agents::Claim> claims_of(const agents::StatedAnswer& stated, bool names_pages,
                                     std::span<const PageId> pages, std::span<const Note> notes) {
  std::vector<agents::Claim> claims;
  for (std::size_t i = 0; stated.answerable && i < pages.size(); ++i) {
    // The reply need not name a page by a note: such a page is claimed as a whole, below.
    if (names_pages && std::ranges::count(stated.indices, i) == 0) continue;
    const std::size_t before = claims.size();
    for (const Note& note : notes) {
      if (note.page == pages[i]) claims.push_back({note.page, note.text, stated.confidence});
    }
    if (claims.size() == before) claims.push_back({pages[i], "", stated.confidence});
  }
  return claims;
}

std::vector<std::string> agent_names() {
  return {"hkrag.pruner",
          "hkrag.judger",
          "hkrag.decoupler_mine",
          "hkrag.decoupler_mine_text",
          "hkrag.decoupler_mine_zoom",
          "hkrag.decoupler_separate",
          "hkrag.summarizer",
          "hkrag.summarizer_draft"};
}

agents::Agent Agents::agent(std::string_view role) const {
  return agents::load_agent(format("hkrag.{}", role), prompts_);
}

Pruned Agents::prune(PageId page, std::span<const Note> notes, int reserve) const {
  const Statements known = statements_of(notes, {});
  const agents::Turn turn{.question = question_,
                          .values = {{.name = "notes", .text = lines_of(known)}},
                          .shown = {{.pages = {page}}},
                          .reserve = {.calls = 1, .pages = reserve}};
  const agents::TurnReply reply = agents::call(context_, agent("pruner"), turn);
  Pruned pruned;
  // A page that the budget kept from being read is different from a page without facts.
  pruned.refused = !reply.budget_reason.empty();
  pruned.well_formed = reply.usable;
  if (!reply.usable) return pruned;
  const Json object = parse_json(reply.text, "a reply");
  pruned.sufficient = object.at("sufficient").get<bool>();
  for (const Json& fact : object.at("facts")) {
    pruned.facts.push_back(
        {fact.at("text").get<std::string>(), page, "", fact.at("kind") == "fine_print"});
  }
  return pruned;
}

Trial Agents::judge(std::span<const PageId> pages, const Statements& known,
                    const agents::UncertaintyOptions& options) const {
  const agents::Turn turn{.question = question_,
                          .values = {{.name = "notes", .text = lines_of(known)}},
                          .shown = agents::one_by_one(pages),
                          .check = not_empty,
                          .reserve = {.calls = 1, .pages = static_cast<int>(pages.size())}};
  Trial trial;
  trial.reply = agents::call(context_, agent("judger"), turn);
  trial.refused = !trial.reply.budget_reason.empty();
  // Without a usable reply the question counts as fully uncertain.
  trial.uncertainty = trial.reply.usable ? agents::uncertainty(trial.reply.tokens, options) : 1.0;
  if (!trial.refused) {
    // H itself too, because a calibration is made of it.
    record(context_, trial.uncertainty, agents::mean_entropy(trial.reply.tokens, options));
  }
  return trial;
}

Mined Agents::mine(std::span<const PageId> pages, std::span<const Region> shown_regions,
                   const Statements& known, const Mining& mining) const {
  // Each way of mining has a prompt of its own; only the zooming one may ask for regions.
  const char* role = !mining.images     ? "decoupler_mine_text"
                     : mining.crops > 0 ? "decoupler_mine_zoom"
                                        : "decoupler_mine";
  const agents::Agent miner = agent(role);
  agents::Turn turn{.question = question_,
                    .values = values_of(known),
                    .reserve = {.calls = 1, .pages = static_cast<int>(pages.size())}};
  if (mining.images) turn.shown = agents::one_by_one(pages);
  for (const Region& region : shown_regions) {
    const Page page = context_.session.corpus().page(region.page);
    const Box box = region_box(region.where, page.width_pt, page.height_pt);
    turn.shown.push_back({.pages = {region.page},
                          .image = context_.session.images().crop(region.page, box, miner.tier),
                          .part = part_name(region, pages)});
  }
  turn.indices = agents::IndexBound{.field = "page", .count = pages.size() + shown_regions.size()};
  const agents::TurnReply reply = agents::call(context_, miner, turn);
  Mined mined;
  mined.refused = !reply.budget_reason.empty();
  if (!reply.usable) return mined;
  const Json object = parse_json(reply.text, "a reply");
  const auto page_of = [&](const Json& item) {
    return page_at(item.at("page").get<std::size_t>(), pages, shown_regions);
  };
  for (const Json& detail : object.at("details")) {
    mined.details.push_back({detail.at("text").get<std::string>(), page_of(detail),
                             detail.at("where").get<std::string>(), true});
  }
  if (!object.contains("look")) return mined;
  for (const Json& look : object.at("look")) {
    // A reply may name more regions than were allowed; the first ones count.
    if (static_cast<int>(mined.regions.size()) == mining.crops) break;
    mined.regions.push_back({page_of(look), look.at("where").get<std::string>()});
  }
  return mined;
}

Separated Agents::separate(const Statements& known, int reserve) const {
  const agents::TurnReply reply = agents::call(context_, agent("decoupler_separate"),
                                               {.question = question_,
                                                .values = values_of(known),
                                                .reserve = {.calls = 1, .pages = reserve}});
  // The fallback keeps all statements: losing them would cost more than leaving them unsorted.
  if (!reply.usable) return {known, false, !reply.budget_reason.empty()};
  const Json object = parse_json(reply.text, "a reply");
  return {{texts(object.at("salient")), texts(object.at("fine_print"))},
          object.at("answerable").get<bool>(),
          false};
}

agents::TurnReply Agents::summarize(std::vector<PageId>* pages, const Statements& known,
                                    const std::string* draft) const {
  const agents::Agent summarizer = agent(draft != nullptr ? "summarizer_draft" : "summarizer");
  agents::Turn turn{.question = question_, .values = values_of(known)};
  if (draft != nullptr) turn.values.push_back({"draft", *draft});
  return agents::ask_about_pages(context_, summarizer, std::move(turn), pages, "pages");
}

}  // namespace fineprint::pipelines::hkrag
