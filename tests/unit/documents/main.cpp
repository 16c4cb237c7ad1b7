// The test program, which is also its own document worker, with faults on demand.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/documents/reader.h"

#include "documents/worker.h"

namespace {

// FINEPRINT_TEST_FAULT is "KIND PAGE" or "KIND PAGE FILE"; with FILE the fault happens only while
// that file does not exist, and making it is part of the fault: it happens once.
struct Fault {
  std::string kind, once;
  int page = 0;
};

Fault read_fault() {
  Fault fault;
  if (const char* text = std::getenv("FINEPRINT_TEST_FAULT")) {
    std::istringstream stream(text);
    stream >> fault.kind >> fault.page >> fault.once;
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

void happen(const Fault& fault, int page) {
  if (page != fault.page) return;
  if (!fault.once.empty()) {
    if (std::ifstream(fault.once).good()) return;
    std::ofstream(fault.once) << "done";
  }
  if (fault.kind == "abort") std::abort();
  if (fault.kind == "exit") std::_Exit(3);
  if (fault.kind == "hang") hang();
  if (fault.kind == "spin") spin();
  if (fault.kind == "swell") swell();
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
    return fineprint::documents::run_worker([fault](int page) { happen(fault, page); });
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
