// Reads and writes a socket, with time limits so that no client keeps a thread waiting forever.
#include "server/http/connection.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fineprint::server {
namespace {

constexpr std::size_t kMostHeadBytes = 64 << 10;
constexpr auto kHeadTime = std::chrono::seconds(15);
constexpr auto kBodyTime = std::chrono::minutes(30);  // a large document over a slow line
constexpr auto kSilence = std::chrono::seconds(15);   // between two pieces, in either direction
constexpr auto kLingerTime = std::chrono::seconds(2);

// Returns whether the event comes within the time.
bool becomes(int socket, short event, std::chrono::milliseconds time) {
  pollfd one{socket, event, 0};
  return ::poll(&one, 1, static_cast<int>(time.count())) > 0;
}

}  // namespace

Connection::Connection(int socket) : socket_(socket) {}

Connection::~Connection() { ::close(socket_); }

bool Connection::wait(std::chrono::milliseconds time) {
  return at_ < end_ || becomes(socket_, POLLIN, time);
}

void Connection::begin_head() {
  may_read_ = kMostHeadBytes;
  deadline_ = Clock::now() + kHeadTime;
}

void Connection::begin_body() {
  may_read_ = std::numeric_limits<std::size_t>::max();
  deadline_ = Clock::now() + kBodyTime;
}

void Connection::linger() {
  // Closing a socket with unread bytes makes the kernel reset it, and the client may lose the reply
  // that it has not read yet. So only the sending side is closed first.
  ::shutdown(socket_, SHUT_WR);
  deadline_ = Clock::now() + kLingerTime;
  while (Clock::now() < deadline_ && fill() > 0) {
  }
}

bool Connection::is_readable() const { return at_ < end_ || becomes(socket_, POLLIN, kSilence); }

bool Connection::is_writable() const { return becomes(socket_, POLLOUT, kSilence); }

// Waits at most until the deadline of the head or body, and at most kSilence for the next piece.
ssize_t Connection::fill() {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  const auto time = std::min<std::chrono::milliseconds>(left, kSilence);
  if (time.count() <= 0 || !becomes(socket_, POLLIN, time)) return -1;
  ssize_t got = 0;
  do {
    got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
  } while (got < 0 && errno == EINTR);
  at_ = 0;
  end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got;
}

ssize_t Connection::read(char* into, std::size_t size) {
  // The head is too long, so the connection is given up.
  if (may_read_ == 0) return -1;
  if (at_ == end_) {
    const ssize_t got = fill();
    if (got <= 0) return got;
  }
  const std::size_t count = std::min({size, end_ - at_, may_read_});
  std::memcpy(into, buffer_.data() + at_, count);
  at_ += count;
  if (may_read_ != std::numeric_limits<std::size_t>::max()) may_read_ -= count;
  return static_cast<ssize_t>(count);
}

// MSG_NOSIGNAL: a client that is gone must not kill the server. MSG_DONTWAIT: a client that reads
// slowly must not block longer than kSilence.
ssize_t Connection::write(const char* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t sent = ::send(socket_, bytes + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      done += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!is_writable()) return -1;
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return static_cast<ssize_t>(done);
}

// The server decides nothing by a client's address, so it is not looked up.
void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace fineprint::server
