// `fineprint models --suggest`: published models for this machine.
#include "cli/suggest_models.h"

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/models/published_models.h"
#include "fineprint/session/suggested_models.h"

#include "cli/output.h"

namespace fineprint::cli {
namespace {

using session::SuggestedModel;

// Enough to choose from; the rest are only counted.
constexpr int kShownOfUse = 4;

std::string in_gb(std::int64_t bytes) {
  // A decimal matters for small models and would only feign accuracy for large ones.
  return format("{:.{}f} GB", static_cast<double>(bytes) / 1e9, bytes < 10'000'000'000 ? 1 : 0);
}

void print_model(const SuggestedModel& one) {
  const models::PublishedModel& model = one.model;
  print_line(format("  {:<34} {} to download, needs {} of memory{}; {}", model.name,
                    in_gb(model.bytes), in_gb(one.needed_bytes),
                    one.fits_gpu ? ", fits the GPU" : "", model.licence));
  print_line(format("    {}", download_command(model)));
  print_line(format("    {}", other_command(model)));
  print_line(format("    then: {}", usage_of(model)));
}

void print_use(const std::string& use, const std::vector<SuggestedModel>& models) {
  print_line(use + ":");
  int fitting = 0, larger = 0;
  for (const SuggestedModel& one : models) {
    if (one.model.use != use) continue;
    // Larger models are only counted: nobody can run them here.
    if (!one.fits_machine && !one.fits_gpu) {
      ++larger;
    } else if (fitting++ < kShownOfUse) {
      print_model(one);
    }
  }
  if (fitting == 0) print_line("  none fits into the free memory");
  if (fitting > kShownOfUse) print_line(format("  and {} more that fit", fitting - kShownOfUse));
  if (larger > 0) print_line(format("  {} need more memory than is free", larger));
}

Json model_record(const SuggestedModel& one) {
  const models::PublishedModel& model = one.model;
  return {{"name", model.name},
          {"use", model.use},
          {"repository", model.repository},
          {"file", model.file},
          {"family", model.family},
          {"licence", model.licence},
          {"stored", model.stored},
          {"bytes", model.bytes},
          {"parameters", model.parameters},
          {"page_tokens", model.page_tokens},
          {"needed_bytes", one.needed_bytes},
          {"fits", one.fits_machine},
          {"fits_gpu", one.fits_gpu},
          {"download", download_command(model)},
          {"download_otherwise", other_command(model)},
          {"usage", usage_of(model)}};
}

}  // namespace

void suggest_models(bool json) {
  const session::FreeMemory free = session::free_memory();
  const std::vector<SuggestedModel> models = session::suggested_models(free);
  if (json) {
    for (const SuggestedModel& one : models) print_line(dump_json(model_record(one)));
    return;
  }
  print_line(free.machine == 0 ? std::string("the system does not report its free memory")
                               : format("{} of memory are free", in_gb(free.machine)));
  if (free.gpu > 0) print_line(format("{} of the GPU's memory are free", in_gb(free.gpu)));
  for (const std::string& use : models::model_uses()) print_use(use, models);
}

}  // namespace fineprint::cli
