// Answers questions by the preset that the settings name.
#include "fineprint/answering/answering.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/answering/method_options.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/dialogue/rewriting.h"
#include "fineprint/retrieve/picture_pages.h"
#include "fineprint/retrieve/search.h"

#include "answering/support.h"

namespace fineprint::answering {
namespace {

// Loads all prompts at once, so that a misspelt gap fails now and not in the call that meets it.
void check_prompts(const std::string& folder) {
  if (folder.empty()) return;
  if (!std::filesystem::is_directory(folder)) {
    throw Error(ErrorCode::usage, format("--prompts {}: this folder does not exist", folder));
  }
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    for (const std::string& agent : pipeline.agents) agents::load_agent(agent, folder);
  }
}

// Notes a generator that is named but never asked, so that nobody thinks that it answered.
void tell_of_idle_generator(const settings::Settings& settings, const PresetFacts& preset,
                            const pipelines::PipelineOptions& options) {
  const std::string& generator = settings.text("generator");
  if (generator.empty() || preset.method->info.generates) return;
  if (!retrieve::chosen_rankers(options.search).empty()) return;
  log::note("--pipeline {} asks no model, so {} is not used; use --pipeline {} to ask it",
            preset.name, generator, generator_preset());
}

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_agent(const pipelines::Pipeline& pipeline, std::string_view agent) {
  return std::ranges::any_of(pipeline.agents, [&](const std::string& form) {
    return session::agent_without_form(form) == agent;
  });
}

// Throws Error(usage) if an agent with a model of its own is in no pipeline, or is never asked. The
// settings of the other presets are not known here, so all their agents count.
void check_agents_with_generators(const settings::Settings& settings, const PresetFacts& preset,
                                  const Names& asked, const Names& others) {
  const auto spec_of = session::agent_generators(settings.list("agent-generator"));
  for (const auto& [agent, spec] : spec_of) {
    if (holds(asked, agent)) continue;
    const bool is_of_another = std::ranges::any_of(others, [&](const std::string& name) {
      return has_agent(*preset_facts(name, settings.options()).method, agent);
    });
    if (is_of_another) continue;
    const bool exists = std::ranges::any_of(
        pipelines::all(), [&](const auto& pipeline) { return has_agent(pipeline, agent); });
    const std::string names = join_texts(asked, ", ");
    throw Error(ErrorCode::usage,
                format("--agent-generator {}={}: {}; --pipeline {} asks {}", agent, spec,
                       exists ? "this agent is never asked with these settings"
                              : "no pipeline has this agent",
                       preset.name, names.empty() ? "none" : names));
  }
}

// The confidence of an abstention for which there are no token scores.
constexpr double kUnweighed = 0.5;

// Limits the confidence by the pages: without token scores, a model's word does not say how sure it
// is.
void keep_to_support(const session::Context& context, const Question& question,
                     const pipelines::PipelineOptions& options, Answer* answer) {
  answer->confidence = std::min(answer->confidence, support(context, question.text, *answer));
  if (answer->confidence >= options.answer.min_confidence) return;
  answer->answerable = false;
  answer->answer = kNotAnswerable;
}

// Pipelines that ask a generator report the probability that the documents hold an answer. The
// record needs the probability that this answer, or the abstention, is right.
void settle_confidence(const session::Context& context, const Question& question,
                       const pipelines::PipelineOptions& options, Answer* answer) {
  if (answer->weighed) {
    answer->answerability = answer->confidence;
  } else if (answer->answerable) {
    keep_to_support(context, question, options, answer);
  }
  if (answer->answerable) return;
  answer->confidence = answer->weighed ? 1 - answer->confidence : kUnweighed;
}

// Says once per process what --rerank means here, as servers make options for every request.
void warn_of_old_rerank(const std::string& rerank, bool names_qa_model) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    if (names_qa_model) {
      log::warn("--rerank {0} no longer chooses the QA model; give --qa {0}", rerank);
    } else {
      log::warn("--rerank {} leaves out the QA model; to have both, also give --qa reader", rerank);
    }
  });
}

// Returns whether a user set the option, rather than the preset or nobody.
bool is_given(const settings::Settings& settings, const std::string& option,
              const PresetFacts& preset) {
  const std::string& origin = settings.origin(option);
  return origin != settings::kDefaultOrigin && origin != preset.file;
}

