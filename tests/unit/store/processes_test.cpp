// Killed writers, readers in other processes, folders that cannot be written.
#include "processes.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "sample.h"
#include "store/sqlite.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using testing::difference;
using testing::put_with_vectors;
using testing::sample_document;
using testing::start;

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

std::int64_t files_under(const std::string& dir) {
  std::int64_t count = 0;
  std::error_code missing;
  for (std::filesystem::recursive_directory_iterator at(dir, missing), end; at != end;
       at.increment(missing)) {
    count += at->is_regular_file() ? 1 : 0;
  }
  return count;
}

void expect_whole(const std::string& dir) {
  Store store(dir, Mode::write);
  EXPECT_EQ(store.verify(), std::vector<std::string>());
  for (const DocumentRow& row : store.documents()) {
    const auto slot = std::stoi(row.doc.substr(1));
    const auto put = sample_document(row.doc, static_cast<unsigned>(row.stamp.size - 1000),
                                     {.pages = 1 + slot % 4});
    EXPECT_EQ(difference(store, put), "") << row.doc;
  }
  store.compact();
  EXPECT_EQ(store.verify(), std::vector<std::string>());
  EXPECT_EQ(
      files_under(dir + "/vectors"),
      Database(dir + "/catalog.sqlite", OpenAs::reader).integer("SELECT COUNT(*) FROM segments"));
}

// Kills a writer some time after it has put so many documents, however slow the disk is.
void kill_writer(const std::string& dir, unsigned puts, std::chrono::milliseconds later) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = start("put-loop", dir, ends[1]);
  close(ends[1]);
  char put = 0;
  for (unsigned i = 0; i < puts && read(ends[0], &put, 1) == 1; ++i) {
  }
  std::this_thread::sleep_for(later);
  kill(child, SIGKILL);
  const int status = status_of(child);
  close(ends[0]);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
}

TEST(KilledWriter, LeavesAStoreThatIsWhole) {
  const TempDir dir;
  std::mt19937 random(std::random_device{}());
  for (unsigned round = 0; round < 30; ++round) {
    kill_writer(dir.file("s"), round % 10, std::chrono::milliseconds(random() % 40));
    if (HasFatalFailure()) return;
    expect_whole(dir.file("s"));
  }
  EXPECT_GT(Store(dir.file("s"), Mode::read).totals().documents, 3);
}

TEST(Readers, ReadWhileAWriterCommits) {
  const TempDir dir;
  Store writer(dir.file("s"), Mode::write);
  std::vector<pid_t> readers;
  for (int i = 0; i < 4; ++i) readers.push_back(start("read-loop", dir.file("s")));
  for (unsigned i = 0; i < testing::kLastRead; ++i) {
    put_with_vectors(writer, sample_document("d" + std::to_string(i), i));
    put_with_vectors(writer, sample_document("d" + std::to_string(i / 2), 500 + i));
    if (i % 6 == 5) writer.compact();
  }
  for (const pid_t reader : readers) {
    const int status = status_of(reader);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

// Reads the store as a user who may not write to its folder; the exit code says how it went.
int read_without_rights(const std::string& dir) {
  const pid_t child = fork();
  if (child != 0) return WEXITSTATUS(status_of(child));
  if (geteuid() == 0 && setuid(65'534) != 0) _exit(10);
  if (access(dir.c_str(), W_OK) == 0) _exit(11);
  try {
    const Store store(dir, Mode::read);
    _exit(difference(store, sample_document("a.pdf", 1)).empty() ? 0 : 12);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(13);
  }
}

void set_rights(const std::string& dir, std::filesystem::perms folder) {
  std::filesystem::permissions(std::filesystem::path(dir).parent_path(),
                               std::filesystem::perms(0755));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir)) {
    std::filesystem::permissions(entry.path(),
                                 std::filesystem::perms(entry.is_directory() ? 0755 : 0444));
  }
  std::filesystem::permissions(dir, folder);
}

TEST(Readers, ReadAFolderThatCannotBeWritten) {
  const TempDir dir;
  {
    Store store(dir.file("s"), Mode::write);
    put_with_vectors(store, sample_document("a.pdf", 1));
  }
  set_rights(dir.file("s"), std::filesystem::perms(0555));
  EXPECT_EQ(read_without_rights(dir.file("s")), 0);
  set_rights(dir.file("s"), std::filesystem::perms(0755));
}

}  // namespace
}  // namespace fineprint::store
