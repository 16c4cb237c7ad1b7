// Decides which vector sets a run brings up to date, and opens their models.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/ingest/ingest.h"
#include "fineprint/models/encoder.h"

#include "ingest/known_encoder.h"

namespace fineprint::ingest {

// A vector set in the plan of a run.
struct PlannedSet {
  store::VectorSet set;
  bool wanted = false;                  // this run brings it up to date
  std::optional<KnownEncoder> encoder;  // set if it is known already
};

// Returns the sets of a store, `known`, and the sets that the options add, under new names. Changes
// nothing. Throws Error(usage) if the options contradict a set or name one that does not exist, or
// Error(model).
std::vector<PlannedSet> plan_sets(const IngestOptions& options, const FindEncoder& find,
                                  std::vector<store::VectorSet> known);

// Returns the set's model, found where the store remembers it. Throws Error(model) with advice if
// it is gone or is not the model whose vectors the set holds.
const KnownEncoder& encoder_of(PlannedSet& planned, const FindEncoder& find);
// Loads the set's model. Throws as `encoder_of` does.
std::unique_ptr<models::Encoder> load_encoder(PlannedSet& planned, const FindEncoder& find);

// Returns whether the set has vectors of elements.
bool is_over_elements(const PlannedSet& planned);
// Returns whether the set's model sees pictures of pages or elements, and not texts.
bool sees_pictures(const PlannedSet& planned);

// Returns the model whose tokenizer measures chunks. This is the model of the first set "text", or
// the default one. If either of them measured the documents of the store, that one is returned, so
// that a new encoder does not cause all documents to be read again.
KnownEncoder measuring_encoder(std::vector<PlannedSet>& sets, const IngestOptions& options,
                               const FindEncoder& find,
                               const std::vector<store::DocumentRow>& documents);

}  // namespace fineprint::ingest
