// Trains an encoder of questions and pages.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Source: HKRAG, section 3.2 and 4; VDocRAG for what HKRAG leaves to its code base.
TrainingResult train_retriever(const RetrieverJob& job);

}  // namespace fineprint::train