// Until 0.1, --rerank also chose the QA model of `extractive`. For one version it still does where
// nobody gives --qa; with any other reranker the QA model is left out, as it was.
void take_old_rerank(const settings::Settings& settings, const PresetFacts& preset,
                     pipelines::PipelineOptions* options) {
  const std::string rerank = options->search.rerank;
  if (preset.method->info.name != "extractive" || rerank.empty()) return;
  if (is_given(settings, "qa", preset)) return;
  const bool names_qa_model = rerank == "none" || rerank == "reader";
  warn_of_old_rerank(rerank, names_qa_model);
  options->qa = names_qa_model ? rerank : "";
  if (names_qa_model) options->search.rerank.clear();
}

pipelines::PipelineOptions options_of(const settings::Settings& settings,
                                      const PresetFacts& preset) {
  pipelines::PipelineOptions options = pipeline_options(settings, preset.method->info.name);
  take_old_rerank(settings, preset, &options);
  return options;
}

// Throws Error(usage) if --reflect could find nothing more for an answer of the preset.
void check_reflection(const PresetFacts& preset, const pipelines::PipelineOptions& options) {
  const pipelines::Pipeline& method = *preset.method;
  if (&method == &pipelines::reflector()) {
    throw Error(ErrorCode::usage,
                format("--reflect: --pipeline {} reflects on its answers by itself (--{}.rounds); "
                       "leave out --reflect",
                       preset.name, method.info.name));
  }
  if (!method.info.searches) {
    throw Error(ErrorCode::usage,
                format("--reflect: --pipeline {} does not search, so no pages can be found for "
                       "the part that an answer leaves out; leave out --reflect or choose a "
                       "pipeline that searches",
                       preset.name));
  }
  if (!options.search.gold_pages) return;
  throw Error(ErrorCode::usage,
              "--reflect searches for more pages, but --gold-pages has only the gold pages read; "
              "leave out one of them");
}

}  // namespace

Answering::Method Answering::chosen_method(const Settings& settings) {
  // The settings hold the preset's values already.
  PresetFacts preset = preset_facts(settings.text("pipeline"), settings.options());
  if (preset.method->info.generates) {
    require_generator(settings, format("--pipeline {}", preset.name));
  }
  pipelines::PipelineOptions options = options_of(settings, preset);
  return {.preset = std::move(preset), .options = std::move(options)};
}

std::optional<Answering::Gated> Answering::gated_by(const Settings& settings,
                                                    const PresetFacts& preset) {
  const std::string& name = settings.text("gate");
  if (name.empty()) return std::nullopt;
  if (name == preset.name) {
    throw Error(ErrorCode::usage,
                format("--gate {0}: --pipeline {0} answers every question already, so the same "
                       "preset would answer uncertain ones again; name another preset",
                       name));
  }
  check_preset_name(name);
  require_generator(settings, "--gate");
  const std::string& judge = pipelines::gate_keeper().info.name;
  const Settings judging = settings_of_other(settings, judge);
  return Gated{.method = chosen_method(settings_of_other(settings, name)),
               .judging = {.answer = judging.read(agents::answer_options()),
                           .own = judging.texts_of(judge)}};
}

std::optional<pipelines::PipelineOptions> Answering::checking_by(const Settings& settings,
                                                                 const PresetFacts& preset) {
  const bool asks = preset.method->info.generates || !settings.text("gate").empty();
  if (settings.text("check") == "off") return std::nullopt;
  if (!asks && is_given(settings, "check", preset)) {
    throw Error(
        ErrorCode::usage,
        format("--check on: --pipeline {} asks no generator, so there is no reply to check; "
               "leave out --check",
               preset.name));
  }
  if (!asks) return std::nullopt;
  const std::string& checker = pipelines::reply_checker().info.name;
  // How the pipeline of the reply finds pages says nothing about how the check does.
  std::vector<std::string> of_searches;
  for (const Option& option : retrieve::search_options().options()) {
    if (option.name != "gold-pages") of_searches.emplace_back(option.name);
  }
  return pipeline_options(settings_of_other(settings, checker, of_searches), checker);
}

Answering::Answering(const Settings& settings, const std::vector<std::string>& others)
    : method_(chosen_method(settings)),
      gated_(gated_by(settings, method_.preset)),
      checking_(checking_by(settings, method_.preset)),
      reflects_(settings.flag("reflect")),
      limits_(settings.read(budget_options())),
      whole_store_(settings.flag("whole-store")),
      trace_(settings.flag("trace")) {
  if (reflects_) {
    require_generator(settings, "--reflect");
    check_reflection(method_.preset, method_.options);
    if (gated_) check_reflection(gated_->method.preset, gated_->method.options);
  }
  if (!gated_ && !reflects_) tell_of_idle_generator(settings, method_.preset, method_.options);
  check_agents_with_generators(settings, method_.preset, asked_agents(), others);
  check_prompts(method_.options.answer.prompts);
}

