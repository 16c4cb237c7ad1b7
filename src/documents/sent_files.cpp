// Passes descriptors in control messages of a socket (SCM_RIGHTS).
#include "fineprint/documents/sent_files.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fineprint::documents {
namespace {

// Room for the descriptors of one message.
union Control {
  cmsghdr aligned;
  char bytes[CMSG_SPACE(kMostSentFiles * sizeof(int))];
};

}  // namespace

OpenFiles::~OpenFiles() {
  for (const int descriptor : descriptors_) close(descriptor);
}

bool OpenFiles::add(const std::string& path) {
  // Without O_NONBLOCK, a pipe would wait for its writer.
  const int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return false;
  struct stat facts{};
  if (fstat(opened, &facts) == 0 && S_ISREG(facts.st_mode)) {
    descriptors_.push_back(opened);
    return true;
  }
  close(opened);
  return false;
}

ssize_t OpenFiles::send_with(int socket, std::string_view bytes) const {
  Control control{};
  iovec text{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = CMSG_SPACE(descriptors_.size() * sizeof(int));
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(descriptors_.size() * sizeof(int));
  std::memcpy(CMSG_DATA(head), descriptors_.data(), descriptors_.size() * sizeof(int));
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t receive_with_files(int socket, std::span<char> out, std::vector<int>* files) {
  Control control{};
  iovec text{out.data(), out.size()};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got < 0) return got;
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
       head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(head) + i * sizeof(int), sizeof descriptor);
      files->push_back(descriptor);
    }
  }
  return got;
}

}  // namespace fineprint::documents
