// Uses one model on several servers: calls are distributed among them, and another server takes
// over if one fails.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/models/generator.h"

namespace fineprint::remote {

class SeveralServers : public models::Generator {
 public:
  // One server: `quick` gives up at its first failure, `patient` repeats failures that may pass.
  struct Server {
    std::unique_ptr<models::Generator> quick, patient;
  };
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // Throws Error(usage) if the servers' models have different names.
  SeveralServers(std::vector<Server> servers, Now now);

  std::string name() const override { return servers_.front().quick->name(); }
  // Depends on all addresses, but not on their order.
  std::string hash() const override;
  std::string remote() const override;
  bool sees() const override { return servers_.front().quick->sees(); }

  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override;
  using models::Generator::choose;
  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override;
  bool can_choose() const override;
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema& schema,
                              const models::SamplingOptions& options) const override;

 private:
  // Returns the servers in the order in which a call tries them. Requests with the same beginning
  // go to the same server first, because its cache has the beginning. Servers that failed a short
  // while ago come last.
  std::vector<std::size_t> order_of(const models::Request& request) const;
  // Returns call(generator) of the first server that replies. Throws the last failure if none does.
  template <class Call>
  auto first_reply(const models::Request& request, const Call& call) const;
  // Makes the server the last choice for a while.
  void note_failure(std::size_t server) const;

  std::vector<Server> servers_;
  Now now_;
  mutable std::mutex mutex_;
  mutable std::vector<std::chrono::steady_clock::time_point>
      rested_;  // when each may be asked again
};

}  // namespace fineprint::remote
