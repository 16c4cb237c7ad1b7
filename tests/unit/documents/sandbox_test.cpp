// A worker that turns against its machine is refused, and still reads.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/documents/document_workers.h"

#include "support/docs.h"
#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

using fineprint::testing::docs;
using fineprint::testing::TempDir;

DocumentWorkerOptions one_worker() {
  DocumentWorkerOptions options;
  options.workers = 1;
  return options;
}

bool has_filter() {
  const Isolation found = DocumentWorkers(one_worker()).isolation();
  return found.unfiltered.empty() && found.no_reading;
}

// NAME -> how it went, see try_everything.
std::map<std::string, std::string> parse_report(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::map<std::string, std::string> report;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    report[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return report;
}

// Reads `document` with workers that try everything before its first page.
class Attack {
 public:
  explicit Attack(const std::string& document) {
    dir_.write("victim", "unharmed");
    std::filesystem::create_directory(dir_.file("inner"));
    setenv("FINEPRINT_TEST_FAULT", ("attack 1 " + report_.file("report")).c_str(), 1);
    setenv("FINEPRINT_TEST_FOLDER", dir_.path().c_str(), 1);
    DocumentWorkers workers(one_worker());
    const DocumentInfo info = workers.info(document, {});
    workers.read_pages(document, info, {}, [this](Page page) { pages.push_back(std::move(page)); });
    unsetenv("FINEPRINT_TEST_FAULT");
    unsetenv("FINEPRINT_TEST_FOLDER");
    report = parse_report(report_.file("report"));
  }

  std::vector<Page> pages;
  std::map<std::string, std::string> report;
  const TempDir& folder() const { return dir_; }

 private:
  TempDir dir_, report_;
};

TEST(Sandbox, RefusesWhatNoDocumentNeeds) {
  if (!has_filter()) GTEST_SKIP() << "this kernel takes no filter or has no Landlock";
  const Attack attack(docs("harbor-annual-report.pdf"));
  EXPECT_GT(attack.report.size(), 50U);
  for (const auto& [name, outcome] : attack.report) {
    const bool needed = name == "thread" || name == "languages" || name == "own signal";
    EXPECT_EQ(outcome, needed ? "done" : "refused") << name;
  }
  EXPECT_EQ(read_file(attack.folder().file("victim")), "unharmed");
  EXPECT_TRUE(std::filesystem::exists(attack.folder().file("inner")));
  EXPECT_FALSE(std::filesystem::exists(attack.folder().file("made")));
}

TEST(Sandbox, LeavesEncodingsAsTheyWere) {
  TempDir dir;
  // "Käse" in ISO 8859-15, which the C library loads a module for
  dir.write(
      "letter.eml",
      "Subject: Order\nContent-Type: text/plain; charset=iso-8859-15\n\nK\xe4se for \xa4 5\n");
  DocumentWorkers workers(one_worker());
  const DocumentInfo info = workers.info(dir.file("letter.eml"), {});
  std::string text;
  workers.read_pages(dir.file("letter.eml"), info, {}, [&](const Page& page) {
    for (const Word& word : page.words) text += word.text + ' ';
  });
  EXPECT_NE(text.find("Käse for € 5"), std::string::npos) << text;
}

TEST(Sandbox, LeavesReadingAsItWas) {
  const Attack attack(docs("harbor-annual-report.pdf"));
  ASSERT_EQ(attack.pages.size(), 11U);
  for (const Page& page : attack.pages) {
    EXPECT_EQ(page.problem, "");
    EXPECT_FALSE(page.words.empty());
  }
}

TEST(Sandbox, LeavesOcrAsItWas) {
  const Attack attack(docs("scanned-letter.pdf"));
  ASSERT_EQ(attack.pages.size(), 2U);
  EXPECT_EQ(attack.pages[0].source, TextSource::ocr);
  EXPECT_GT(attack.pages[0].words.size(), 50U);
}

TEST(Sandbox, EveryFormatIsReadInIt) {
  if (!has_filter()) GTEST_SKIP() << "this kernel takes no filter or has no Landlock";
  DocumentWorkers workers(one_worker());
  for (const FoundFile& file : find_documents({docs("")}).files) {
    const DocumentInfo info = workers.info(file.path, {});
    std::size_t words = 0;
    workers.read_pages(file.path, info, {}, [&](const Page& page) {
      EXPECT_EQ(page.problem, "") << file.relative << " page " << page.number;
      words += page.words.size();
    });
    EXPECT_GT(words, 10U) << file.relative;
  }
}

TEST(Sandbox, IsolationIsFoundByTrying) {
  const Isolation found = DocumentWorkers(one_worker()).isolation();
  EXPECT_TRUE(found.time_limited);
#if !defined(FINEPRINT_ADDRESS_SANITIZER)
  EXPECT_TRUE(found.memory_limited);
#endif
  const bool filtered = found.unfiltered.empty();
  EXPECT_EQ(found.no_network, filtered);
  EXPECT_EQ(found.no_writing, filtered);
  EXPECT_EQ(found.no_programs, filtered);
  EXPECT_EQ(found.no_reading, filtered);
}

}  // namespace
}  // namespace fineprint::documents
