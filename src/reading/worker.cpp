// Runs a worker: reads tasks on standard input and answers on standard output, under limits.
#include "fineprint/reading/worker.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fineprint/core/format.h"
#include "fineprint/core/given_files.h"
#include "fineprint/core/running_program.h"
#include "fineprint/documents/file_state.h"
#include "fineprint/documents/protocol.h"
#include "fineprint/documents/sandbox.h"
#include "fineprint/documents/sent_files.h"
#include "fineprint/ocr/recognizer.h"

#include "reading/document_reader.h"
#include "reading/load_graphs.h"

namespace fineprint::reading {
namespace {

using documents::MessageType;
using documents::pack;
using documents::Task;

#if defined(FINEPRINT_ADDRESS_SANITIZER) || defined(FINEPRINT_THREAD_SANITIZER)
constexpr bool kAddressSpaceIsReal = false;  // the sanitizer reserves terabytes
#else
constexpr bool kAddressSpaceIsReal = true;
#endif

// Returns the memory in use, or 0 if it is unknown.
std::int64_t resident_bytes() {
  long total = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return std::int64_t{resident} * sysconf(_SC_PAGESIZE);
}

// Ends this process as soon as the other end of its input is closed, even in the middle of a long
// page. PR_SET_PDEATHSIG would not do: it fires when the thread that started the process ends,
// which is too early. If the address space cannot be limited, also watches the memory in use.
void watch_parent(int input, std::int64_t memory_bytes) {
  std::thread([input, memory_bytes] {
    while (true) {
      pollfd end{input, POLLRDHUP, 0};
      const int changed = poll(&end, 1, kAddressSpaceIsReal ? -1 : 20);
      if (changed > 0 && (end.revents & (POLLRDHUP | POLLHUP | POLLERR))) _exit(0);
      if (!kAddressSpaceIsReal && resident_bytes() > memory_bytes)
        _exit(documents::kOutOfMemoryExit);
    }
  }).detach();
}

// Sets a soft limit, which this process can raise again.
void limit(int what, rlim_t soft) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(what), &now);
  now.rlim_cur = now.rlim_max == RLIM_INFINITY ? soft : std::min(soft, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(what), &now);
}

// Sets a hard limit, which nothing in this process can raise again.
void limit_for_good(int what, rlim_t most) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(what), &now);
  now.rlim_max = std::min(most, now.rlim_max);
  now.rlim_cur = now.rlim_max;
  setrlimit(static_cast<__rlimit_resource>(what), &now);
}

bool has_limit(int what) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(what), &now);
  return now.rlim_cur != RLIM_INFINITY;
}

// Allows this many further seconds of CPU time. The kernel counts whole seconds from the start of
// the process, so the limit is moved before each page.
void allow_cpu_seconds(double seconds) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const double micros = static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  const double spent = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(spent + micros / 1e6 + seconds)));
}

// The open document: which file in which state, and how it was opened.
struct Opened {
  std::string path;
  documents::FileState state;
  Opening opening;
  bool operator==(const Opened&) const = default;
};

class Worker {
 public:
  // `unfiltered` says why the kernel refused the filter, see enter_sandbox.
  Worker(int input, int output, const std::string& unfiltered, const WorkerHooks& hooks,
         PictureReaders readers)
      : input_(input),
        output_(output),
        unfiltered_(unfiltered),
        hooks_(hooks),
        readers_(std::move(readers)) {}

  int run() {
    while (std::optional<documents::Message> message = receive()) handle(*message);
    return 0;
  }

 private:
  std::optional<documents::Message> receive() {
    while (true) {
      if (std::optional<documents::Message> message = parser_.next()) return message;
      char bytes[65536];
      const ssize_t got = documents::receive_with_files(input_, bytes, &received_);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      parser_.feed({bytes, static_cast<std::size_t>(got)});
    }
  }

