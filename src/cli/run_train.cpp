// `fineprint train`: trains models on examples.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/session/load.h"
#include "fineprint/train/training.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

const train::TrainTable& trainings() {
  return *static_cast<const train::TrainTable*>(
      session::open_library(train::kTrainLibrary, train::kTrainEntry, train::kTrainInterface));
}

// What all jobs have in common.
template <class Job>
Job job_of(const Settings& settings) {
  Job job;
  job.model = one_retriever(settings);
  job.out = settings.text("out");
  if (job.out.empty()) {
    throw Error(ErrorCode::usage, "--out DIR is missing: the folder for the trained model");
  }
  job.training = train::training_options().read(settings.texts_of("train"));
  job.training.seed = settings.integer("seed");
  if (job.training.examples.empty()) {
    throw Error(ErrorCode::usage, "--examples FILE is missing: what is trained on");
  }
  const session::ModelOptions options = model_options(settings);
  job.hub_cache = options.hub_cache;
  job.device = options.device;
  return job;
}

train::RetrieverJob retriever_job(const Settings& settings) {
  auto job = job_of<train::RetrieverJob>(settings);
  job.retriever = train::retriever_options().read(settings.texts_of("train"));
  job.retriever.mask = settings.read(score::mask_options());
  job.picture = [&settings](const std::string& name) {
    return read_pictures({name}, settings).front();
  };
  return job;
}

train::TrainingResult train_what(const std::string& what, const Settings& settings) {
  if (what == "retriever") return trainings().retriever(retriever_job(settings));
  if (what == "reader") return trainings().reader(job_of<train::ReaderJob>(settings));
  throw Error(ErrorCode::usage,
              format("{} is nothing that is trained here: retriever and reader are", what));
}

}  // namespace

int run_train(const Settings& settings) {
  const std::string what = argument(settings, 0, "what is trained: retriever or reader");
  allow_arguments(settings, 1);
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
