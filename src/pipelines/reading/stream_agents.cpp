// Asks the agents of two streams and makes one answer of their replies.
#include "pipelines/reading/stream_agents.h"

#include <algorithm>
#include <utility>

#include "fineprint/agents/citations.h"
#include "fineprint/agents/prompts.h"
#include "fineprint/core/document.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"

namespace fineprint::pipelines {
namespace {

// Source: the code of MDocAgent.
constexpr std::size_t kCharactersOfAPage = 100'000;

std::string first_characters(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < most && end < text.size(); ++i) next_code_point(text, &end);
  return text.substr(0, end);
}

// Returns for each page "Text 0:" followed by its name and its text, both quoted, so that no page
// can forge a number.
agents::Value texts_value(const session::Corpus& corpus, const std::vector<PageId>& pages) {
  agents::Value value{.name = "texts", .text = "", .data = false};
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const PageRef ref = corpus.ref(pages[i]);
    const std::string text = first_characters(page_text(corpus.page(pages[i])), kCharactersOfAPage);
    value.text +=
        format("Text {}:\n{}\n{}\n", i, agents::as_data(format("{}, page {}", ref.doc, ref.page)),
               agents::as_data(text));
    value.ends.push_back(value.text.size());
  }
  if (pages.empty()) value.text = agents::as_data("") + "\n";
  return value;
}

// Returns for each part "Page 4, cut out:" followed by its page and its caption, quoted.
std::string list_of_parts(const session::Corpus& corpus, const Streams& streams) {
  std::string list;
  for (std::size_t i = 0; i < streams.parts.size(); ++i) {
    const PageRef ref = corpus.ref(streams.parts[i].page);
    list += format(
        "Page {}, cut out:\n{}\n", streams.images.size() + i,
        agents::as_data(format("{}, page {}\n{}", ref.doc, ref.page, streams.parts[i].caption)));
  }
  return list.empty() ? agents::as_data("") + "\n" : list;
}

// Replaces the JSON object of a reply by the answer in it. A reply that was not usable stays as it
// is: its raw text may still help the summary.
agents::TurnReply in_words(agents::TurnReply reply, bool free_text = false) {
  if (!reply.usable || free_text) return reply;
  const Json object = parse_json(reply.text, "a reply");
  const bool answerable = object.value("answerable", true);
  reply.text = answerable ? object.at("answer").get<std::string>() : std::string(kNotAnswerable);
  return reply;
}

bool says_something(const agents::TurnReply& reply) { return !reply.text.empty(); }

// Cut-out parts cost image tokens like pages.
std::size_t picture_count(const Streams& streams) {
  return streams.images.size() + streams.parts.size();
}

}  // namespace

agents::Agent StreamAgents::agent(const std::string& role) const {
  agents::Agent loaded = agents::load_agent(format("{}.{}", name_, role), answer_.prompts);
  loaded.tier = answer_.tier;
  return loaded;
}

agents::Agent StreamAgents::answering_agent(const std::string& role) const {
  return agent(options_.free_text ? role + "_free" : role);
}

std::vector<agents::Shown> StreamAgents::pictures(const Streams& streams,
                                                  session::Tier tier) const {
  std::vector<agents::Shown> shown = agents::one_by_one(streams.images);
  for (const ShownPart& part : streams.parts) {
    shown.push_back({{part.page}, context_.session.images().crop(part.page, part.box, tier)});
  }
  return shown;
}

void StreamAgents::count_as_shown(const std::vector<PageId>& images,
                                  const std::vector<PageId>& texts) {
  if (images.size() > shown_images_.size()) shown_images_ = images;
  if (texts.size() > shown_texts_.size()) shown_texts_ = texts;
}

void StreamAgents::ask_general(const Streams& streams) {
  general_images_ = streams.images;
  general_ =
      agents::ask_about_pages(context_, answering_agent("general"),
                              {.question = question_,
                               .values = {texts_value(context_.session.corpus(), streams.texts)},
                               .goes_on = options_.critical},
                              &general_images_, "");
  if (says_something(general_)) count_as_shown(general_images_, streams.texts);
}

