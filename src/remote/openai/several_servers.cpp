// Distributes calls among servers.
#include "remote/openai/several_servers.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"

#include "remote/openai/incoming_reply.h"

namespace fineprint::remote {
namespace {

// How long a server that failed is tried last.
constexpr std::chrono::seconds kRest{30};

// Returns what the prompts that share a server's cache have in common: the first message, then the
// first page, or the question if no page is shown.
std::string beginning_of(const models::Request& request) {
  std::string beginning;
  if (!request.messages.empty()) beginning = request.messages.front().text;
  if (!request.pages.empty()) return beginning + "\n" + request.pages.front();
  return beginning + "\n" + request.question;
}

// Returns whether another server may succeed. Errors of the call itself would recur there.
bool may_pass_elsewhere(const Error& error) {
  return error.code() == ErrorCode::model || error.code() == ErrorCode::timed_out;
}

}  // namespace

SeveralServers::SeveralServers(std::vector<Server> servers, Now now)
    : servers_(std::move(servers)), now_(std::move(now)), rested_(servers_.size()) {
  for (const Server& server : servers_) {
    if (server.quick->name() != name()) {
      throw Error(ErrorCode::usage,
                  format("{} has {} and {} has {}: servers that share calls must serve the same "
                         "model",
                         servers_.front().quick->remote(), name(), server.quick->remote(),
                         server.quick->name()));
    }
  }
}

std::string SeveralServers::hash() const {
  std::vector<std::string> hashes;
  for (const Server& server : servers_) hashes.push_back(server.quick->hash());
  // Sorted, so that the order in which a user lists the servers does not change the hash.
  std::ranges::sort(hashes);
  return content_hash(std::accumulate(hashes.begin(), hashes.end(), std::string()));
}

std::string SeveralServers::remote() const {
  return join_texts(servers_, ", ", [](const Server& server) { return server.quick->remote(); });
}

// One server that returns probabilities is enough, because the others' failures move the call to
// it.
bool SeveralServers::can_choose() const {
  return std::ranges::any_of(servers_, [](const Server& server) {
    return server.quick->can_choose() && server.patient->can_choose();
  });
}

// Uses rendezvous hashing: adding or removing a server moves only the calls of that server.
std::vector<std::size_t> SeveralServers::order_of(const models::Request& request) const {
  const std::string beginning = beginning_of(request);
  const auto now = now_();
  std::vector<std::pair<bool, std::uint64_t>> weights;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      weights.emplace_back(rested_[i] > now,
                           checksum(servers_[i].quick->remote() + "\n" + beginning));
    }
  }
  std::vector<std::size_t> order(servers_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return weights[i]; });
  return order;
}

void SeveralServers::note_failure(std::size_t server) const {
  const std::lock_guard lock(mutex_);
  rested_[server] = now_() + kRest;
}

// The quick servers do not repeat failures, so that the next server gets the call at once. Only the
// last resort waits.
template <class Call>
auto SeveralServers::first_reply(const models::Request& request, const Call& call) const {
  const std::vector<std::size_t> order = order_of(request);
  for (const std::size_t i : order) {
    try {
      return call(*servers_[i].quick);
    } catch (const Error& error) {
      if (!may_pass_elsewhere(error)) throw;
      note_failure(i);
      log::step("{}; {}", error.what(),
                i == order.back() ? "no other server is left; retrying the first one"
                                  : "trying the next server");
    }
  }
  return call(*servers_[order.front()].patient);
}

// Text that one server has shown must be continued by the next one, so both report through the same
// ShownText.
models::Reply SeveralServers::generate(const models::Request& request,
                                       const models::SamplingOptions& options) const {
  ShownText shown(options);  // a reply that another server repeats must begin with the same text
  models::Reply reply = first_reply(request, [&](const models::Generator& server) {
    std::string text;
    models::SamplingOptions own = options;
    if (options.on_text) {
      own.on_text = [&](std::string_view piece) { shown.show(text += piece); };
    }
    return server.generate(request, own);
  });
  // Thoughts may have been shown before they were known to be thoughts.
  if (reply.finish != models::Finish::cancelled && reply.thought_tokens == 0) shown.end(reply.text);
  return reply;
}

models::Choice SeveralServers::choose(const models::Request& request,
                                      std::span<const std::string> candidates,
                                      const StopToken& stop_token) const {
  return first_reply(request, [&](const models::Generator& server) {
    return server.choose(request, candidates, stop_token);
  });
}

models::Reply SeveralServers::generate_json(const models::Request& request,
                                            const grammar::JsonSchema& schema,
                                            const models::SamplingOptions& options) const {
  return first_reply(request, [&](const models::Generator& server) {
    return server.generate_json(request, schema, options);
  });
}

}  // namespace fineprint::remote
