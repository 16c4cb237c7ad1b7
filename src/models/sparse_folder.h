// Reads what the folders of sparse encoders contain in addition to config.json.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"
#include "models/parts.h"

namespace fineprint::models {

// Returns true if modules.json describes a sparse encoder, in the layout of Sentence Transformers.
// Throws Error(model) if the file is no list of modules.
bool is_sparse_folder(FolderReader& folder);

// Reads modules.json and the files it names. Fills in the head, which the family's configuration
// has begun (`head`), the prompt, and the parts that follow the trunk. `longest` is the limit of
// the trunk. Throws Error(model) for unknown modules, and for weights that are made in other ways.
void read_sparse_folder(FolderReader& folder, VocabularyHead head, const VocabularyNames& names,
                        int longest, ModelSpec* spec);

}  // namespace fineprint::models
