// Defines the fields that keyword search can look in.
#pragma once

#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::ingest {

// Returns the field indexes of a document whose pages, chunks and title are set.
std::vector<store::FieldIndex> field_indexes(const store::NewDocument& document);

// Returns all field names, joined by blanks. They are part of the settings that a stored document
// depends on.
std::string field_names();

}  // namespace fineprint::ingest
