// Keeps a store open while other processes write to it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "fineprint/session/context.h"
#include "fineprint/store/changes.h"
#include "fineprint/store/store.h"

namespace fineprint::server {

// Checks every second whether the store has changed, and if so opens it again. Holders of an
// earlier session keep the store as it was. Safe to use from several threads.
class LiveStore {
 public:
  // Throws Error(store) if the store cannot be opened. `models` must outlive the object and all its
  // sessions.
  LiveStore(std::string dir, const session::Models& models);
  ~LiveStore();
  LiveStore(const LiveStore&) = delete;
  LiveStore& operator=(const LiveStore&) = delete;

  // Returns the store in its state at the last check. Never nullptr.
  std::shared_ptr<const session::Session> session() const;
  // Checks now. Throws Error(store).
  void refresh();

 private:
  void watch();

  const std::string dir_;
  const session::Models& models_;
  std::mutex looking_;  // guards the next two
  store::Changes changes_;
  bool stale_ = false;        // a change was seen, but the store could not be opened
  mutable std::mutex mutex_;  // guards the next
  std::shared_ptr<const session::Session> session_;
  std::mutex ending_mutex_;  // guards the next
  bool ending_ = false;
  std::condition_variable ends_;
  std::thread watcher_;  // last: it uses all the others
};

}  // namespace fineprint::server