// Continues the general agent's conversation, and leaves room for all later agents.
StreamAgents::Clues StreamAgents::ask_critical(const Streams& streams) const {
  if (!says_something(general_)) return {};
  const agents::Reserve others{.calls = 1 + static_cast<int>(!streams.texts.empty()) +
                                        static_cast<int>(picture_count(streams) > 0),
                               .pages = static_cast<int>(picture_count(streams)),
                               .tier = answer_.tier};
  const agents::TurnReply reply =
      agents::call(context_, agent("critical"),
                   {.question = question_,
                    .shown = agents::one_by_one(general_images_),
                    .reserve = others,
                    .before = {{.said = general_.said, .reply = general_.text}}});
  if (!reply.usable) return {};
  const Json object = parse_json(reply.text, "a reply");
  return {object.at("text").get<std::string>(), object.at("image").get<std::string>()};
}

void StreamAgents::ask_text_and_image(const Streams& streams, const Clues& clues) {
  const agents::Reserve summary{.calls = 1};
  std::vector<agents::Asking> askings;
  std::vector<agents::TurnReply*> replies;
  if (!streams.texts.empty()) {
    askings.push_back({answering_agent("text"),
                       {.question = question_,
                        .values = {{.name = "clue", .text = clues.text},
                                   texts_value(context_.session.corpus(), streams.texts)},
                        .reserve = summary}});
    replies.push_back(&text_);
  }
  if (picture_count(streams) > 0) {
    askings.push_back({answering_agent("image"),
                       {.question = question_,
                        .values = {{.name = "clue", .text = clues.image},
                                   {.name = "parts",
                                    .text = list_of_parts(context_.session.corpus(), streams),
                                    .data = false}},
                        .shown = pictures(streams, answer_.tier),
                        .reserve = summary}});
    replies.push_back(&image_);
  }
  std::vector<agents::TurnReply> said = agents::call_at_once(context_, askings);
  // Each reply is placed in the member of its agent: the text agent may be missing.
  for (std::size_t i = 0; i < said.size(); ++i) {
    *replies[i] = in_words(std::move(said[i]), options_.free_text);
  }
  if (says_something(image_)) {
    count_as_shown(streams.images, {});
    for (const ShownPart& part : streams.parts) shown_parts_.push_back(part.page);
  }
  if (says_something(text_)) count_as_shown({}, streams.texts);
}

agents::TurnReply StreamAgents::summarise() const {
  agents::Agent summariser = agent("summarise");
  summariser.max_new_tokens = answer_.max_new_tokens;
  return in_words(agents::call(context_, summariser,
                               {.question = question_,
                                .values = {{.name = "general", .text = general_.text},
                                           {.name = "text", .text = text_.text},
                                           {.name = "image", .text = image_.text}}}));
}

// Returns the best of the replies if there is no summary.
const agents::TurnReply& StreamAgents::best_reply() const {
  for (const agents::TurnReply* reply : {&image_, &text_, &general_}) {
    if (!agents::declines(reply->text)) return *reply;
  }
  return general_;
}

Answer StreamAgents::answer(const Streams& streams) {
  ask_general(streams);
  const Clues clues = options_.critical ? ask_critical(streams) : Clues{};
  general_ = in_words(std::move(general_), options_.free_text);
  ask_text_and_image(streams, clues);
  // Without any reply there is nothing to summarise, and a call would be wasted.
  const bool any = says_something(general_) || says_something(text_) || says_something(image_);
  const agents::TurnReply summary = any ? summarise() : agents::TurnReply{};
  const agents::StatedAnswer stated =
      agents::stated_answer(says_something(summary) ? summary : best_reply(), "");

  std::vector<PageId> shown = shown_images_;
  shown.insert(shown.end(), shown_parts_.begin(), shown_parts_.end());
  shown.insert(shown.end(), shown_texts_.begin(), shown_texts_.end());
  std::vector<agents::Claim> claims;
  for (const PageId page : shown) {
    if (stated.answerable) claims.push_back({page, "", stated.confidence});
  }
  return agents::answer_of(stated, agents::cite(context_.session.corpus(), shown, claims),
                           answer_.min_confidence);
}

}  // namespace fineprint::pipelines
