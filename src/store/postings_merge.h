// Joins images of postings segments into one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/postings_image.h"

namespace fineprint::store {

struct MergeInput {
  const PostingsImage* image = nullptr;
  std::vector<bool> live;  // of each document; those that are not are left out
};

// The documents of all inputs in the order of the inputs. Throws BlobDamage.
std::string merge_images(std::span<const MergeInput> inputs);

}  // namespace fineprint::store
