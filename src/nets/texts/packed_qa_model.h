// The QA model without LibTorch, whose start takes longer than reading the passages of a question.
#pragma once

#include <memory>

#include "fineprint/models/device.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/qa_model.h"

namespace fineprint::nets {

// Returns a QA model, or nullptr if it needs the networks' library: unless it is a BERT with
// products of 8-bit codes that runs on the CPU, with weights that widened_values() reads. Throws
// Error(model) if the folder's files do not fit together.
std::unique_ptr<models::QaModel> open_packed_qa_model(const models::ModelSpec& spec,
                                                      const models::DeviceOptions& options);

}  // namespace fineprint::nets
