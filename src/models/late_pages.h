// Turns a vision-language model into an encoder with one vector for each token.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"

#include "models/json_facts.h"

namespace fineprint::models {

// Adds the projection of every token, and the text around a query: `before`, the query, ten times
// `fill`, a line feed. The vectors of the fill tokens count in the score. Source: Faysse et al.,
// "ColPali" (2024), section 4.
void add_token_vectors(const JsonFacts& config, const std::string& before, const std::string& fill,
                       ModelSpec* spec);
// Adds only the projection, to `width` values.
void add_token_projection(int width, ModelSpec* spec);
// Returns `before`, the place of the query, and ten times `fill`.
std::string filled_query(const std::string& before, const std::string& fill);

}  // namespace fineprint::models
