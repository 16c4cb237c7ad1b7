// A model that judges items for a scorer which reads a model's reply.
#pragma once

#include <memory>
#include <string>

#include "fineprint/bench/judge.h"
#include "fineprint/core/json.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Gives an item what its scorer needs of a judging model and the item lacks: "judge_reply", or
// "extraction" where there is no "prediction". It asks about "question" and "response" (the answer
// to be judged), and "answer" (the reference). The model is loaded when it is first asked.
class ItemJudge {
 public:
  // The model of --judge; a scorer that no model helps, or no model, leaves items as they are.
  ItemJudge(const settings::Settings& settings, const std::string& scorer);
  ~ItemJudge();
  ItemJudge(const ItemJudge&) = delete;
  ItemJudge& operator=(const ItemJudge&) = delete;

  // Adds the reply; false where nothing was lacking. Throws Error(input) naming a field that is
  // missing, and what the generator throws.
  bool complete(Json* item);
  // The field that the reply goes to.
  const char* field() const;

 private:
  struct Asked;
  const settings::Settings& settings_;
  bench::JudgeKind kind_ = bench::JudgeKind::none;
  std::unique_ptr<Asked> asked_;
};

}  // namespace fineprint::cli
