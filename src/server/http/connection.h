// A client's connection as cpp-httplib reads and writes it, with time limits on all waiting.
#pragma once

#include <array>
#include <chrono>
#include <string>

#include <httplib.h>

namespace fineprint::server {

class Connection : public httplib::Stream {
 public:
  // Takes ownership of the socket.
  explicit Connection(int socket);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits until there is something to read. Returns false if nothing came in this time, or if the
  // connection has ended.
  bool wait(std::chrono::milliseconds time);
  // Starts a request. Its head may have a limited number of bytes and a limited time; begin_body()
  // lifts the limit of bytes.
  void begin_head();
  void begin_body();
  // Marks the connection as one to close, because the body of its last request was not read.
  void leave_unread() { unread_ = true; }
  bool has_unread() const { return unread_; }
  // Gives the client time to read the last reply before the connection is closed.
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
  std::size_t may_read_ = 0;  // bytes that the head may still have
  Clock::time_point deadline_ = Clock::time_point::max();
  bool unread_ = false;
};

}  // namespace fineprint::server
