// The arrays of quantised matrices in a folder's files, joined.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "models/weight_files.h"

namespace fineprint::models {

// A matrix and the names of the tensors that it is made of.
struct JoinedMatrix {
  std::string name;  // "....weight", as in a folder without codes
  FoundTensor codes;
  std::shared_ptr<const tensorfile::CodedMatrix> matrix;
  std::vector<std::string> parts;
};

// Every matrix that lies in codes. Throws Error(model) naming the file and the tensor that is
// missing, of another type or shape, gives a column to no group, or belongs to a module that
// `quantisation` says is not quantised.
std::vector<JoinedMatrix> joined_codes(const Quantisation& quantisation, const WeightFiles& files);

// Whether the tensor is of what these folders have beside weights and is not read: scales of
// activations, and of keys and values.
bool is_of_activations(const std::string& name);

}  // namespace fineprint::models
