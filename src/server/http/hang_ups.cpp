// Polls sockets for the end of their other side.
#include "server/http/hang_ups.h"

#include <chrono>
#include <utility>
#include <vector>

#include <poll.h>

namespace fineprint::server {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

}  // namespace

HangUps::HangUps() : watcher_([this] { watch(); }) {}

HangUps::~HangUps() {
  {
    const std::lock_guard guard(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  watcher_.join();
}

HangUps::Watched::Watched(HangUps& all, int socket, StopSource source)
    : all_(all), socket_(socket) {
  const std::lock_guard guard(all_.mutex_);
  all_.sources_.insert_or_assign(socket, std::move(source));
  if (all_.sources_.size() == 1) all_.changed_.notify_one();
}

HangUps::Watched::~Watched() {
  const std::lock_guard guard(all_.mutex_);
  all_.sources_.erase(socket_);
}

// Sleeps while nobody is being answered, so that an idle server uses no processor time.
void HangUps::watch() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (sources_.empty()) {
      changed_.wait(lock, [this] { return ending_ || !sources_.empty(); });
    } else {
      changed_.wait_for(lock, kBetweenLooks, [this] { return ending_; });
      look();
    }
  }
}

// Called under the lock. poll() returns at once, so that the lock is held only briefly.
void HangUps::look() {
  std::vector<pollfd> sockets;
  for (const auto& [socket, source] : sources_) sockets.push_back({socket, POLLRDHUP, 0});
  if (::poll(sockets.data(), sockets.size(), 0) <= 0) return;
  for (const pollfd& one : sockets) {
    if ((one.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0) {
      sources_.at(one.fd).request_stop();
    }
  }
}

}  // namespace fineprint::server
