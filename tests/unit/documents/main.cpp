// The test program, which is also its own document worker, with faults on demand.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fineprint/documents/document_workers.h"
#include "fineprint/documents/protocol.h"
#include "fineprint/reading/worker.h"

#include "attempts.h"

namespace {

// FINEPRINT_TEST_FAULT is "KIND PAGE" or "KIND PAGE FILE"; KIND is "draw-KIND" where it happens
// before the page is drawn for OCR, and not before it is read. With FILE the fault happens only
// while that file is empty, and writing to it is part of the fault: it happens once. The file is
// opened before the worker loses the right to.
constexpr int kEveryPage = -1;

struct Fault {
  std::string kind;
  int page = 0;
  int once = -1;
};

Fault read_fault() {
  Fault fault;
  if (const char* text = std::getenv("FINEPRINT_TEST_FAULT")) {
    std::istringstream stream(text);
    std::string file;
    stream >> fault.kind >> fault.page >> file;
    if (!file.empty()) fault.once = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }
  return fault;
}

void hang() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void spin() {
  std::atomic<long> turns{0};
  while (true) {
    ++turns;
  }
}

void swell() {
  std::vector<std::vector<char>> kept;
  while (true) kept.emplace_back(std::size_t{16} << 20, 'x');
}

// Deaf to the end of its input, and stopped.
void stop() {
  shutdown(STDIN_FILENO, SHUT_RDWR);
  raise(SIGSTOP);
}

// Bytes that are no messages, without end. The socket is input and output; what is written to
// standard output goes nowhere.
void babble() {
  const std::string bytes(1 << 16, 'x');
  while (write(STDIN_FILENO, bytes.data(), bytes.size()) > 0) {
  }
  hang();
}

// An error that is not the document's.
void lie() {
  using namespace fineprint;
  const std::string bytes = documents::frame(
      documents::MessageType::error, documents::pack(Error(ErrorCode::store, "the store is lost")));
  if (write(STDIN_FILENO, bytes.data(), bytes.size()) < 0) std::_Exit(4);
  hang();
}

void happen(const Fault& fault, int page) {
  if (fault.kind.empty() || fault.kind.starts_with("draw-") ||
      (page != fault.page && fault.page != kEveryPage))
    return;
  if (fault.once >= 0) {
    if (lseek(fault.once, 0, SEEK_END) > 0) return;
    const char* folder = std::getenv("FINEPRINT_TEST_FOLDER");
    const std::string mark = folder ? fineprint::documents::try_everything(folder) : "done";
    if (write(fault.once, mark.data(), mark.size()) < 0) std::_Exit(4);
  }
  if (fault.kind == "abort") std::abort();
  if (fault.kind == "exit") std::_Exit(3);
  if (fault.kind == "hang") hang();
  if (fault.kind == "wait") std::this_thread::sleep_for(std::chrono::seconds(3));
  if (fault.kind == "spin") spin();
  if (fault.kind == "swell") swell();
  if (fault.kind == "stop") stop();
  if (fault.kind == "babble") babble();
  if (fault.kind == "lie") lie();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], fineprint::documents::kWorkerArgument) == 0) {
    const Fault fault = read_fault();
    if (fault.kind == "garble") {
      std::fputs("this is no frame at all, but long enough to be one", stdout);
      std::fflush(stdout);
      hang();
    }
    constexpr std::string_view kDraw = "draw-";
    Fault drawing = fault;
    drawing.kind = fault.kind.starts_with(kDraw) ? fault.kind.substr(kDraw.size()) : "";
    return fineprint::reading::run_worker(
        {.before_page = [fault](int page) { happen(fault, page); },
         .before_drawing = [drawing](int page) { happen(drawing, page); }});
  }
  if (argc > 1 && std::strcmp(argv[1], fineprint::documents::kConverterArgument) == 0) {
    return fineprint::documents::converter_main({argv + 2, argv + argc});
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
