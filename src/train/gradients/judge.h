// Trains a model to judge pages.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Minimizes the cross-entropy of its replies. Source: MoLoRAG, section 3.3 and appendix C.
TrainingResult train_judge(const JudgeJob& job);

}  // namespace fineprint::train
