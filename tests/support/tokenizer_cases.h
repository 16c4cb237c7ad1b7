// What the tokenizer tests share: golden cases, and small tokenizer files made on the spot.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "support/temp_dir.h"

namespace fineprint::tokenizer {

using Ids = std::vector<std::int32_t>;

inline const std::string kData = FINEPRINT_TEST_DATA;

inline Json read_json(const std::string& path) { return parse_json(read_file(path), path); }

inline std::unique_ptr<Tokenizer> golden_tokenizer(const std::string& name) {
  return Tokenizer::load(kData + "/" + name + "/model/tokenizer.json");
}

inline std::unique_ptr<Tokenizer> tokenizer_of(const std::string& json) {
  const fineprint::testing::TempDir folder;
  return Tokenizer::load(folder.write("tokenizer.json", json));
}

inline Ids ids_of(const std::vector<Token>& tokens) {
  Ids out;
  for (const Token& token : tokens) out.push_back(token.id);
  return out;
}

inline Json offsets_of(const std::vector<Token>& tokens) {
  Json out = Json::array();
  for (const Token& token : tokens) out.push_back({token.begin, token.end});
  return out;
}

}  // namespace fineprint::tokenizer
