// A client's connection, as cpp-httplib reads from it and writes to it, with an end to all waiting.
#pragma once

#include <array>
#include <chrono>
#include <string>

#include <httplib.h>

namespace fineprint::server {

class Connection : public httplib::Stream {
 public:
  // Takes the socket over.
  explicit Connection(int socket);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Until there is something to read; false where nothing came in this time, or all is over.
  bool wait(std::chrono::milliseconds time);
  // A request's head has so many bytes and so much time at most; then its body begins.
  void begin_head();
  void begin_body();
  // Says that the connection is to be closed, as what was sent last has not been read.
  void leave_unread() { unread_ = true; }
  bool has_unread() const { return unread_; }
  // Has the client read what was written last before the connection goes.
  void linger();

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* into, std::size_t size) override;
  ssize_t write(const char* bytes, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  ssize_t fill();

  const int socket_;
  std::array<char, 16384> buffer_{};
  std::size_t at_ = 0, end_ = 0;
  std::size_t may_read_ = 0;  // bytes of the head that are still taken
  Clock::time_point deadline_ = Clock::time_point::max();
  bool unread_ = false;
};

}  // namespace fineprint::server
