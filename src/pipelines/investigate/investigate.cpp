// An agent that investigates: the first reading may answer at once; what it leaves open is looked
// for in rounds, each of which reads something new and keeps the facts in it, until every part of
// the question has facts. Sources: agents with a structured memory in place of a growing
// transcript, as MARDoc (arXiv 2606.05749); the actions, checks and fallbacks are ours. [n] counts
// the steps of src/pipelines/README.md.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/language.h"
#include "fineprint/text/numbers.h"

#include "pipelines/extractive/drafts.h"
#include "pipelines/investigate/agents.h"
#include "pipelines/investigate/material.h"
#include "pipelines/investigate/options.h"
#include "pipelines/investigate/perform.h"
#include "pipelines/investigate/pointed.h"
#include "pipelines/investigate/proof.h"
#include "pipelines/investigate/proven_answer.h"
#include "pipelines/investigate/state.h"

namespace fineprint::pipelines {
namespace investigate {
namespace {

// Rounds in a row that may find nothing new before the investigation ends.
constexpr int kMostBarren = 2;
// Quotes that the schema of a step takes at most.
constexpr std::size_t kMostQuotes = 6;
// From this probability on, what the QA model points at is a fact.
constexpr double kSurelyPointed = 0.3;

// The facts as a reply numbers them; nothing for a quote that was not taken.
using Numbering = std::vector<std::optional<std::size_t>>;

class Investigation {
 public:
  // The options must outlive the object.
  Investigation(session::Context& context, const Question& question, const PipelineOptions& all,
                const Options& options)
      : context_(context),
        corpus_(context.session.corpus()),
        question_(question),
        all_(all),
        options_(options),
        finder_(context, all.search, options),
        agents_(context, question, options, all.answer),
        state_(corpus_, options.verify),
        qa_model_(usable_qa_model()) {}

  Answer run() {
    Answer answer = investigated();
    answer.retrieved = finder_.retrieved();
    return answer;
  }

 private:
  Answer investigated() {
    const Material found = finder_.first(question_.text);  // [1]
    if (found.empty()) return agents::empty_retrieval(context_);
    remember(found);
    const FirstReading first = agents_.first(found.passages);  // [2]
    draft_ = first.answer;
    if (first.refused) return ended("budget", draft_);
    if (!is_fixed() && is_enough(first, found)) return ended("answered", draft_);  // [3]
    begin(first, found);                                                           // [4]
    Action next = own_choice();
    for (int round = 1; round <= options_.rounds; ++round) {
      const std::size_t known = state_.facts().size();
      Material material = perform(next, context_.events, &finder_, &state_);  // [5]
      remember(material);
      if (is_idle(material)) {
        if (++barren_ == kMostBarren) return answer_from_facts("nothing_new");
        next = own_choice();
        continue;
      }
      if (note_pointed(next.words, material)) return answer_from_facts("settled");  // [6]
      const Step step = taken_step(&material);                                      // [7]
      if (step.refused) return answer_from_facts("budget");
      const Numbering numbers = take(step, material);  // [8, 9]
      const bool is_barren = material.empty() && state_.facts().size() == known;
      barren_ = is_barren ? barren_ + 1 : 0;
      if (!is_fixed()) {
        if (step.next.kind == "give_up") return ended("gave_up", declined());
        if (step.next.kind == "answer") return conclude(step, numbers, material);
        if (is_settled(step)) return answer_from_facts("settled");
        if (barren_ == kMostBarren) return answer_from_facts("nothing_new");  // [10]
      }
      next = chosen(step);
    }
    return answer_from_facts("rounds");
  }

  // [7] A server does not say whether its model sees. If one fails at pictures, it reads words from
  // then on; any other failure comes again.
  Step taken_step(Material* material) {
    const auto step = [&] {
      return agents_.step(state_, options_.notes ? *material : read_, choices(*material));
    };
    const Material& shown = options_.notes ? *material : read_;
    if (shown.pictures.empty()) return step();
    try {
      return step();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      context_.events.tell({.line = format("investigate: pictures are not taken: {}",
                                           std::string_view(error.what()))});
      *material = finder_.close_eyes(*material);
      read_ = finder_.close_eyes(read_);
      return step();
    }
  }

  bool is_fixed() const { return options_.ending == Ending::fixed; }
  bool is_guided() const { return options_.decides == Decider::program; }

  // A model that does not choose has nothing to do without something to read.
  bool is_idle(const Material& material) const {
    return is_guided() && material.empty() && !is_fixed();
  }

  // [9] Every part has facts. Without notes, the model's word must do.
  bool is_settled(const Step& step) const {
    if (options_.notes) return state_.is_settled();
    return step.reply.usable && state_.open_parts().empty();
  }

  // [3] The reading answers, leaves nothing open, and its passages hold the answer. If the program
  // decides, they must also have all words of the question: small models see nothing open.
  bool is_enough(const FirstReading& first, const Material& found) const {
    if (!first.answer.answerable || !first.open.empty()) return false;
    if (!options_.verify || !first.usable) return true;
    std::string said;
    for (std::size_t i = 0; i < found.passages.size(); ++i) {
      const bool named = first.named.empty() || std::ranges::count(first.named, i) > 0;
      if (named) said += found.passages[i].heading + "\n" + found.passages[i].text + "\n";
    }
    if (is_guided() && !words_not_in(said, question_.text).empty()) return false;
    return holds_answer(said, first.answer.answer);
  }

