// One worker process as the program sees it: start it, exchange messages, end it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "fineprint/core/error.h"
#include "fineprint/documents/picture_room.h"
#include "fineprint/documents/protocol.h"

namespace fineprint::documents {

// Why a worker ended. `reason` completes a message such as "FILE, page N: ".
struct WorkerEnd {
  ErrorCode code = ErrorCode::crashed;
  std::string reason;
};

// Returns the error that a worker reported, if documents can cause it. An error that they cannot
// cause, and that would end more than this document, becomes `crashed`, because it means that the
// worker is faulty.
Error believable(const Error& reported);

// Ends its process on destruction. Not thread-safe.
class WorkerProcess {
 public:
  // Starts a worker and sends it its limits. `command` begins the command that starts it. Throws
  // Error(internal) if it cannot be started.
  WorkerProcess(const std::vector<std::string>& command, const WorkerLimits& limits,
                const WorkerModels& models);
  // Kills the process and waits for its end.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int socket() const { return socket_; }
  // Sends a message without a task. Returns false if the worker is gone.
  bool send(MessageType type, std::string_view payload);
  // Sends a task and descriptors of the files that the worker needs for it: the document, and what
  // another program has read of it. A file that cannot be opened is left out; the worker then finds
  // out why. Returns false if the worker is gone.
  bool send(MessageType type, Task task);
  // Reads what has arrived, without waiting. Returns false if the worker is gone or sent invalid
  // bytes. Messages that arrived earlier can still be taken.
  bool receive();
  // Returns the next message that has arrived, or nullopt.
  std::optional<Message> next();
  // The memory that holds the picture of a `raster` message.
  PictureRoom& pictures() { return pictures_; }
  // Marks the worker's answers as invalid, so that no more are taken.
  void distrust() { broken_ = true; }
  bool is_trusted() const { return !broken_; }
  // Ends the process and returns why it ended. `ran_out` says that its time was up.
  WorkerEnd end(bool ran_out, const WorkerLimits& limits);

 private:
  bool send_bytes(std::string_view bytes);

  PictureRoom pictures_;
  int socket_ = -1;
  pid_t process_ = -1;
  FrameParser parser_;
  bool broken_ = false;
};

}  // namespace fineprint::documents
