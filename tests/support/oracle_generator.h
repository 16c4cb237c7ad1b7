// A generator that knows each question's evidence pages and answer, and errs at given rates: what a
// pipeline loses by retrieval, agents and reader can be told apart with it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/records.h"
#include "fineprint/models/generator.h"

namespace fineprint::testing {

// What is true of a question.
struct Gold {
  std::string answer;
  std::vector<std::string> pages;  // "report.pdf:3", all of which the answer needs; empty: none
};

// By the question's text. Questions that are asked twice with different answers are not told apart.
using GoldAnswers = std::map<std::string, Gold, std::less<>>;

inline GoldAnswers gold_answers(const std::vector<Question>& questions) {
  GoldAnswers all;
  for (const Question& question : questions) {
    Gold gold{question.answer.value_or(std::string(kNotAnswerable)), {}};
    for (const PageRef& page : question.evidence.value_or(std::vector<PageRef>{})) {
      const std::string& doc = page.doc.empty() ? question.docs.at(0) : page.doc;
      gold.pages.push_back(format("{}:{}", doc, page.page));
    }
    all.emplace(question.text, std::move(gold));
  }
  return all;
}

// Letters and digits alone: how a text is known again after prompts have quoted it.
inline std::string bare_text(std::string_view text) {
  std::string bare;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0) bare += c;
  }
  return bare;
}

// A run of text and where it stands: prompts of text alone do not say from which page it came.
struct KnownPassage {
  std::string bare;  // see bare_text
  std::string page;
};

struct OracleErrors {
  double agent = 0;      // agents before the last say what is not so
  double reader = 0;     // the final answer is wrong, whatever was shown
  double malformed = 0;  // a reply is no JSON; free text is never malformed
  std::uint64_t seed = 0;
};

// Errors are drawn from a hash of seed, question, agent and pages (and of the prompt for malformed
// replies, so that a retry may succeed): the same call always gets the same reply, whatever was
// asked before. Safe from several threads while nobody changes `errors`.
class OracleGenerator final : public models::Generator {
 public:
  OracleGenerator(GoldAnswers gold, std::shared_ptr<const OracleErrors> errors,
                  std::vector<KnownPassage> passages = {})
      : gold_(std::move(gold)), errors_(std::move(errors)), passages_(std::move(passages)) {}