  void send(MessageType type, const std::string& payload) {
    const std::string bytes = documents::frame(type, payload);
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t wrote = write(output_, bytes.data() + sent, bytes.size() - sent);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) _exit(0);  // the program is gone
      sent += static_cast<std::size_t>(wrote);
    }
  }

  void handle(const documents::Message& message) {
    if (message.type == MessageType::limits)
      return accept_limits(documents::unpack_limits(message.payload));
    if (message.type == MessageType::read_isolation) {
      return send(MessageType::isolation, pack(isolation()));
    }
    const Task task = documents::unpack_task(message.payload);
    take_files(task);
    allow_cpu_seconds(limits_.cpu_seconds);
    try {
      answer(message.type, task);
    } catch (const Error& error) {
      send(MessageType::error, pack(error));
    }
  }

  // Makes the files that came with the task readable under their paths.
  void take_files(const Task& task) {
    std::vector<GivenFile> files;
    for (std::size_t i = 0; i < std::min(task.files.size(), received_.size()); ++i) {
      files.push_back({task.files[i], received_[i]});
    }
    received_.clear();
    document_ = files.empty() ? -1 : files.front().descriptor;
    set_given_files(std::move(files));
  }

  void accept_limits(const documents::WorkerLimits& limits) {
    limits_ = limits;
    allow_cpu_seconds(limits.cpu_seconds);
    limit(RLIMIT_CORE, 0);
    if (kAddressSpaceIsReal) limit_for_good(RLIMIT_AS, static_cast<rlim_t>(limits.memory_bytes));
    watch_parent(input_, limits.memory_bytes);
  }

  documents::Isolation isolation() const {
    documents::Isolation found;
    found.time_limited = has_limit(RLIMIT_CPU);
    found.memory_limited = has_limit(RLIMIT_AS);
    found.no_network = documents::network_is_refused();
    found.no_writing = documents::writing_is_refused();
    found.no_programs = documents::programs_are_refused();
    found.no_reading = documents::reading_is_refused();
    found.unfiltered = unfiltered_;
    return found;
  }

  void answer(MessageType type, const Task& task) {
    DocumentReader& reader = open(task);
    if (type == MessageType::read_info) return send(MessageType::info, pack(reader.info()));
    if (type == MessageType::read_raster) {
      return send(MessageType::raster, pack(draw(reader, task)));
    }
    for (int page = task.first_page; page < task.first_page + task.page_count; ++page) {
      allow_cpu_seconds(limits_.cpu_seconds);
      if (hooks_.before_page) hooks_.before_page(page);
      const auto on_draft = [&](const Page& draft) {
        send(MessageType::draft, pack(draft));
        if (hooks_.before_drawing) hooks_.before_drawing(page);
      };
      send(MessageType::page, pack(reader.page(page, task.options, on_draft)));
    }
  }

  documents::PictureSize draw(DocumentReader& reader, const Task& task) {
    documents::PictureSize size;
    reader.draw(task.first_page, task.dpi, task.grey, [&](int width, int height, int channels) {
      size = {width, height, channels};
      return pictures_.open(task.place, size);
    });
    return size;
  }

  // Keeps the document of the last task open, because the next task is usually about it.
  DocumentReader& open(const Task& task) {
    Opened wanted{task.path,
                  documents::state_of(document_),
                  {.passwords = task.options.passwords, .encoding = task.options.encoding}};
    if (!reader_ || wanted != opened_) {
      // Closes the old document first, so that there are never two in memory.
      reader_.reset();
      reader_ = std::make_unique<DocumentReader>(task.path, wanted.opening, limits_, readers_);
      opened_ = std::move(wanted);
    }
    return *reader_;
  }

  int input_, output_;
  std::string unfiltered_;
  const WorkerHooks& hooks_;
  documents::WorkerLimits limits_;
  documents::FrameParser parser_;
  std::vector<int> received_;  // descriptors that came with the bytes of the next message
  int document_ = -1;          // descriptor of the task's document; -1 if it could not be opened
  documents::PictureDesk pictures_;
  PictureReaders readers_;
  std::unique_ptr<DocumentReader> reader_;
  Opened opened_;
};

// Returns the paths that are opened while documents are read: libraries, which are loaded when a
// document needs them (libheif, encodings of iconv), and the language data of OCR. All of it is
// public.
std::vector<std::string> readable_paths() {
  std::vector<std::string> paths = {"/etc/ld.so.cache", "/usr/local/lib", ocr::language_folder(),
                                    "/sys/devices/system/cpu"};
  Dl_info library{};
  if (dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &library) != 0) {
    paths.push_back(std::filesystem::path(library.dli_fname).parent_path().string());
  }
  if (!kAddressSpaceIsReal) paths.push_back("/proc/self");  // the sanitizers look at themselves
  return paths;
}

}  // namespace

int run_worker(const WorkerHooks& hooks, const documents::WorkerStart& start) {
  take_program_name();
  // Ctrl-C reaches the whole process group; the program decides what it means
  std::signal(SIGINT, SIG_IGN);
  // Moves the output away from standard output, so that libraries that print do not write into the
  // answers.
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return documents::kBadMessageExit;
  std::unique_ptr<ocr::Engine> engine;
  std::unique_ptr<const LayoutModel> layout;
  int failed = documents::kNoEngineExit;
  try {
    const documents::WorkerModels& models = start.models;
    if (!models.ocr_engine.empty()) engine = load_engine(models.ocr_engine, start.open_graph);
    failed = documents::kNoLayoutModelExit;
    if (!models.layout_model.empty()) {
      layout = load_layout_model(models.layout_model, start.open_graph);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "document worker: %s\n", error.what());
    return failed;
  }
  PictureReaders readers{RecognizerCache(std::move(engine)), std::move(layout)};
  try {
    if (!documents::confine_reading(readable_paths())) {
      std::fputs("document worker: no Landlock: it can read files\n", stderr);
    }
    const std::string unfiltered = documents::enter_sandbox();
    if (!unfiltered.empty()) {  // visible at log level debug, see WorkerProcess
      std::fprintf(stderr, "document worker: no seccomp filter: %s\n", unfiltered.c_str());
    }
    Worker worker(STDIN_FILENO, output, unfiltered, hooks, std::move(readers));
    return worker.run();
    // Destructors are skipped, because they may need memory, too.
  } catch (const std::bad_alloc&) {
    _exit(documents::kOutOfMemoryExit);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "document worker: %s\n", error.what());
    _exit(documents::kBadMessageExit);
  }
}

}  // namespace fineprint::reading
