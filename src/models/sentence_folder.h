// What the folders of sentence encoders, of late interaction over texts and of cross-encoders say
// beside config.json.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"
#include "models/parts.h"

namespace fineprint::models {

// Reads modules.json and what it names, in the layout of Sentence Transformers (one vector a text)
// or of PyLate (modules without pooling: a vector a token), into the head, the prompt and the parts
// of what follows the trunk. `longest`: the trunk's positions. Throws Error(model) for modules that
// are not known here.
void read_sentence_folder(FolderReader& folder, int longest, ModelSpec* spec);

// The limit of a cross-encoder's pairs: the tokenizer's, within `longest`.
void read_pair_limit(FolderReader& folder, int longest, Prompt* prompt);

// What is read off the states of a trunk of BERT's kind, `hidden` wide: the number of a
// cross-encoder, by the first token's, or vectors as above.
void read_text_head(FolderReader& folder, const PairNames& names, int hidden, int longest,
                    ModelSpec* spec);

// Whether config.json calls the model a classifier of sequences; one that gives other than one
// number is refused.
bool scores_pairs(const JsonFacts& config);

}  // namespace fineprint::models
