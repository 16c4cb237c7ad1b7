// `fineprint models --suggest`: published models for this machine.
#include "cli/suggest_models.h"

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/memory.h"
#include "fineprint/session/score_library.h"

#include "cli/output.h"
#include "cli/published_models.h"

namespace fineprint::cli {
namespace {

// Enough to choose from; the rest are only counted.
constexpr int kShownOfUse = 4;

// Free bytes. 0: the system does not report them, or there is no GPU.
struct FreeMemory {
  std::int64_t machine = 0, gpu = 0;
};

FreeMemory free_memory() {
  FreeMemory free{available_memory(), 0};
  const score::CudaTable* gpu = session::cuda_scoring();
  if (gpu != nullptr) free.gpu = static_cast<std::int64_t>(gpu->free_bytes(0));
  return free;
}

// On a GPU, weights are held in 16 bits.
std::int64_t needed_on_gpu(const PublishedModel& model) {
  PublishedModel wide = model;
  wide.bytes = 2 * model.parameters;
  return needed_memory(wide);
}

// If the free memory is unknown, every model is shown.
bool fits_machine(const PublishedModel& model, const FreeMemory& free) {
  return free.machine == 0 || needed_memory(model) <= free.machine;
}

bool fits_gpu(const PublishedModel& model, const FreeMemory& free) {
  return free.gpu > 0 && needed_on_gpu(model) <= free.gpu;
}

std::string in_gb(std::int64_t bytes) {
  return format("{:.{}f} GB", static_cast<double>(bytes) / 1e9, bytes < 10'000'000'000 ? 1 : 0);
}

void print_model(const PublishedModel& model, const FreeMemory& free) {
  print_line(format("  {:<34} {} to download, needs {} of memory{}; {}", model.name,
                    in_gb(model.bytes), in_gb(needed_memory(model)),
                    fits_gpu(model, free) ? ", fits the GPU" : "", model.licence));
  print_line(format("    {}", download_command(model)));
  print_line(format("    {}", other_command(model)));
  print_line(format("    then: {}", usage_of(model)));
}

void print_use(const std::string& use, const std::vector<PublishedModel>& models,
               const FreeMemory& free) {
  print_line(use + ":");
  int fitting = 0, larger = 0;
  for (const PublishedModel& model : models) {
    if (model.use != use) continue;
    if (!fits_machine(model, free) && !fits_gpu(model, free)) {
      ++larger;
    } else if (fitting++ < kShownOfUse) {
      print_model(model, free);
    }
  }
  if (fitting == 0) print_line("  none fits into the free memory");
  if (fitting > kShownOfUse) print_line(format("  and {} more that fit", fitting - kShownOfUse));
  if (larger > 0) print_line(format("  {} need more memory than is free", larger));
}

Json model_record(const PublishedModel& model, const FreeMemory& free) {
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
          {"needed_bytes", needed_memory(model)},
          {"fits", fits_machine(model, free)},
          {"fits_gpu", fits_gpu(model, free)},
          {"download", download_command(model)},
          {"download_otherwise", other_command(model)},
          {"usage", usage_of(model)}};
}

}  // namespace

void suggest_models(bool json) {
  const FreeMemory free = free_memory();
  const std::vector<PublishedModel> models = published_models();
  if (json) {
    for (const PublishedModel& model : models) print_line(dump_json(model_record(model, free)));
    return;
  }
  print_line(free.machine == 0 ? std::string("the system does not report its free memory")
                               : format("{} of memory are free", in_gb(free.machine)));
  if (free.gpu > 0) print_line(format("{} of the GPU's memory are free", in_gb(free.gpu)));
  for (const std::string& use : model_uses()) print_use(use, models, free);
}

}  // namespace fineprint::cli