  std::string name() const override { return "oracle"; }
  std::string hash() const override { return "oracle"; }

  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions&) const override {
    const View view = view_of(request);
    if (is(request, "hkrag.judger")) return trial(view);
    if (is(request, "answer.") || is(request, "closed-book.")) {
      return written(read(view), kCertain);
    }
    if (reads_streams(request)) return written(told(view), kCertain);
    throw Error(ErrorCode::model, format("the oracle has no text for {}", request.agent));
  }

  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema&,
                              const models::SamplingOptions&) const override {
    const View view = view_of(request);
    if (errs(view, errors_->malformed, "malformed", view.prompt)) {
      return written("I would rather not say.", kCertain);
    }
    return written(dump_json(object_for(request.agent, view)), kCertain);
  }

  using Generator::choose;
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken&) const override {
    if (!is(request, "molorag.relevance")) {
      throw Error(ErrorCode::model, format("the oracle gives {} no probabilities", request.agent));
    }
    const std::string mark = std::to_string(relevance(view_of(request)));
    models::Choice choice;
    for (const std::string& candidate : candidates) {
      choice.probabilities.push_back(candidate == mark ? 1 : 0);
      choice.log_probabilities.push_back(std::log(choice.probabilities.back()));
    }
    choice.best =
        static_cast<std::size_t>(std::ranges::find(candidates, mark) - candidates.begin());
    return choice;
  }

 private:
  static constexpr double kCertain = 0.05, kUncertain = 3;  // nats a token; H' of 0.05 and 0.95

  // One call, as the oracle looks at it.
  struct View {
    const Gold& gold;
    std::string agent, question, prompt;
    std::vector<std::string> pages;  // by local index; for passages, the page of each
  };

  static bool is(const models::Request& request, std::string_view beginning) {
    return request.agent.starts_with(beginning);
  }

  // One of those that answer from pages as text and as pictures.
  static bool reads_streams(const models::Request& request) {
    return is(request, "mdocagent.") || is(request, "dmap.");
  }

  View view_of(const models::Request& request) const {
    const auto found = gold_.find(request.question);
    if (found == gold_.end()) {
      throw Error(ErrorCode::model,
                  format("the oracle does not know the question \"{}\"", request.question));
    }
    View view{found->second, request.agent, request.question, {}, {}};
    if (!request.messages.empty()) view.prompt = request.messages.back().text;
    if (is(request, "answer.chunks") || is(request, "investigate.")) {
      view.pages = pages_of_passages(view.prompt);
    } else {
      for (const std::string& names : request.pages) add_names(names, &view.pages);
    }
    if (reads_streams(request)) add_pages_of_texts(view.prompt, &view.pages);
    return view;
  }

  // "a.pdf:1 a.pdf:2" of a mosaic: a blank ends a name behind a page number only.
  static void add_names(const std::string& names, std::vector<std::string>* pages) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= names.size(); ++at) {
      if (at < names.size() && names[at] != ' ') continue;
      const std::string name = names.substr(begin, at - begin);
      const std::size_t colon = name.rfind(':');
      const bool numbered = colon != std::string::npos && colon + 1 < name.size() &&
                            name.find_first_not_of("0123456789", colon + 1) == std::string::npos;
      if (!numbered && at < names.size()) continue;
      pages->push_back(name);
      begin = at + 1;
    }
  }

  // Blocks "Text 0:" with "| report.pdf, page 3" behind it.
  static void add_pages_of_texts(const std::string& prompt, std::vector<std::string>* pages) {
    constexpr std::string_view kComma = ", page ";
    bool first = false;
    for (std::size_t at = 0; at < prompt.size();) {
      const std::size_t end = std::min(prompt.find('\n', at), prompt.size());
      const std::string line = prompt.substr(at, end - at);
      const std::size_t comma = line.rfind(kComma);
      if (first && line.starts_with("| ") && comma != std::string::npos) {
        pages->push_back(line.substr(2, comma - 2) + ":" + line.substr(comma + kComma.size()));
      }
      first = line.starts_with("Text ");
      at = end + 1;
    }
  }

  // Blocks "Passage 0:" with the text quoted behind them.
  std::vector<std::string> pages_of_passages(const std::string& prompt) const {
    std::vector<std::string> pages;
    std::string text;
    bool inside = false;
    const auto end_passage = [&] {
      if (inside) pages.push_back(page_of(bare_text(text)));
      text.clear();
    };
    for (std::size_t at = 0; at < prompt.size();) {
      const std::size_t end = std::min(prompt.find('\n', at), prompt.size());
      const std::string line = prompt.substr(at, end - at);
      if (line.starts_with("Passage ")) {
        end_passage();
        inside = true;
      } else if (inside && line.starts_with("| ")) {
        text += line.substr(2);
      }
      at = end + 1;
    }
    end_passage();
    return pages;
  }

  // The page whose longest passage the text ends with; empty when none is known.
  std::string page_of(const std::string& bare) const {
    const KnownPassage* best = nullptr;
    for (const KnownPassage& passage : passages_) {
      if (passage.bare.empty() || !bare.ends_with(passage.bare)) continue;
      if (best == nullptr || passage.bare.size() > best->bare.size()) best = &passage;
    }
    return best == nullptr ? std::string() : best->page;
  }

  static std::string fact(const View& view, const std::string& page) {
    return format("{} (stands on {}.)", view.gold.answer, page);
  }
  static bool noted(const View& view, const std::string& page) {
    return view.prompt.find(format("(stands on {}.)", page)) != std::string::npos;
  }
  static bool shown(const View& view, const std::string& page) {
    return std::ranges::find(view.pages, page) != view.pages.end();
  }
  // All evidence is among the pages or in the notes.
  static bool knows(const View& view) {
    return !view.gold.pages.empty() && std::ranges::all_of(view.gold.pages, [&](const auto& page) {
      return shown(view, page) || noted(view, page);
    });
  }

  bool errs(const View& view, double rate, std::string_view kind,
            const std::string& more = {}) const {
    if (rate <= 0) return false;
    std::string key = format("{}|{}|{}|{}", errors_->seed, kind, view.agent, view.question);
    for (const std::string& page : view.pages) key += "|" + page;
    return static_cast<double>(checksum(key + more) >> 11) * 0x1p-53 < rate;
  }
  bool agent_errs(const View& view) const { return errs(view, errors_->agent, "agent"); }

  Json object_for(const std::string& agent, const View& view) const {
    if (agent == "hkrag.pruner") return pruned(view);
    if (agent.starts_with("hkrag.decoupler_mine")) return mined(view);
    if (agent == "hkrag.decoupler_separate") return separated(view);
    if (agent.starts_with("hkrag.summarizer")) {
      Json object = {{"reason", knows(view) ? "The pages say so." : "No page says so."}};
      object.update(answered(view, "pages"));
      return object;
    }
    if (agent == "dmap.locate_sections") return {{"sections", Json::array()}};
    if (agent == "dmap.locate") return {{"location", places(view)}};
    if (agent == "dmap.reflect") return {{"addressed", !agent_errs(view)}, {"missing", ""}};
    if (agent == "dmap.text" || agent == "dmap.image") {
      const std::string answer = told(view);
      return {{"answer", answer}, {"answerable", answer != kNotAnswerable}};
    }
    if (agent.ends_with(".critical")) return {{"text", ""}, {"image", ""}};
    if (agent.ends_with(".summarise")) return weighed(view);
    if (agent == "dmap.general") return {{"answer", told(view)}};
    if (agent.starts_with("mdocagent.")) return {{"answer", told(view)}};
    if (agent == "vidorag.seeker") return sought(view);
    if (agent == "vidorag.inspector") return inspected(view);
    if (agent == "vidorag.answer") {
      Json object = {{"reason", "The pages say so."}};
      object.update(answered(view, "reference"));
      return object;
    }
    if (agent == "molorag.relevance_json") return {{"relevance", relevance(view)}};
    if (agent.starts_with("answer.chunks")) return answered(view, "chunks");
    if (agent == "investigate.first") return first_read(view);
    if (agent.starts_with("investigate.step")) return stepped(view);
    if (agent == "investigate.answer") return answered(view, "facts");
    if (agent.starts_with("answer.pages")) return answered(view, "pages");
    throw Error(ErrorCode::model, format("the oracle has no reply for {}", agent));
  }

  // An erring Pruner misses the fact of an evidence page, and says of another that it suffices.
  Json pruned(const View& view) const {
    Json facts = Json::array();
    bool sufficient = false;
    const bool errs = agent_errs(view);
    for (const std::string& page : view.gold.pages) {
      if (!shown(view, page) || noted(view, page) || errs) continue;
      facts.push_back({{"text", fact(view, page)}, {"kind", "fine_print"}});
    }
    const bool on_evidence =
        std::ranges::any_of(view.gold.pages, [&](const auto& page) { return shown(view, page); });
    sufficient = errs ? !on_evidence : knows(view);
    return {{"facts", facts}, {"sufficient", sufficient}};
  }

  // 5 for an evidence page, 1 for another; the other way round when the judge errs.
  int relevance(const View& view) const {
    const bool on_evidence =
        std::ranges::any_of(view.gold.pages, [&](const auto& page) { return shown(view, page); });
    return on_evidence != agent_errs(view) ? 5 : 1;
  }

  models::Reply trial(const View& view) const {
    const bool sure = knows(view) != agent_errs(view);
    return written(sure ? view.gold.answer : std::string(kNotAnswerable),
                   sure ? kCertain : kUncertain);
  }

  // An erring Decoupler finds nothing.
  Json mined(const View& view) const {
    Json details = Json::array();
    const bool errs = agent_errs(view);
    for (std::size_t i = 0; i < view.pages.size(); ++i) {
      const std::string& page = view.pages[i];
      const auto& gold = view.gold.pages;
      if (std::ranges::find(gold, page) == gold.end() || noted(view, page) || errs) continue;
      details.push_back({{"text", fact(view, page)}, {"page", i}, {"where", "small print"}});
    }
    Json object = {{"details", details}};
    if (view.agent.ends_with("_zoom")) object["look"] = Json::array();
    return object;
  }

  // What it was told, in order; an erring one is wrong about its being enough.
  Json separated(const View& view) const {
    Json details = Json::array();
    bool all = !view.gold.pages.empty();
    for (const std::string& page : view.gold.pages) {
      if (noted(view, page)) details.push_back(fact(view, page));
      all = all && noted(view, page);
    }
    return {{"salient", Json::array()},
            {"fine_print", details},
            {"answerable", all != agent_errs(view)}};
  }

  // What one of several agents says; an erring one is silent about what it knows, and says what it
  // doesn't.
  std::string told(const View& view) const {
    if (knows(view) == agent_errs(view)) return std::string(kNotAnswerable);
    return knows(view) ? view.gold.answer : "a misread value";
  }

  // "Page 3" of each evidence page; an erring agent finds no place.
  Json places(const View& view) const {
    Json names = Json::array();
    if (agent_errs(view)) return names;
    for (const std::string& page : view.gold.pages) {
      names.push_back("Page " + page.substr(page.rfind(':') + 1));
    }
    return names;
  }

  // The right one of what the agents say; what is not right, when none of them says it.
  Json weighed(const View& view) const {
    std::string answer(kNotAnswerable);
    for (const std::string& said : {std::string("a misread value"), view.gold.answer}) {
      if (view.prompt.find("\n| " + said + "\n") != std::string::npos) answer = said;
    }
    if (errs(view, errors_->reader, "reader")) answer = "a misread value";
    return {{"answer", answer}, {"answerable", answer != kNotAnswerable}};
  }

  static Json evidence_shown(const View& view, bool evidence = true) {
    Json indices = Json::array();
    for (std::size_t i = 0; i < view.pages.size(); ++i) {
      const auto& gold = view.gold.pages;
      const bool is_gold = std::ranges::find(gold, view.pages[i]) != gold.end();
      if (is_gold == evidence) indices.push_back(i);
    }
    return indices;
  }

  // The evidence among the candidates, and an erring one what is none. Only the first time must it
  // choose at all, which it knows by its summary.
  Json sought(const View& view) const {
    constexpr std::string_view kSummary = "Skimmed before.";
    Json choice = evidence_shown(view, !agent_errs(view));
    const bool first = view.prompt.find(kSummary) == std::string::npos;
    if (choice.empty() && first) choice.push_back(0);
    return {{"reason", "It looks so."}, {"summary", std::string(kSummary)}, {"choice", choice}};
  }

  // What an investigation reads first; an erring one sees nothing open.
  Json first_read(const View& view) const {
    Json object = answered(view, "chunks");
    object["open"] = Json::array();
    if (!object.at("answerable") && !agent_errs(view)) object["open"].push_back(view.question);
    return object;
  }

  // Answers once the evidence is shown at once, and searches for it until then.
  Json stepped(const View& view) const {
    Json object = {{"facts", Json::array()}, {"open", Json::array({view.question})}};
    if (view.agent == "investigate.step_guided") return object;
    object["next"] = {{"action", "search"}, {"words", view.question}};
    if (knows(view)) object["next"] = {{"action", "answer"}, {"answer", read(view)}};
    return object;
  }

  // Answers once it knows, and keeps the evidence until then; an erring one keeps nothing, or
  // answers too soon.
  Json inspected(const View& view) const {
    const bool errs = agent_errs(view);
    Json pages = evidence_shown(view);
    if (knows(view) == errs) {
      if (errs) pages = Json::array();
      return {{"reason", "Some is missing."}, {"verdict", "need_more"}, {"answer", ""},
              {"reference", Json::array()},   {"missing", "the rest"},  {"keep", pages}};
    }
    if (pages.empty()) pages.push_back(0);
    return {{"reason", "The pages say so."},
            {"verdict", "answer"},
            {"answer", read(view)},
            {"reference", pages},
            {"missing", ""},
            {"keep", Json::array()}};
  }

  std::string read(const View& view) const {
    if (errs(view, errors_->reader, "reader")) return "a misread value";
    return knows(view) ? view.gold.answer : std::string(kNotAnswerable);
  }

  Json answered(const View& view, const char* evidence) const {
    const std::string answer = read(view);
    Json indices = evidence_shown(view);
    const bool answerable = answer != kNotAnswerable;
    if (!answerable) indices = Json::array();
    return {{"answer", answer}, {"answerable", answerable}, {evidence, indices}};
  }

  // A token a word, each as uncertain.
  static models::Reply written(const std::string& text, double entropy) {
    models::Reply reply;
    reply.text = text;
    const auto words = 1 + std::ranges::count(text, ' ');
    reply.tokens.assign(static_cast<std::size_t>(words), {-1, -entropy, entropy});
    reply.output_tokens = words;
    return reply;
  }

  GoldAnswers gold_;
  std::shared_ptr<const OracleErrors> errors_;
  std::vector<KnownPassage> passages_;
};

}  // namespace fineprint::testing
