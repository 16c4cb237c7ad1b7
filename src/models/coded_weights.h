// Joins the arrays in which a folder's files store quantised matrices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "models/weight_files.h"

namespace fineprint::models {

// A quantised matrix and the names of the tensors that it consists of.
struct JoinedMatrix {
  std::string name;  // "....weight", as in a folder without codes
  FoundTensor codes;
  std::shared_ptr<const tensorfile::CodedMatrix> matrix;
  std::vector<std::string> parts;
};

// Returns every matrix that is stored in codes. Throws Error(model) that names the file and the
// tensor if a tensor is missing, has a wrong type or shape, assigns a column to no group, or
// belongs to a module that `quantisation` lists as not quantised.
std::vector<JoinedMatrix> joined_codes(const Quantisation& quantisation, const WeightFiles& files);

// Returns true if the tensor is one that these folders store in addition to weights and that is not
// read: scales of activations, keys and values.
bool is_of_activations(const std::string& name);

}  // namespace fineprint::models
