// A store that is kept open while others write to it.
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

// Looks every second whether the store has changed, and opens it anew then. Those who hold an
// earlier session go on with the store as it was. Safe from several threads.
class LiveStore {
 public:
  // Throws Error(store) as opening it does. `models` must outlive it and all its sessions.
  LiveStore(std::string dir, const session::Models& models);
  ~LiveStore();
  LiveStore(const LiveStore&) = delete;
  LiveStore& operator=(const LiveStore&) = delete;

  // As the store was when it was looked at last. Never nullptr.
  std::shared_ptr<const session::Session> session() const;
  // Looks now. Throws Error(store).
  void refresh();

 private:
  void watch();

  const std::string dir_;
  const session::Models& models_;
  std::mutex looking_;  // guards the next two
  store::Changes changes_;
  bool stale_ = false;        // a change was seen, and opening the store failed
  mutable std::mutex mutex_;  // guards the next
  std::shared_ptr<const session::Session> session_;
  std::mutex ending_mutex_;  // guards the next
  bool ending_ = false;
  std::condition_variable ends_;
  std::thread watcher_;  // last: it uses all the others
};

}  // namespace fineprint::server
