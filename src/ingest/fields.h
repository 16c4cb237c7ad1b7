// The fields that the keyword search can look in.
#pragma once

#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::ingest {

// The field indexes of a document whose pages, chunks and title are filled in.
std::vector<store::FieldIndex> field_indexes(const store::NewDocument& document);

// All field names, joined by blanks: part of what a stored document depends on.
std::string field_names();

}  // namespace fineprint::ingest
