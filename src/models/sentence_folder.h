// Reads what the folders of sentence encoders, of late interaction over texts and of cross-encoders
// contain in addition to config.json.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"
#include "models/parts.h"

namespace fineprint::models {

// Reads modules.json and the files it names, in the layout of Sentence Transformers (one vector for
// each text) or of PyLate (no pooling: one vector for each token). Fills in the head, the prompt
// and the parts that follow the trunk. `longest` is the limit of the trunk. Throws Error(model) for
// unknown modules.
void read_sentence_folder(FolderReader& folder, int longest, ModelSpec* spec);

// Reads the limit of a cross-encoder's pairs from the tokenizer, at most `longest`.
void read_pair_limit(FolderReader& folder, int longest, Prompt* prompt);

// Returns the limit of a text in tokens: that of the folder, at most `longest`. Also reads whether
// texts are lower-cased.
int read_text_limit(FolderReader& folder, int longest, Prompt* prompt);

// The names, in a family's checkpoints, of the heads that a trunk of BERT's kind may have.
struct TextHeadNames {
  PairNames pair;
  VocabularyNames vocabulary;
};
// Reads the head of a trunk of BERT's kind that is `hidden` wide: the number of a cross-encoder,
// from the first token; the weights of a sparse encoder; or vectors as above.
void read_text_head(FolderReader& folder, const TextHeadNames& names, int hidden, int longest,
                    ModelSpec* spec);

// Returns true if config.json calls the model a sequence classifier. Throws if it gives more than
// one number.
bool scores_pairs(const JsonFacts& config);

}  // namespace fineprint::models
