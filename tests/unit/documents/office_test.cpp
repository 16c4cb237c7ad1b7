// Office files through a stand-in for LibreOffice: a script, which does what a test wants it to do.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/hash.h"
#include "fineprint/documents/document_workers.h"

#include "support/docs.h"
#include "support/small_pictures.h"
#include "support/stored_zip.h"
#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;
using fineprint::testing::docs;
using fineprint::testing::TempDir;

const std::string kReport = docs("harbor-annual-report.pdf");
const std::string kMakesTheReport = "cp " + kReport + " \"$HOME/out/document.pdf\"\n";

class Office : public ::testing::Test {
 protected:
  DocumentWorkerOptions options(const std::string& script) {
    DocumentWorkerOptions options;
    options.workers = 1;
    if (!script.empty()) {
      options.office.program = dir_.write("soffice", "#!/bin/sh\n" + script);
      chmod(options.office.program.c_str(), 0755);
    }
    options.office.folder = dir_.file("pdfs");
    options.limits.wall_seconds = 20;
    return options;
  }

  // What LibreOffice would make of it is up to the script.
  std::string letter(const std::string& name = "letter.docx", const std::string& more = "") {
    return dir_.write(name, "PK\3\4 and so on" + more);
  }

  static Error failure(DocumentWorkers& workers, const std::string& path,
                       const ReadOptions& how = {}) {
    try {
      workers.info(path, how);
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorCode::internal, "it did not fail");
  }

