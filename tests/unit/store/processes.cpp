// Child processes: one that writes for ever, one that reads while another writes.
#include "processes.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>
#include <spawn.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/running_program.h"

#include "sample.h"

namespace fineprint::store::testing {

pid_t start(const char* role, const std::string& dir, int output) {
  std::string program = program_path(), name = role, folder = dir;
  char* arguments[] = {program.data(), name.data(), folder.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

int put_loop(const std::string& dir) {
  Store store(dir, Mode::write);
  for (unsigned round = 0;; ++round) {
    const unsigned slot = round % 25;
    const std::string name = "d" + std::to_string(slot);
    const auto known = store.find(name);
    const unsigned seed = known ? static_cast<unsigned>(known->stamp.size) + 1 : 1;
    // The sample's stamp is 1000 + seed: the next seed follows from what is stored.
    put_with_vectors(store,
                     sample_document(name, known ? seed - 1000 : 1, {.pages = 1 + int(slot % 4)}));
    if (write(STDOUT_FILENO, ".", 1) != 1) return 1;
    if (round % 7 == 6) store.remove("d" + std::to_string((slot + 3) % 25));
    if (round % 5 == 4) store.compact();
  }
}

int read_loop(const std::string& dir) {
  try {
    for (std::size_t seen = 0; seen < kLastRead;) {
      const Store store(dir, Mode::read);
      const auto documents = store.documents();
      if (documents.size() < seen) return 3;
      seen = documents.size();
      for (const DocumentRow& row : documents) {
        const auto seed = static_cast<unsigned>(row.stamp.size - 1000);
        const std::string wrong = difference(store, sample_document(row.doc, seed));
        if (!wrong.empty()) {
          std::fprintf(stderr, "%s: %s\n", row.doc.c_str(), wrong.c_str());
          return 4;
        }
      }
    }
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 5;
  }
}

int states_loop(const std::string& dir) {
  PrefixFolder folder(dir, {.model = "loop", .limit_bytes = 4'000'000});
  std::mt19937 random(std::random_device{}());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (std::chrono::steady_clock::now() < end) {
    const std::string key = std::to_string(10 + random() % 80);
    const auto found = folder.find(key);
    if (!found) {
      put_sample_state(folder, key, 100'000);
    } else if (std::string(found->bytes.begin(), found->bytes.end()) !=
               sample_state(key, 100'000)) {
      return 4;
    }
  }
  return 0;
}

}  // namespace fineprint::store::testing
