// The library's only entry point: the program calls it after opening the library.
#include "fineprint/nets/torch_errors.h"
#include "fineprint/nets/trained.h"
#include "fineprint/train/training.h"

#include "train/gradients/answers.h"
#include "train/gradients/judge.h"
#include "train/gradients/kept_memory.h"
#include "train/gradients/qa.h"
#include "train/gradients/retriever.h"

namespace fineprint::train {
namespace {

TrainingResult retriever(const RetrieverJob& job) {
  return nets::with_all_errors("train", [&] { return train_retriever(job); });
}

TrainingResult qa(const QaJob& job) {
  return nets::with_all_errors("train", [&] { return train_qa(job); });
}

TrainingResult judge(const JudgeJob& job) {
  return nets::with_all_errors("train", [&] { return train_judge(job); });
}

TrainingResult answers(const AnswerJob& job) {
  return nets::with_all_errors("train", [&] { return train_answers(job); });
}

constexpr TrainTable kTrainings = {retriever, qa, judge, answers};

}  // namespace
}  // namespace fineprint::train

extern "C" __attribute__((visibility("default"))) const void* fineprint_train(
    std::uint64_t interface) {
  if (interface != fineprint::train::kTrainInterface) return nullptr;
  fineprint::nets::keep_freed_memory();
  fineprint::train::keep_memory_of_tensors();
  return &fineprint::train::kTrainings;
}
