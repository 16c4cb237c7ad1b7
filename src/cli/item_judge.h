// Asks a model to judge items for a scorer that reads a model's reply.
#pragma once

#include <memory>
#include <string>

#include "fineprint/bench/judge.h"
#include "fineprint/core/json.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Adds to an item what its scorer needs from a judging model if the item lacks it: "judge_reply",
// or "extraction" if there is no "prediction". The judge reads "question", "response" (the answer
// to judge) and "answer" (the reference). The model is loaded at the first item that needs it.
class ItemJudge {
 public:
  // Uses the model of --judge. If there is none, or the scorer needs none, items stay unchanged.
  ItemJudge(const settings::Settings& settings, const std::string& scorer);
  ~ItemJudge();
  ItemJudge(const ItemJudge&) = delete;
  ItemJudge& operator=(const ItemJudge&) = delete;

  // Adds the reply. Returns false if nothing was missing. Throws Error(input) with the field if one
  // is missing, and what the generator throws.
  bool complete(Json* item);
  // Returns the field that receives the reply.
  const char* field() const;

 private:
  struct Asked;
  const settings::Settings& settings_;
  bench::JudgeKind kind_ = bench::JudgeKind::none;
  std::unique_ptr<Asked> asked_;
};

}  // namespace fineprint::cli
