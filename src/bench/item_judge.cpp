// Asks the judge over an empty store, because no page is shown.
#include "fineprint/bench/item_judge.h"

#include <cerrno>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/temporary_folder.h"
#include "fineprint/session/context.h"
#include "fineprint/store/store.h"

namespace fineprint::bench {
namespace {

// Maps each scorer to the judge of its published protocol. Scorers that need no model map to none.
JudgeKind judge_kind_of(const std::string& scorer) {
  if (scorer == "vidorag_judge") return JudgeKind::grade;
  if (scorer == "binary_judge") return JudgeKind::binary;
  if (scorer == "longdocurl") return JudgeKind::tagged_extraction;
  if (scorer == "mmlongbench" || scorer == "molorag_mmlong" || scorer == "molorag_longdocurl") {
    return JudgeKind::extraction;
  }
  return JudgeKind::none;
}

// A gold answer may be a list or a number; the judge then reads its JSON.
std::string asked_about(const Json& item, const char* field) {
  const auto found = item.find(field);
  if (found == item.end()) {
    throw Error(ErrorCode::input, format("field '{}' is missing; the judge needs it", field));
  }
  return found->is_string() ? found->get<std::string>() : dump_json(*found);
}

}  // namespace

struct ItemJudge::Asked {
  Asked(const ItemJudgeOptions& options, JudgeKind kind)
      : store(folder.path(), store::Mode::write),
        session(store, options.session(store.dir())),
        judge(session, kind, options.prompts) {}

  TemporaryFolder folder{"judge", "the judge"};
  store::Store store;
  session::Session session;
  Judge judge;
};

ItemJudge::ItemJudge(ItemJudgeOptions options, const std::string& scorer)
    : options_(std::move(options)) {
  // Without a generator, items are scored by rules alone.
  if (!options_.session) return;
  kind_ = judge_kind_of(scorer);
  if (kind_ == JudgeKind::none) {
    log::note("--judge is ignored: the scorer {} needs no model", scorer);
  }
}

ItemJudge::~ItemJudge() = default;

bool ItemJudge::complete(Json* item) {
  // The scorer itself reports items that are not objects.
  if (kind_ == JudgeKind::none || !item->is_object()) return false;
  const bool is_grade = kind_ == JudgeKind::grade || kind_ == JudgeKind::binary;
  if (item->contains(field()) || (!is_grade && item->contains("prediction"))) return false;
  Question question;
  question.text = asked_about(*item, "question");
  question.answer = asked_about(*item, "answer");
  Answer answer;
  answer.answer = asked_about(*item, "response");
  // Loaded here, because a file in which all items have replies needs no model.
  if (!asked_) asked_ = std::make_unique<Asked>(options_, kind_);
  (*item)[field()] = asked_->judge.ask(question, answer);
  return true;
}

const char* ItemJudge::field() const { return is_extracting(kind_) ? "extraction" : "judge_reply"; }

}  // namespace fineprint::bench
