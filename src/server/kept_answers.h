// Keeps answers for questions that are asked again while the store is as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/server/service.h"
#include "fineprint/session/context.h"

namespace fineprint::server {

// Returns what decides the answer to a question besides the store and the server's settings, as one
// text, or "" if the answer must not be kept: questions with files and pictures bring these along.
// `pipeline` is the one that answers. Clients who follow the steps (`followed`) are given answers
// whose steps are kept. A time limit decides only whether an answer is cut short, and such answers
// are not kept.
std::string kept_key(const AskRequest& request, const std::string& pipeline, bool followed);

// A step of an answer, which is told again when the answer is given again. See Event.
struct KeptStep {
  std::string step;
  double ms = 0;
  std::string fields, line;
};

struct KeptAnswer {
  Answer answer;
  std::vector<KeptStep> steps = {};  // none if nobody followed them
};

// Kept in memory, all for one state of the store: with the next state all are dropped. Safe to use
// from several threads.
class KeptAnswers {
 public:
  // At most `most` answers with `most_bytes` together; answers that nobody has asked for the
  // longest go first. 0 bytes: keeps none.
  explicit KeptAnswers(std::int64_t most_bytes, std::size_t most = 10'000)
      : most_bytes_(most_bytes), most_(most) {}

  // Returns the answer to `key` from this state of the store, if it is kept.
  std::optional<KeptAnswer> find(const std::shared_ptr<const session::Session>& session,
                                 const std::string& key);
  // Keeps an answer. Leaves out answers from another state than the one that was asked last,
  // answers that a limit cut short, and answers that fill more than a tenth of the bytes.
  void keep(const std::shared_ptr<const session::Session>& session, const std::string& key,
            const Answer& answer, std::vector<KeptStep> steps = {});

  // Drops the answer to `key`, if there is one.
  void forget(const std::string& key);

  struct Size {
    std::size_t answers = 0;
    std::int64_t bytes = 0;
  };
  Size size() const;

 private:
  struct Kept {
    std::string key;
    KeptAnswer answer;
    std::int64_t bytes = 0;
  };

  const std::int64_t most_bytes_;
  const std::size_t most_;
  mutable std::mutex mutex_;  // guards what follows
  std::weak_ptr<const session::Session> session_;
  std::list<Kept> kept_;  // last asked first
  std::map<std::string, std::list<Kept>::iterator, std::less<>> by_key_;
  std::int64_t bytes_ = 0;
};

}  // namespace fineprint::server