std::vector<std::string> Answering::asked_agents() const {
  Names asked = pipelines::asked_agents(*method_.preset.method, method_.options);
  Names more;
  if (gated_) {
    more = pipelines::asked_agents(*gated_->method.preset.method, gated_->method.options);
    more.push_back(pipelines::gate_keeper().gate.agent);
  }
  if (reflects_) more.push_back(pipelines::reflector().reflection.agent);
  for (std::string& name : more) {
    if (!holds(asked, name)) asked.push_back(std::move(name));
  }
  return asked;
}

namespace {

void open_method(const session::Session& session, const pipelines::Pipeline& pipeline,
                 const pipelines::PipelineOptions& options) {
  if (pipeline.info.searches) retrieve::require_scorers(session, options.search);
  if (pipeline.info.generates) {
    session.generator();
    // Agents may have models of their own, whose errors must come now, too.
    for (const std::string& agent : pipeline.agents) session.generator(agent);
  }
  if (pipeline.check != nullptr) pipeline.check(session, options);
}

}  // namespace

void Answering::open(const session::Session& session) const {
  open_method(session, *method_.preset.method, method_.options);
  if (reflects_) session.generator(pipelines::reflector().reflection.agent);
  if (checking_) pipelines::reply_checker().check(session, *checking_);
  if (!gated_) return;
  open_method(session, *gated_->method.preset.method, gated_->method.options);
  pipelines::gate_keeper().gate.check(session, gated_->judging);
}

namespace {

std::int64_t waiting_pages_of(const session::Corpus& corpus, const session::Pool& pool) {
  std::int64_t pages = 0;
  for (const DocumentId document : pool) {
    pages += corpus.documents()[document.value].row.waiting_pages;
  }
  return pages;
}

}  // namespace

void Answering::limit_search(const Question& question, retrieve::SearchOptions* search) const {
  if (!question.docs.empty() && !whole_store_) search->docs = question.docs;
  search->gold = question.evidence;
}

Answer Answering::answer_by(const Method& method, session::Context& context,
                            const Question& question, const std::string& also) const {
  pipelines::PipelineOptions options = method.options;
  options.search.also = also;
  limit_search(question, &options.search);
  const pipelines::Pipeline& pipeline = *method.preset.method;
  Answer answer = pipeline.run(context, question, options);
  // An answer that its pipeline has judged, by several sentences together, cannot be compared with
  // a single one.
  const bool is_judged = answer.answerability.has_value();
  if (pipeline.info.generates && !is_judged) check_reply(method, context, question, &answer);
  return answer;
}

namespace {

// The check makes do with words if the store has no vectors of its texts, without a further
// warning.
retrieve::SearchOptions with_what_is_there(const session::Session& session,
                                           retrieve::SearchOptions options) {
  options.substitute = false;
  try {
    retrieve::require_scorers(session, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::store) throw;
    options.scorers = {"bm25"};
  }
  return options;
}

}  // namespace

void Answering::check_reply(const Method& method, session::Context& context,
                            const Question& question, Answer* answer) const {
  // A question that is stopped, or whose time is up, is answered at once; and a budget may have
  // left no reply.
  const bool has_reply = context.usage.vlm_calls > 0;
  if (checking_ && has_reply && !context.why_stopped()) {
    pipelines::PipelineOptions options = *checking_;
    options.answer.min_confidence = method.options.answer.min_confidence;
    options.answer.min_answerability = method.options.answer.min_answerability;
    options.search.docs = method.options.search.docs;
    limit_search(question, &options.search);
    options.search = with_what_is_there(context.session, std::move(options.search));
    std::optional<Answer> checked =
        pipelines::reply_checker().reply_check.run(context, question, *answer, options);
    if (checked) {
      *answer = std::move(*checked);
      return;
    }
  }
  settle_confidence(context, question, method.options, answer);
}

