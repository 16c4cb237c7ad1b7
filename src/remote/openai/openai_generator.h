// Calls a model on a chat completions server.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/core/retry.h"
#include "fineprint/remote/openai_generator.h"

#include "remote/openai/attempt.h"
#include "remote/openai/chat_body.h"

namespace fineprint::remote {

// Returns the server's model if it has only one, so that the user need not name it. Throws
// Error(usage) that lists them if it has several, and what ChatServer::models() throws. `spec` is
// for messages.
std::string only_model(const std::string& spec, const ServerAddress& address,
                       const OpenAiOptions& options);

class OpenAiGenerator : public models::Generator {
 public:
  // `address` must name a model.
  OpenAiGenerator(const ServerAddress& address, const OpenAiOptions& options, Waiting waiting);

  std::string name() const override { return server_.address().model; }
  // Depends on the address only, because the program cannot see what a server serves under a name.
  std::string hash() const override;
  std::string remote() const override { return server_.address().host_and_port(); }

  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override;
  using models::Generator::choose;
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override;
  bool can_choose() const override { return !tells_no_probabilities_; }
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema& schema,
                              const models::SamplingOptions& options) const override;

 private:
  // Calls until the server has replied or fails for good. Sets `taken` to the features that the
  // reply was requested with.
  Answered ask(const models::Request& request, const models::SamplingOptions& options,
               const grammar::JsonSchema* schema, Habits* taken) const;
  // Makes one attempt, and records the pages that left the machine with it.
  Attempt attempt_with(const std::string& body, const models::Request& request,
                       const models::SamplingOptions& options, ShownText* shown) const;
  static Habits milder(const Habits& taken, const Attempt& failed, bool wants_json);
  // Waits before the next attempt. Throws if there is to be none. Returns false if the call was
  // cancelled meanwhile.
  bool pause(const Attempt& failed, int failures, const models::SamplingOptions& options) const;
  void record_pages(const models::Request& request) const;
  void report_cut(const models::Request& request, const models::Reply& reply) const;
  Habits habits() const;
  // Adds what a call found. Concurrent calls may have found different limits: all of them are kept.
  void keep_habits(const Habits& found) const;

  ChatServer server_;
  int retries_;
  PictureFormat pictures_;
  std::shared_ptr<SentPages> sent_;
  Waiting waiting_;
  mutable std::atomic<bool> met_ = false;  // the server has replied or been reached at least once
  mutable std::mutex mutex_;
  mutable Habits habits_;
  mutable std::atomic<bool> tells_no_probabilities_ = false;  // set by choose()
  mutable std::atomic<bool> reported_cut_ = false;
};

}  // namespace fineprint::remote
