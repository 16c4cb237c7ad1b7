// `fineprint train`: trains models on examples, or makes examples.
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/session/load.h"
#include "fineprint/train/answering.h"
#include "fineprint/train/judging.h"
#include "fineprint/train/training.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/train_examples.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

constexpr const char* kTrained =
    "retriever, qa, judge, answers, pages, questions, verdicts, corpus-questions (the last four "
    "make "
    "examples)";

// The library is opened only here, because it needs LibTorch with gradients.
const train::TrainTable& trainings() {
  return *static_cast<const train::TrainTable*>(
      session::open_library(train::kTrainLibrary, train::kTrainEntry, train::kTrainInterface));
}

// Returns the part that all jobs have in common.
template <class Job>
Job job_of(const Settings& settings, const std::string& model) {
  Job job;
  job.model = model;
  job.out = settings.text("out");
  if (job.out.empty()) {
    throw Error(ErrorCode::usage, "--out DIR is missing: the folder for the trained model");
  }
  job.training = train::training_options().read(settings.texts_of("train"));
  // The seed is an option of the program, not of training, so it is added here.
  job.training.seed = settings.integer("seed");
  if (job.training.examples.empty()) {
    throw Error(ErrorCode::usage, "--examples FILE is missing: the examples to train on");
  }
  const session::ModelOptions options = model_options(settings);
  job.hub_cache = options.hub_cache;
  job.device = options.device;
  return job;
}

// The reader of pictures is shared by all examples, so that document workers start once.
std::function<Image(const std::string& name)> picture_opener(const Settings& settings) {
  return [reader = std::make_shared<PictureReader>(settings)](const std::string& name) {
    return reader->read(name);
  };
}

train::RetrieverJob retriever_job(const Settings& settings) {
  auto job = job_of<train::RetrieverJob>(settings, one_retriever(settings));
  job.retriever = train::retriever_options().read(settings.texts_of("train"));
  job.retriever.mask = settings.read(score::mask_options());
  job.picture = picture_opener(settings);
  return job;
}

train::JudgeJob judge_job(const Settings& settings) {
  require_generator(settings, "the model to train");
  auto job = job_of<train::JudgeJob>(settings, settings.text("generator"));
  train::set_judging(settings.text("prompts"), picture_opener(settings), &job);
  return job;
}

train::AnswerJob answer_job(const Settings& settings) {
  require_generator(settings, "the model to train");
  auto job = job_of<train::AnswerJob>(settings, settings.text("generator"));
  train::set_answering(settings.text("prompts"), example_pages(settings), &job);
  return job;
}

// The options of losses.
void add_retriever_options(std::set<std::string>* names) {
  for (const Option& option : train::retriever_options().options()) {
    names->insert("train." + option.name);
  }
  for (const Option& option : score::mask_options().options()) names->insert(option.name);
}

// Returns the options that this kind of training, or of making examples, does not use.
std::set<std::string> unused_options(const std::string& what) {
  std::set<std::string> names;
  if (what != "questions") names = {"data", "subset", "all-pool"};
  if (what == "pages" || what == "verdicts") return names;
  if (what != "retriever" && what != "qa") names.insert("retriever");
  if (what == "answers") {
    // Answers are measured by `bench`, and --held-back would say less.
    names.insert({"doc", "agent-generator", "train.held-back"});
  } else if (what != "judge" && what != "corpus-questions") {
    names.insert({"store", "doc", "generator", "agent-generator", "prompts"});
  }
  if (what != "retriever") add_retriever_options(&names);
  const bool reviews = what == "corpus-questions";
  if (what != "questions" && !reviews) return names;
  if (!reviews) names.insert("verdicts");
  for (const Option& option : train::training_options().options()) {
    names.insert("train." + option.name);
  }
  if (reviews) names.erase("train.examples");
  return names;
}

// A configuration file may set more than one training needs, but an unused flag is a mistake.
void refuse_unused_flags(const std::string& what, const Settings& settings) {
  const std::set<std::string> names = unused_options(what);
  for (const settings::Layer& layer : settings.given()) {
    if (layer.origin != settings::kFlagsOrigin) continue;
    for (const auto& [name, texts] : layer.values) {
      if (!names.contains(name)) continue;
      const std::string flag = name.substr(name.rfind('.') + 1);
      throw Error(ErrorCode::usage,
                  format("--{} does not apply to 'train {}'; leave it out", flag, what));
    }
  }
}

train::TrainingResult train_what(const std::string& what, const Settings& settings) {
  if (what == "retriever" || what == "qa" || what == "judge" || what == "answers") {
    refuse_unused_flags(what, settings);
  }
  if (what == "retriever") return trainings().retriever(retriever_job(settings));
  if (what == "qa") {
    return trainings().qa(job_of<train::QaJob>(settings, one_retriever(settings)));
  }
  if (what == "judge") return trainings().judge(judge_job(settings));
  if (what == "answers") return trainings().answers(answer_job(settings));
  throw Error(ErrorCode::usage, format("cannot train '{}'; choose one of: {}", what, kTrained));
}

}  // namespace

int run_train(const Settings& settings) {
  std::string what =
      argument(settings, 0, format("the subject of the training: {}", kTrained).c_str());
  allow_arguments(settings, 1);
  if (what == "reader") {  // its name until 0.1, accepted for one version
    log::warn("'train reader' is now 'train qa'");
    what = "qa";
  }
  const bool makes_examples =
      what == "verdicts" || what == "pages" || what == "questions" || what == "corpus-questions";
  if (makes_examples) refuse_unused_flags(what, settings);
  // These make examples and need no gradients, so the library of trainings is not opened.
  if (what == "verdicts") return make_verdicts(settings);
  if (what == "pages") return make_pages(settings);
  if (what == "questions") return make_questions(settings);
  if (what == "corpus-questions") return make_corpus_questions(settings);
  const train::TrainingResult result = train_what(what, settings);
  if (settings.flag("json")) {
    print_line(dump_json({{"model", result.model},
                          {"steps", result.steps},
                          {"first_loss", result.first_loss},
                          {"last_loss", result.last_loss}}));
  } else {
    print_line(format("{}: {} steps, loss {:.4g}, at the beginning {:.4g}", result.model,
                      result.steps, result.last_loss, result.first_loss));
  }
  return 0;
}

}  // namespace fineprint::cli
