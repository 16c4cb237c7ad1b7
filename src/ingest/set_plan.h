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

struct PlannedSet {
  store::VectorSet set;
  bool wanted = false;                  // to be brought up to date by this run
  std::optional<KnownEncoder> encoder;  // where it is known already
};

// The sets of a store, `known`, and those that the options add, by name, the latter under names of
// their own. Changes nothing. Throws Error(usage) for options that contradict a set, or name one
// that is not there; Error(model).
std::vector<PlannedSet> plan_sets(const IngestOptions& options, const FindEncoder& find,
                                  std::vector<store::VectorSet> known);

// The set's model, looked up where the store remembers it. Throws Error(model) saying what to do
// when it is not there any more or not the one whose vectors the set holds.
const KnownEncoder& encoder_of(PlannedSet& planned, const FindEncoder& find);
std::unique_ptr<models::Encoder> load_encoder(PlannedSet& planned, const FindEncoder& find);

bool is_over_elements(const PlannedSet& planned);
// Whether its model is shown pictures, of pages or elements; else texts.
bool sees_pictures(const PlannedSet& planned);

// The model whose tokenizer measures the chunks: that of the first set "text", or the default one;
// of the two the one that measured the store's documents, so that a new encoder does
// not have them read again.
KnownEncoder measuring_encoder(std::vector<PlannedSet>& sets, const IngestOptions& options,
                               const FindEncoder& find,
                               const std::vector<store::DocumentRow>& documents);

}  // namespace fineprint::ingest
