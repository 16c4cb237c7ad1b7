// Answers a question, from settings and a session to the record. Independent of the command line.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/answering/presets.h"
#include "fineprint/core/budget.h"
#include "fineprint/core/events.h"
#include "fineprint/core/records.h"
#include "fineprint/core/stop.h"
#include "fineprint/dialogue/follow_up.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

// The preset, its settings and the limits of a question. Thread-safe after construction.
class Answering {
 public:
  // Throws Error(usage) for settings that would fail every question: a preset that does not exist,
  // prompts that cannot be used, no --generator for a preset that calls one, or a model for an
  // agent that neither this preset asks nor one of `others`, presets that answer with the same
  // settings; for a --gate that names the same preset; and for --reflect with a preset that
  // reflects by itself or finds no pages, and with gold pages; and for a --check that no generator
  // gives anything to check.
  explicit Answering(const Settings& settings, const std::vector<std::string>& others = {});

  // Opens what every question needs, so that errors come before anything is written: the generator
  // (throws the errors of Session::generator), the scorers (Error(store) naming the `index` command
  // that helps), and the files that settings name.
  void open(const session::Session& session) const;

  // Runs the pipeline, with --gate the other preset if the question is uncertain, and with
  // --reflect the same one again if its answer leaves out a part of the question. Unless --check is
  // off, compares what a generator replied with the pages (pipelines::ReplyCheck). Fills in id,
  // question, pipeline, generator, usage, limit and trace. `stop` ends it early with the best
  // answer so far, like --max-seconds; the record's limit says so. `listener`, if there is one,
  // receives the events on the way. Throws the errors of the pipeline, and Error(interrupted).
  Answer answer(const session::Session& session, const Question& question,
                const StopToken& stop = {}, EventListener* listener = nullptr) const;

  // Returns whether answering may ask a generator, which takes long.
  bool asks_generator() const;

  // Returns what `asked` means after `earlier` turns of a conversation: by an agent if the pipeline
  // asks a generator (dialogue::rewritten), else by rules. The call has a budget of its own.
  dialogue::Understood understand(const session::Session& session, std::string_view asked,
                                  std::span<const dialogue::Turn> earlier,
                                  const StopToken& stop = {},
                                  EventListener* listener = nullptr) const;

 private:
  // A preset with the options of its pipeline.
  struct Method {
    PresetFacts preset;
    pipelines::PipelineOptions options;
  };
  // What --gate names: the preset for uncertain questions, and the options of who judges them.
  struct Gated {
    Method method;
    pipelines::PipelineOptions judging;
  };
  static Method chosen_method(const Settings& settings);
  // Returns the options of the pipeline that checks replies; nullopt if none are checked.
  static std::optional<pipelines::PipelineOptions> checking_by(const Settings& settings,
                                                               const PresetFacts& preset);
  static std::optional<Gated> gated_by(const Settings& settings, const PresetFacts& preset);
  std::vector<std::string> asked_agents() const;
  // Limits a search to the question's own documents, if it names any, and sets its gold pages.
  void limit_search(const Question& question, retrieve::SearchOptions* search) const;
  // Gives the question's pictures to the context, and looks for the pages that show them.
  void take_pictures(session::Context& context, const Question& question) const;
  Answer answer_by(const Method& method, session::Context& context, const Question& question,
                   const std::string& also = {}) const;
  void check_reply(const Method& method, session::Context& context, const Question& question,
                   Answer* answer) const;
  void pass_gate(session::Context& context, const Question& question, Answer* answer) const;
  void reflect(session::Context& context, const Question& question, Answer* answer) const;

  Method method_;
  std::optional<Gated> gated_;
  std::optional<pipelines::PipelineOptions> checking_;
  bool reflects_ = false;
  BudgetLimits limits_;
  bool whole_store_ = false;  // search the whole store, even if a question names documents
  bool trace_ = false;
};

}  // namespace fineprint::answering
