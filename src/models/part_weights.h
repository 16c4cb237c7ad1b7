// Matches the tensors of files with the tensors that parts ask for.
#pragma once

#include <map>
#include <string>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"

#include "models/weight_files.h"

namespace fineprint::models {

// By part, then by the name below the part's prefix.
using PartWeights = std::map<std::string, std::map<std::string, Weight>>;

// Throws Error(model) naming the first tensor that is missing, surplus, of another shape, of a type
// that is not read, or misaligned, and how many more there are.
PartWeights match_parts(const ModelSpec& spec, const WeightFiles& files);

// Lays the adapter's tensors over the weights. Throws Error(model) naming the first tensor that
// belongs to no weight, has another shape, or lacks its other half, and the weight that is left
// out.
void lay_adapter(const ModelSpec& spec, const WeightFiles& adapter, PartWeights* weights);

// Throws Error(model) for an element type or an alignment that cannot be read in place.
void check_readable(const FoundTensor& found);

// "[2, 3]"
std::string shape_text(const std::vector<std::int64_t>& shape);

// Whether a part lists the whole name among those that may be there and are not read.
bool is_unused(const PartTensors& part, const std::string& name);

}  // namespace fineprint::models
