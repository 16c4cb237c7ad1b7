// A model behind a chat completions server.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/models/openai_generator.h"

#include "models/openai/address.h"
#include "models/openai/chat_body.h"
#include "models/openai/http_call.h"
#include "models/openai/reply_reader.h"
#include "models/openai/retry.h"

namespace fineprint::models {

class OpenAiGenerator : public Generator {
 public:
  OpenAiGenerator(const std::string& spec, OpenAiOptions options, Waiting waiting);

  std::string name() const override { return address_.model; }
  // Of the SPEC: what a server serves under a name cannot be seen from here.
  std::string hash() const override;
  std::string remote() const override { return address_.host_and_port(); }

  Reply generate(const Request& request, const SamplingOptions& options) const override;
  Choice choose(const Request& request, std::span<const std::string> candidates) const override;
  Reply generate_json(const Request& request, const text::JsonSchema& schema,
                      const SamplingOptions& options) const override;

 private:
  struct Answered {
    Reply reply;
    TopTokens first_top;
  };
  struct Attempt;
  class Progress;
  class Incoming;

  // Until the server has replied, or fails for good.
  Answered ask(const Request& request, const SamplingOptions& options,
               const text::JsonSchema* schema) const;
  Attempt try_once(const std::string& body, const SamplingOptions& options,
                   Progress* progress) const;
  // One POST, and those that redirects ask for.
  HttpReply send(const std::string& body, const SamplingOptions& options, Incoming* incoming) const;
  Attempt judge(const HttpReply& http, Attempt attempt) const;
  Attempt refused(const HttpReply& http) const;
  static Habits milder(const Habits& taken, const Attempt& failed, bool wants_json);
  HttpCall call_to(const std::string& path, const std::string& body) const;
  // Waits before the next attempt; throws when there is to be none. false: cancelled meanwhile.
  bool pause(const Attempt& failed, int failures, const SamplingOptions& options) const;
  void record_pages(const Request& request) const;
  Habits habits() const;
  void keep_habits(const Habits& habits) const;

  std::string spec_;
  ServerAddress address_;
  OpenAiOptions options_;
  Waiting waiting_;
  mutable std::mutex mutex_;
  mutable Habits habits_;
};

}  // namespace fineprint::models
