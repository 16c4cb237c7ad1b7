// Asks a model to judge items for a scorer that reads a model's reply.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fineprint/bench/judge.h"
#include "fineprint/core/json_fwd.h"
#include "fineprint/session/context.h"

namespace fineprint::bench {

// Where an ItemJudge gets its model from.
struct ItemJudgeOptions {
  // Returns the options of a session whose generator is the judge. `store` is the folder of the
  // session's store, which is empty. Called when the model is first needed. Empty: no judge is
  // asked.
  std::function<session::SessionOptions(const std::string& store)> session = {};
  std::string prompts = {};  // as for Judge
};

// Adds to an item what its scorer needs from a judging model if the item lacks it: "judge_reply",
// or "extraction" if there is no "prediction". The judge reads "question", "response" (the answer
// to judge) and "answer" (the reference). The model is loaded at the first item that needs it.
class ItemJudge {
 public:
  // If there is no judge, or the scorer needs none, items stay unchanged.
  ItemJudge(ItemJudgeOptions options, const std::string& scorer);
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
  ItemJudgeOptions options_;
  JudgeKind kind_ = JudgeKind::none;
  std::unique_ptr<Asked> asked_;
};

}  // namespace fineprint::bench