  std::size_t files_kept() const {
    std::size_t count = 0;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(dir_.file("pdfs"), none)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  TempDir dir_;
};

TEST_F(Office, ReadsThePdfThatIsMade) {
  DocumentWorkers workers(options(kMakesTheReport));
  const std::string path = letter();
  const DocumentInfo info = workers.info(path, {});
  EXPECT_EQ(info.page_count, workers.info(kReport, {}).page_count);
  EXPECT_FALSE(info.reflowable);
  std::size_t pages = 0, words = 0;
  workers.read_pages(path, info, {}, [&](const Page& page) {
    ++pages;
    words += page.words.size();
  });
  EXPECT_EQ(pages, static_cast<std::size_t>(info.page_count));
  EXPECT_GT(words, 100U);
  EXPECT_EQ(workers.raster(path, 1, 50, true, {}).pixels,
            workers.raster(kReport, 1, 50, true, {}).pixels);
}

TEST_F(Office, KeepsThePdfForRunsWithoutLibreOffice) {
  const std::string path = letter();
  DocumentWorkers(options(kMakesTheReport)).info(path, {});
  EXPECT_EQ(files_kept(), 1U);
  DocumentWorkers workers(options(""));
  EXPECT_FALSE(workers.info(path, {}).reflowable);
  EXPECT_FALSE(workers.raster(path, 1, 50, true, {}).pixels.empty());
  letter("letter.docx", " and more");  // another content has none
  EXPECT_THROW(workers.raster(path, 1, 50, true, {}), Error);
}

TEST_F(Office, MakesADamagedPdfAnew) {
  const std::string path = letter();
  const KeptPdfs kept(dir_.file("pdfs"));
  DocumentWorkers(options(kMakesTheReport)).info(path, {});
  const std::string pdf = kept.find(file_hash(path));
  ASSERT_FALSE(pdf.empty());
  EXPECT_TRUE(kept.check().empty());
  std::string bytes = read_file(pdf);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(pdf, std::ios::binary) << bytes;
  EXPECT_EQ(kept.check().size(), 1U);
  EXPECT_FALSE(DocumentWorkers(options(kMakesTheReport)).info(path, {}).reflowable);
  EXPECT_TRUE(kept.check().empty());
}

TEST_F(Office, PrunesWhatNoDocumentWasMadeOf) {
  const std::string one = letter("one.odt", "1");
  const std::string two = letter("two.odt", "2");
  DocumentWorkers workers(options(kMakesTheReport));
  workers.info(one, {});
  workers.info(two, {});
  EXPECT_EQ(files_kept(), 2U);
  const KeptPdfs kept(dir_.file("pdfs"));
  EXPECT_EQ(kept.prune({file_hash(one), "an hash of a document without PDF"}), 1);
  EXPECT_NE(kept.find(file_hash(one)), "");
  EXPECT_EQ(kept.find(file_hash(two)), "");
  EXPECT_EQ(KeptPdfs(dir_.file("nowhere")).prune({}), 0);
}

TEST_F(Office, SaysWhyThereIsNoPdf) {
  const std::string path = letter("letter.odt");
  struct Case {
    std::string script;
    ErrorCode code;
  };
  for (const Case& one :
       {Case{"exit 0", ErrorCode::damaged},
        Case{": > \"$HOME/out/document.pdf\"", ErrorCode::damaged},
        Case{"exit 1", ErrorCode::damaged}, Case{"kill -SEGV $$; exit 139", ErrorCode::crashed},
        Case{kMakesTheReport + "exit 134", ErrorCode::crashed}}) {
    DocumentWorkers workers(options(one.script));
    const Error error = failure(workers, path);
    EXPECT_EQ(code_name(error.code()), code_name(one.code)) << one.script << ": " << error.what();
    EXPECT_NE(std::string(error.what()).find("letter.odt"), std::string::npos);
    EXPECT_EQ(files_kept(), 0U);
  }
}

TEST_F(Office, WithoutLibreOfficeNamesIt) {
  DocumentWorkers workers(options(""));
  const Error error = failure(workers, letter("letter.odt"));
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_NE(std::string(error.what()).find("LibreOffice"), std::string::npos);
}

TEST_F(Office, DoesNotTakeThePicturesInItForItsText) {
  const std::string path = dir_.write(
      "letter.odt", fineprint::testing::stored_zip(
                        {{"Thumbnails/thumbnail.png", fineprint::testing::quarters_png(32, 16)},
                         {"mimetype", "application/vnd.oasis.opendocument.text"},
                         {"content.xml", "<nothing/>"}}));
  for (const char* script : {"", "exit 0"}) {
    DocumentWorkers workers(options(script));
    const Error error = failure(workers, path);
    EXPECT_NE(std::string(error.what()).find("LibreOffice"), std::string::npos) << error.what();
  }
}

TEST_F(Office, EndsAConversionThatHangsWithAllThatItStarted) {
  DocumentWorkerOptions slow =
      options("sleep 60 &\necho $! > \"$HOME/../../child\"\nsleep 60 & wait\n");
  slow.limits.wall_seconds = 1;
  DocumentWorkers workers(slow);
  const Error error = failure(workers, letter("letter.odt"));
  EXPECT_EQ(error.code(), ErrorCode::timed_out);
  EXPECT_FALSE(fs::exists(dir_.file("child"))) << "it wrote outside its folder";
}

TEST_F(Office, LimitsCpuTime) {
  DocumentWorkerOptions busy = options("while :; do :; done\n");
  busy.limits.cpu_seconds = 1;
  DocumentWorkers workers(busy);
  const Error error = failure(workers, letter("letter.odt"));
  EXPECT_EQ(error.code(), ErrorCode::timed_out);
  EXPECT_NE(std::string(error.what()).find("CPU"), std::string::npos) << error.what();
}

TEST_F(Office, CannotWriteElsewhereOrReachTheNetwork) {
  dir_.write("mine", "untouched");
  // Each success would make the conversion fail: it exits before the PDF is made.
  const std::string script =
      "echo x > " + dir_.file("made") + " && exit 3\n" + "echo x > " + dir_.file("mine") +
      " && exit 4\n" + "rm " + dir_.file("mine") + " && exit 5\n" +
      "python3 -c 'import socket; socket.socket(socket.AF_INET)' && exit 6\n" +
      "setsid true && exit 7\n" + "perl -e 'exit(truncate($ARGV[0], 0) ? 0 : 1)' " +
      dir_.file("mine") + " && exit 8\n" +
      "perl -MFcntl -e 'exit(sysopen(F, $ARGV[0], O_RDONLY | O_TRUNC) ? 0 : 1)' " +
      dir_.file("mine") + " && exit 9\n" + kMakesTheReport;
  DocumentWorkers workers(options(script));
  EXPECT_FALSE(workers.info(letter(), {}).reflowable);
  EXPECT_FALSE(fs::exists(dir_.file("made")));
  EXPECT_EQ(read_file(dir_.file("mine")), "untouched");
}

TEST_F(Office, LeavesNothingBehind) {
  DocumentWorkerOptions passing = options(kMakesTheReport);
  passing.office.folder.clear();
  ::setenv("TMPDIR", dir_.path().c_str(), 1);
  {
    DocumentWorkers workers(passing);
    EXPECT_FALSE(workers.info(letter(), {}).reflowable);
  }
  ::unsetenv("TMPDIR");
  for (const auto& entry : fs::directory_iterator(dir_.path())) {
    EXPECT_FALSE(entry.is_directory()) << entry.path();
  }
  DocumentWorkers keeping(options(kMakesTheReport));
  keeping.info(letter(), {});
  for (const auto& entry : fs::directory_iterator(dir_.file("pdfs"))) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
  }
}

TEST_F(Office, IsToldByNameAndFirstBytes) {
  EXPECT_TRUE(is_office_file(dir_.write("a.DOCX", "PK\3\4")));
  EXPECT_TRUE(is_office_file(dir_.write("a.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 ...")));
  EXPECT_TRUE(is_office_file(dir_.write("a.rtf", "{\\rtf1}")));
  EXPECT_FALSE(is_office_file(dir_.write("b.docx", "%PDF-1.7")));
  EXPECT_FALSE(is_office_file(dir_.write("b.odt", "")));
  EXPECT_FALSE(is_office_file(dir_.write("b.zip", "PK\3\4")));
  EXPECT_FALSE(is_office_file(dir_.file("not-there.docx")));
  EXPECT_TRUE(has_office_name("/a.b/c.XlsX"));
  EXPECT_FALSE(has_office_name("/a.odt/c"));
}

TEST_F(Office, IsFoundInTheSearchPath) {
  fs::create_directories(dir_.file("bin"));
  const std::string program = dir_.write("bin/soffice", "#!/bin/sh\n");
  const std::string path = dir_.file("nowhere") + "::" + dir_.file("bin");
  EXPECT_NE(find_office_program(path), program) << "it cannot be run";
  chmod(program.c_str(), 0755);
  EXPECT_EQ(find_office_program(path), fs::canonical(program).string());
}

}  // namespace
}  // namespace fineprint::documents
