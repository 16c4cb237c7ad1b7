// Trains an encoder of questions and pages.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Source: HKRAG, sections 3.2 and 4; VDocRAG for the parts that HKRAG leaves to its code base.
TrainingResult train_retriever(const RetrieverJob& job);

}  // namespace fineprint::train