// Both pipelines share the budget: if it is spent before the other preset has an answer, the first
// answer stays.
void Answering::pass_gate(session::Context& context, const Question& question,
                          Answer* answer) const {
  const pipelines::GateVerdict verdict =
      pipelines::gate_keeper().gate.judge(context, question.text, *answer, gated_->judging);
  GateDecision decision{.uncertainty = verdict.uncertainty, .preset = method_.preset.name};
  const std::string& other = gated_->method.preset.name;
  context.events.tell(
      {.step = "gate",
       .fields =
           dump_json({{"uncertainty", verdict.uncertainty ? Json(*verdict.uncertainty) : Json()},
                      {"preset", verdict.uncertain ? other : decision.preset}}),
       .line = format("gate: the question is {}", !verdict.uncertainty ? "not judged"
                                                  : verdict.uncertain  ? "uncertain"
                                                                       : "certain")});
  if (verdict.uncertain) {
    Answer again = answer_by(gated_->method, context, question);
    if (again.answerable || context.limit.empty()) {
      *answer = std::move(again);
      decision.preset = other;
    }
  }
  answer->gate = std::move(decision);
}

// Both answers share the budget: if it is spent before the second one is there, the first stays.
void Answering::reflect(session::Context& context, const Question& question, Answer* answer) const {
  const bool by_other = answer->gate && answer->gate->preset != method_.preset.name;
  const Method& method = by_other ? gated_->method : method_;
  const std::string missing = pipelines::reflector().reflection.missing(
      context, question.text, *answer, method.options.answer.prompts);
  const bool again = !trim(missing).empty();
  if (again) {
    context.events.tell({.step = "reflected",
                         .fields = dump_json({{"missing", missing}}),
                         .line = format("reflect: the answer leaves out: {}", missing)});
    Answer second = answer_by(method, context, question, missing);
    if (second.answerable || context.limit.empty()) {
      second.gate = std::move(answer->gate);
      *answer = std::move(second);
    }
  }
  answer->reflected = again;
}

namespace {

// Says so if nothing of a picture could find pages.
void note_unsearched(const session::Session& session, PictureRecord* record) {
  const bool has_vectors = session.has_vectors("late") || session.has_vectors("page");
  if (has_vectors || !record->text.empty() || !record->found.empty()) return;
  record->note(
      "no text was found in it, and the store has no vectors of page images, so pages were "
      "searched by the words of the question alone");
}

}  // namespace

// Pages that show the pictures are looked for first, because every search of the pipeline puts them
// first.
void Answering::take_pictures(session::Context& context, const Question& question) const {
  if (question.pictures.empty()) return;
  context.pictures = question.pictures;
  retrieve::SearchOptions search = method_.options.search;
  limit_search(question, &search);
  retrieve::find_picture_pages(context, question.text, search);
  for (QuestionPicture& picture : context.pictures) {
    note_unsearched(context.session, &picture.record);
  }
}

Answer Answering::answer(const session::Session& session, const Question& question,
                         const StopToken& stop, EventListener* listener) const {
  Trace trace(trace_);
  Budget budget(limits_);
  session::Context context(session, trace, budget, stop);
  if (listener != nullptr) context.events.add(*listener);
  take_pictures(context, question);
  Answer answer = answer_by(method_, context, question);
  if (gated_) pass_gate(context, question, &answer);
  if (reflects_) reflect(context, question, &answer);
  for (const QuestionPicture& picture : context.pictures) answer.images.push_back(picture.record);
  answer.id = question.id;
  answer.question = question.text;
  answer.pipeline = method_.preset.name;
  answer.usage = context.usage;
  // A generator that was named but not asked has not written this answer.
  if (answer.usage.vlm_calls > 0) answer.generator = session.generator().name();
  answer.usage.ms = budget.seconds() * 1000;
  answer.limit = context.limit;
  answer.mask = context.mask;
  answer.mask_reason = context.mask_reason;
  answer.fallback = context.fallback;
  const session::Corpus& corpus = session.corpus();
  const bool limited = !question.docs.empty() && !whole_store_;
  const session::Pool pool = corpus.pool(limited ? question.docs : method_.options.search.docs);
  answer.unread_pages = waiting_pages_of(corpus, pool);
  if (!answer.limit.empty()) log::warn("question {}: stopped early: {}", answer.id, answer.limit);
  if (trace.enabled()) answer.trace_json = trace.to_json();
  return answer;
}

bool Answering::asks_generator() const {
  return method_.preset.method->info.generates || gated_.has_value();
}

dialogue::Understood Answering::understand(const session::Session& session, std::string_view asked,
                                           std::span<const dialogue::Turn> earlier,
                                           const StopToken& stop, EventListener* listener) const {
  if (!method_.preset.method->info.generates) return dialogue::understand(asked, earlier);
  Trace trace(false);
  Budget budget(limits_);
  session::Context context(session, trace, budget, stop);
  if (listener != nullptr) context.events.add(*listener);
  return dialogue::rewritten(context, asked, earlier, method_.options.answer.prompts);
}

}  // namespace fineprint::answering
