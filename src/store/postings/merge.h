// Joins images of postings segments into one image.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/postings/image.h"

namespace fineprint::store {

struct MergeInput {
  const PostingsImage* image = nullptr;
  std::vector<bool> live;  // for each document; dead ones are left out
};

// Returns one image with the documents of all inputs, in the order of the inputs. Throws BlobDamage
// if an input is damaged.
std::string merge_images(std::span<const MergeInput> inputs);

}  // namespace fineprint::store
