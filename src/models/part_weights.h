// Matches the tensors of files with the tensors that parts need.
#pragma once

#include <map>
#include <string>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"

#include "models/weight_files.h"

namespace fineprint::models {

// Weights by part, then by the name below the part's prefix.
using PartWeights = std::map<std::string, std::map<std::string, Weight>>;

// Matches tensors and parts. Throws Error(model) that names the first tensor that is missing,
// surplus, misaligned, or of a wrong shape or unsupported type, and says how many more there are.
PartWeights match_parts(const ModelSpec& spec, const WeightFiles& files);

// Applies the adapter's tensors to the weights. Throws Error(model) that names the first tensor
// that matches no weight, has a wrong shape or lacks its other half, or the weight that has no
// change.
void lay_adapter(const ModelSpec& spec, const WeightFiles& adapter, PartWeights* weights);

// Throws Error(model) if the element type or the alignment does not allow reading in place.
void check_readable(const FoundTensor& found);

// Returns a shape for people, for example "[2, 3]".
std::string shape_text(const std::vector<std::int64_t>& shape);

// Returns true if a part lists the name among the tensors that may be there and are not read.
bool is_unused(const PartTensors& part, const std::string& name);

}  // namespace fineprint::models
