// The one door into this library: what the program calls after opening it.
#include "fineprint/nets/torch_errors.h"
#include "fineprint/train/training.h"

#include "train/gradients/retriever.h"

namespace fineprint::train {
namespace {

TrainingResult retriever(const RetrieverJob& job) {
  return nets::with_all_errors("train", [&] { return train_retriever(job); });
}

constexpr TrainTable kTrainings = {retriever};

}  // namespace
}  // namespace fineprint::train

extern "C" __attribute__((visibility("default"))) const void* fineprint_train(
    std::uint64_t interface) {
  return interface == fineprint::train::kTrainInterface ? &fineprint::train::kTrainings : nullptr;
}