  // [4] The passages that the reading named are noted, as the sentences that share most with the
  // question. If the reading sees nothing open, the question itself is, or what these sentences
  // lack of it.
  void begin(const FirstReading& first, const Material& found) {
    const std::string asked = question_.text + "\n" + join_texts(first.open, "\n");
    std::vector<agents::Claim> parts;
    for (const std::size_t index : first.named) {
      const agents::ChunkShown& passage = found.passages[index];
      for (std::string& part : telling_parts(passage, asked)) {
        parts.push_back({passage.page, std::move(part), 0});
      }
    }
    std::vector<std::string> open = first.open;
    if (open.empty()) {
      const std::string said = join_texts(parts, "\n", &agents::Claim::quote);
      open.push_back(bridging_words(said, question_.text));
    }
    if (open.empty() || open.front().empty()) open = {question_.text};
    state_.open(std::move(open));
    if (!options_.notes) return;
    for (const agents::Claim& part : parts) state_.note(part.page, part.quote);
  }

  const models::QaModel* usable_qa_model() const {
    const auto query = retrieve::prepare_query(question_.text, corpus_.languages());
    if (!options_.notes || !text::is_english(query.language)) return nullptr;
    return extractive::qa_model(context_.session.models(), all_);
  }

  // [6] Notes the sentence in new passages that holds what the QA model surely points at, for the
  // question or for the words that were searched for. If the program decides, these words are then
  // no longer open. Returns whether nothing more needs to be asked.
  bool note_pointed(const std::string& searched, const Material& material) {
    if (qa_model_ == nullptr || material.passages.empty() || !context_.in_time()) return false;
    const std::string known = question_.text + "\n" + state_.said_by(state_.all());
    if (!new_names(known, searched).empty()) return false;  // the subject is the model's invention
    const std::vector<PageId> pages = material.pages();
    std::optional<PointedFact> best = pointed_fact(corpus_, *qa_model_, question_.text, pages);
    if (!searched.empty() && searched != question_.text) {
      auto other = pointed_fact(corpus_, *qa_model_, searched, pages);
      if (other && (!best || other->probability > best->probability)) best = std::move(other);
    }
    if (!best || best->probability < kSurelyPointed) return false;
    const bool noted = state_.note(best->page, best->quote, best->value).has_value();
    context_.events.tell({.step = "pointed",
                          .fields = dump_json({{"quote", best->quote},
                                               {"value", best->value},
                                               {"probability", best->probability},
                                               {"noted", noted}})});
    if (!noted || !is_guided() || is_fixed()) return false;
    state_.close(searched);
    return state_.is_settled();
  }

  void remember(const Material& material) {
    for (const PageId page : material.pages()) state_.saw(page);
    if (options_.notes) return;
    read_.passages.insert(read_.passages.end(), material.passages.begin(), material.passages.end());
    read_.pictures.insert(read_.pictures.end(), material.pictures.begin(), material.pictures.end());
  }

  // [8, 9] Notes the quotes that are on their pages, and the parts that are open now. Returns the
  // facts as the reply numbers them: the ones that it was shown, then its quotes, refused ones
  // included.
  Numbering take(const Step& step, const Material& material) {
    Numbering numbers;
    for (const std::size_t known : state_.all()) numbers.emplace_back(known);
    std::size_t refused = 0;
    for (const Quote& quote : step.quotes) {
      numbers.push_back(state_.note(material.page(quote.source), quote.text));
      refused += numbers.back() ? 0 : 1;
    }
    if (step.reply.usable) state_.open(step.open);
    context_.events.tell({.step = "noted",
                          .fields = dump_json({{"taken", step.quotes.size() - refused},
                                               {"refused", refused},
                                               {"open", state_.open_parts()}})});
    return numbers;
  }

  // Returns the next action: the model's choice, or the program's if the program chooses, if the
  // reply could not be used, or if the rounds go on although the model would end them.
  Action chosen(const Step& step) {
    const std::string& kind = step.next.kind;
    const bool ends = kind == "answer" || kind == "give_up";
    return kind.empty() || ends ? own_choice() : step.next;
  }

  // Returns a search for the first open part that was not searched for. Small models, for which the
  // program decides, name only half of the missing fact, so the question's words are searched for
  // with it. If all were searched for, and the last round found nothing new, returns the pages
  // linked with a fact's page, each page once; otherwise a search for the question.
  Action own_choice() {
    if (all_.search.gold_pages) return {};
    for (const std::string& part : state_.open_parts()) {
      if (std::ranges::count(searched_, part) > 0) continue;
      searched_.push_back(part);
      return {.kind = "search", .words = part, .also = is_guided() ? question_.text : ""};
    }
    if (barren_ > 0 && finder_.choices().has_links) {
      for (const Fact& fact : state_.facts()) {
        if (fact.page && followed_.insert(*fact.page).second) return following(*fact.page);
      }
    }
    return {.kind = "search", .words = question_.text};
  }

