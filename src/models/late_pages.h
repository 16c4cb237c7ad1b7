// What turns a vision-language model into an encoder with a vector a token.
#pragma once

#include <string>

#include "fineprint/models/model_spec.h"

#include "models/json_facts.h"

namespace fineprint::models {

// The projection of every token, and the text around a query: `before`, the query, ten times
// `fill`, a line's end. The filling tokens take part in the score. Source: Faysse et al., "ColPali"
// (2024), section 4.
void add_token_vectors(const JsonFacts& config, const std::string& before, const std::string& fill,
                       ModelSpec* spec);
// The projection to `width` values alone.
void add_token_projection(int width, ModelSpec* spec);
// `before`, the query, ten times `fill`.
std::string filled_query(const std::string& before, const std::string& fill);

}  // namespace fineprint::models
