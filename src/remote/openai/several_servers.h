// One model behind several servers: calls are shared out, and another server takes over where one
// fails.
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
  // Of one server: `quick` gives up at its first failure, `patient` repeats what may pass.
  struct Server {
    std::unique_ptr<models::Generator> quick, patient;
  };
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  // Throws Error(usage) where the servers' models have unlike names.
  SeveralServers(std::vector<Server> servers, Now now);

  std::string name() const override { return servers_.front().quick->name(); }
  // Of all addresses, in any order.
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
  // The servers in the order in which a call may go to them: requests that begin alike to the same
  // one first, whose cache then serves them; those that failed a short while ago last.
  std::vector<std::size_t> order_of(const models::Request& request) const;
  // call(generator) of the first server that replies; the last failure where none does.
  template <class Call>
  auto first_reply(const models::Request& request, const Call& call) const;
  // It is asked last for a while.
  void note_failure(std::size_t server) const;

  std::vector<Server> servers_;
  Now now_;
  mutable std::mutex mutex_;
  mutable std::vector<std::chrono::steady_clock::time_point>
      rested_;  // when each may be asked again
};

}  // namespace fineprint::remote
