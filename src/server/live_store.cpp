// Opens a store again if it has changed.
#include "server/live_store.h"

#include <chrono>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"

namespace fineprint::server {
namespace {

constexpr auto kPause = std::chrono::seconds(1);

struct Opened {
  Opened(const std::string& dir, const session::Models& models)
      : store(dir, store::Mode::read), session(store, models) {}

  store::Store store;
  session::Session session;
};

// Reads now what the first question would otherwise wait for.
std::shared_ptr<const session::Session> open_session(const std::string& dir,
                                                     const session::Models& models) {
  const auto opened = std::make_shared<const Opened>(dir, models);
  opened->session.corpus().keywords();
  opened->session.corpus().chunks();
  return {opened, &opened->session};
}

}  // namespace

// Changes are watched before the store is opened, so that none between the two is missed.
LiveStore::LiveStore(std::string dir, const session::Models& models)
    : dir_(std::move(dir)),
      models_(models),
      changes_(dir_),
      session_(open_session(dir_, models_)),
      watcher_([this] { watch(); }) {}

LiveStore::~LiveStore() {
  {
    const std::lock_guard guard(ending_mutex_);
    ending_ = true;
  }
  ends_.notify_one();
  watcher_.join();
}

std::shared_ptr<const session::Session> LiveStore::session() const {
  const std::lock_guard guard(mutex_);
  return session_;
}

// A change that was seen stays pending until the store could be opened, because the catalogue
// reports each change only once.
void LiveStore::refresh() {
  const std::lock_guard looking(looking_);
  stale_ = changes_.seen() || stale_;
  if (!stale_) return;
  std::shared_ptr<const session::Session> newer = open_session(dir_, models_);
  stale_ = false;
  const std::lock_guard guard(mutex_);
  // Swapped, so that the old session is freed after the lock is released.
  session_.swap(newer);
}

void LiveStore::watch() {
  std::string told;  // so that each problem is logged once
  std::unique_lock lock(ending_mutex_);
  while (!ends_.wait_for(lock, kPause, [this] { return ending_; })) {
    lock.unlock();
    try {
      refresh();
      told.clear();
    } catch (const Error& error) {
      if (told != error.what()) {
        log::warn("{}; the server continues with the previous state of the store",
                  std::string_view(error.what()));
      }
      told = error.what();
    }
    lock.lock();
  }
}

}  // namespace fineprint::server
