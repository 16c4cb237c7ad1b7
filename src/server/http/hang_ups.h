// Notices clients that hang up before they are answered.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "fineprint/core/stop.h"

namespace fineprint::server {

// Watches the connections of all requests in progress with one thread. Safe to use from several
// threads.
class HangUps {
 public:
  HangUps();
  ~HangUps();
  HangUps(const HangUps&) = delete;
  HangUps& operator=(const HangUps&) = delete;

  // While it lives, `source` is asked to stop if the other side of the socket is gone.
  class Watched {
   public:
    Watched(HangUps& all, int socket, StopSource source);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    HangUps& all_;
    const int socket_;
  };

 private:
  void watch();
  void look();

  std::mutex mutex_;  // guards what follows
  std::map<int, StopSource> sources_;
  bool ending_ = false;
  std::condition_variable changed_;
  std::thread watcher_;
};

}  // namespace fineprint::server
