// One worker process as its program sees it: started, spoken to, and ended.
#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "fineprint/core/error.h"
#include "fineprint/documents/picture_room.h"
#include "fineprint/documents/protocol.h"

namespace fineprint::documents {

// How a worker ended, in words that complete "FILE, page N: ".
struct WorkerEnd {
  ErrorCode code = ErrorCode::crashed;
  std::string reason;
};

// The error that a worker tells of a document. One that documents do not have, and which would end
// more than this one, is taken for what it is: a worker gone wrong.
Error believable(const Error& told);

class WorkerProcess {
 public:
  // Spawns `program` as a worker and sends it its limits. Throws Error(internal) when it can't be
  // started.
  WorkerProcess(const std::string& program, const WorkerLimits& limits);
  // Kills the process and waits for its end.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int socket() const { return socket_; }
  // False when the worker is gone.
  bool send(MessageType type, std::string_view payload);
  // Takes in what has arrived, without waiting. False when the worker is gone or talks nonsense;
  // messages that came before can still be taken.
  bool receive();
  std::optional<Message> next();
  // Where the worker puts the picture of which a `raster` message tells.
  PictureRoom& pictures() { return pictures_; }
  // Its answers make no sense: no more are taken.
  void distrust() { broken_ = true; }
  bool is_trusted() const { return !broken_; }
  // Ends the process and says why it ended; `ran_out` when its time was up.
  WorkerEnd end(bool ran_out, const WorkerLimits& limits);

 private:
  PictureRoom pictures_;
  int socket_ = -1;
  pid_t process_ = -1;
  FrameParser parser_;
  bool broken_ = false;
};

}  // namespace fineprint::documents
