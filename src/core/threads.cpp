// Runs a loop on several threads, and finds how many threads make sense on this machine.
#include "fineprint/core/threads.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <link.h>
#include <sched.h>
#include <unistd.h>

#include "fineprint/core/running_program.h"

#include "core/cgroup.h"

namespace fineprint {
namespace {

int affine_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  // The set is too small for machines with over 1024 CPUs.
  return static_cast<int>(std::thread::hardware_concurrency());
}

// State that the threads of one loop share.
struct Loop {
  std::size_t count;
  const std::function<void(std::size_t)>& body;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr first_error;
  std::mutex mutex;

  void run() {
    while (!failed) {
      // Each thread takes the next index when it is free, because iterations differ in length.
      const std::size_t i = next.fetch_add(1);
      if (i >= count) return;
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first_error) first_error = std::current_exception();
        failed = true;
      }
    }
  }
};

// Returns whether libgomp is loaded, and so has read its environment.
bool has_read_openmp_settings() {
  const auto is_libgomp = [](dl_phdr_info* library, std::size_t, void*) {
    return std::string_view(library->dlpi_name).find("libgomp") != std::string_view::npos ? 1 : 0;
  };
  return dl_iterate_phdr(is_libgomp, nullptr) != 0;
}

}  // namespace

int usable_cores() { return std::max(1, std::min(affine_cores(), cgroup_cores("/"))); }

void shorten_thread_waits(char** arguments) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  // The environment variable of libgomp. The check above keeps a restarted program from restarting
  // again.
  setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
  // LibTorch brings libgomp when it is opened, so it usually reads this environment only then.
  if (!has_read_openmp_settings()) return;
  std::vector<std::string> command = program_command();
  std::vector<char*> pointers;
  for (std::string& part : command) pointers.push_back(part.data());
  for (char** argument = arguments + 1; *argument != nullptr; ++argument) {
    pointers.push_back(*argument);
  }
  pointers.push_back(nullptr);
  execv(pointers.front(), pointers.data());
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  Loop loop{.count = count, .body = body, .first_error = {}, .mutex = {}};
  std::vector<std::thread> others;
  const std::size_t wanted =
      std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, threads)));
  try {
    for (std::size_t i = 1; i < wanted; ++i) others.emplace_back([&loop] { loop.run(); });
  } catch (const std::system_error&) {
    // The system allows no more threads: the started ones, and this one, do all the work.
  }
  loop.run();
  for (std::thread& other : others) other.join();
  if (loop.first_error) std::rethrow_exception(loop.first_error);
}

}  // namespace fineprint
