// Asks where to look, and whether an answer addresses the question.
#include "pipelines/dmap/agents.h"

#include "fineprint/agents/answer.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "pipelines/dmap/map_text.h"

namespace fineprint::pipelines::dmap {
namespace {

// The usual estimate for English text.
constexpr std::size_t kBytesOfAToken = 4;

std::vector<std::string> texts_of(const agents::TurnReply& reply, const char* list) {
  if (!reply.usable) return {};
  return parse_json(reply.text, "a reply").at(list).get<std::vector<std::string>>();
}

}  // namespace

std::vector<std::string> agent_names() {
  std::vector<std::string> names;
  for (const char* role : {"locate", "locate_sections", "general", "general_free", "critical",
                           "text", "text_free", "image", "image_free", "summarise", "reflect"}) {
    names.push_back(format("dmap.{}", std::string_view(role)));
  }
  for (std::string& name : agents::page_answer_agents()) names.push_back(std::move(name));
  return names;
}

agents::Agent Agents::agent(const std::string& role) const {
  return agents::load_agent(format("dmap.{}", role), prompts_);
}

std::vector<std::string> Agents::choose_sections(const std::string& outline,
                                                 agents::Reserve reserve) const {
  ++reserve.calls;  // the call that locates
  return texts_of(agents::call(context_, agent("locate_sections"),
                               {.question = question_,
                                .values = {{.name = "outline", .text = outline}},
                                .reserve = reserve}),
                  "sections");
}

std::vector<std::string> Agents::locate(const docmap::DocumentMap& map, int max_tokens,
                                        const agents::Reserve& reserve) const {
  const std::size_t room = static_cast<std::size_t>(max_tokens) * kBytesOfAToken;
  const std::string outline = outline_text(map, room);
  std::vector<int> pages = all_pages(map);
  // Only a long document costs a call for choosing sections; otherwise all summaries are shown.
  if (!map.sections.empty() && !summaries_fit(map, room)) {
    pages = pages_of_sections(map, choose_sections(outline, reserve));
  }
  return texts_of(agents::call(context_, agent("locate"),
                               {.question = question_,
                                .values = {{.name = "summaries",
                                            .text = summaries_text(map, pages, room),
                                            .data = false},
                                           {.name = "outline", .text = outline}},
                                .reserve = reserve}),
                  "location");
}

agents::TurnReply Agents::reflect(const Answer& answer, const agents::Reserve& room) const {
  return agents::call(context_, agent("reflect"),
                      {.question = question_,
                       .values = {{.name = "answer", .text = answer.answer}},
                       .reserve = room});
}

bool Agents::addressed(const Answer& answer, const agents::Reserve& room) const {
  if (!answer.answerable) return false;
  const agents::TurnReply reply = reflect(answer, room);
  // A question that cannot be judged keeps its answer, so a useless reply counts as "addressed".
  return !reply.usable || parse_json(reply.text, "a reply").at("addressed").get<bool>();
}

std::string Agents::missing(const Answer& answer, const agents::Reserve& room) const {
  const agents::TurnReply reply = reflect(answer, room);
  if (!reply.usable) return {};
  const Json judged = parse_json(reply.text, "a reply");
  if (judged.at("addressed").get<bool>()) return {};
  return judged.at("missing").get<std::string>();
}

std::string missing_part(session::Context& context, const std::string& question,
                         const Answer& answer, const std::string& prompts) {
  return Agents(context, question, prompts).missing(answer, {.calls = 1});
}

}  // namespace fineprint::pipelines::dmap