  Action following(PageId page) const {
    const PageRef ref = corpus_.ref(page);
    return {.kind = "follow", .document = ref.doc, .pages = {ref.page}};
  }

  Choices choices(const Material& material) const {
    Choices choices = finder_.choices();
    const bool quotes = options_.notes && !material.empty();
    choices.facts = state_.facts().size() + (quotes ? kMostQuotes : 0);
    for (const Fact& fact : state_.facts()) choices.numbers += text::numbers_in(fact.quote).size();
    return choices;
  }

  // [11] The model answers. An answer that no fact holds is written again from the facts; pictures
  // cannot be compared with words.
  Answer conclude(const Step& step, const Numbering& numbers, const Material& material) {
    const std::vector<std::size_t> facts = facts_named(step.next.facts, numbers);
    const bool from_pictures = facts.empty() && !material.pictures.empty();
    const bool proven = holds_answer(state_.said_by(facts), step.next.words);
    if (options_.notes && options_.verify && !proven && !from_pictures) {
      return answer_from_facts("unproven");
    }
    const agents::FinalAnswer said = agents::final_answer(step.next.words, true);
    Answer answer = stated(said, step.reply, facts);
    if (facts.empty()) cite_pages(options_.notes ? material : read_, &answer);
    return ended("answered", std::move(answer));
  }

  // Returns the facts that the reply names; all if it names none that was taken.
  std::vector<std::size_t> facts_named(const std::vector<std::size_t>& named,
                                       const Numbering& numbers) const {
    std::vector<std::size_t> facts;
    for (const std::size_t number : named) {
      if (number < numbers.size() && numbers[number]) facts.push_back(*numbers[number]);
    }
    return facts.empty() ? state_.all() : facts;
  }

  void cite_pages(const Material& material, Answer* answer) const {
    std::vector<agents::Claim> claims;
    for (const PageId page : material.pages()) claims.push_back({page, "", answer->confidence});
    answer->citations = agents::cite(corpus_, state_.seen(), claims);
  }

  // [12] Answers from the facts, or as the first reading did if there are none.
  Answer answer_from_facts(std::string_view why) {
    if (!options_.notes) {
      return ended(why, agents::read_chunks(context_, question_, read_.passages, all_.answer));
    }
    if (state_.facts().empty()) return ended(why, draft_);
    const agents::TurnReply reply = agents_.answer(state_);
    if (!reply.usable) return ended(why, draft_);
    const agents::StatedAnswer read = agents::stated_answer(reply, "facts");
    Answer answer = stated({read.answer, read.answerable}, reply, read.indices);
    answer.withdrawn = read.withdrawn;
    return ended(why, std::move(answer));
  }

  Answer stated(const agents::FinalAnswer& said, const agents::TurnReply& reply,
                const std::vector<std::size_t>& facts) const {
    return proven_answer(corpus_, state_, {question_.text, said, reply, facts},
                         all_.answer.min_confidence, options_.verify);
  }

  Answer declined() const {
    return agents::answer_of({std::string(kNotAnswerable), false, 0, {}}, {},
                             all_.answer.min_confidence);
  }

  Answer ended(std::string_view why, Answer answer) const {
    context_.events.tell(
        {.step = "ended",
         .fields = dump_json({{"why", why}, {"facts", state_.facts().size()}}),
         .line = format("investigate: ended: {}, {} facts", why, state_.facts().size())});
    return answer;
  }

  session::Context& context_;
  const session::Corpus& corpus_;
  const Question& question_;
  const PipelineOptions& all_;
  const Options& options_;
  Finder finder_;
  const Agents agents_;
  State state_;
  Answer draft_;                       // of the first reading
  Material read_;                      // everything that was shown, if no notes are kept
  std::vector<std::string> searched_;  // open parts that the program searched for
  std::set<PageId> followed_;          // pages whose links the program followed
  const models::QaModel* qa_model_;    // nullptr: not used
  int barren_ = 0;                     // rounds in a row that found nothing new
};

Answer answer_by_investigation(session::Context& context, const Question& question,
                               const PipelineOptions& options) {
  const Options own = investigate_options().read(options.own);
  return Investigation(context, question, options, own).run();
}

// Returns the agents that are asked with these settings.
std::vector<std::string> asked(const PipelineOptions& options) {
  const Options own = investigate_options().read(options.own);
  std::vector<std::string> names = {"investigate.first", "investigate.step"};
  if (own.notes) {
    names.emplace_back("investigate.answer");
  } else {
    names.emplace_back("answer.chunks");
  }
  return names;
}

}  // namespace
}  // namespace investigate

Pipeline investigate_pipeline() {
  return {.info = {.name = "investigate",
                   .needs = "a text encoder, or bm25 alone",
                   .calls_per_question = "1 to 6",
                   .default_of_generators = true},
          .run = investigate::answer_by_investigation,
          .agents = investigate::agent_names(),
          .options = investigate::investigate_options().options(),
          .check = extractive::check_qa_model,
          .asks = investigate::asked};
}

}  // namespace fineprint::pipelines
