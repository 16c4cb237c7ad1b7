// A folder to index, a store, and runs from the one into the other.
#include "ingest_fixture.h"

namespace fineprint::ingest::testing {

namespace fs = std::filesystem;

namespace {

std::vector<float> rows_of(const score::VectorRows& rows, std::uint32_t begin, std::uint32_t end) {
  std::vector<float> out((end - begin) * rows.dim);
  for (std::uint32_t r = begin; r < end; ++r) {
    score::decode_row(rows, r, out.data() + (r - begin) * rows.dim);
  }
  return out;
}

}  // namespace

IngestTest::IngestTest() {
  options_.read.ocr = documents::OcrMode::never;
  options_.document_workers.workers = 2;
  fs::create_directories(dir_.file("in/sub"));
}

void IngestTest::add(const std::string& source, const std::string& name) {
  fs::create_directories(fs::path(dir_.file("in/" + name)).parent_path());
  fs::copy(FINEPRINT_TEST_DATA "/" + source, dir_.file("in/" + name),
           fs::copy_options::overwrite_existing | fs::copy_options::recursive);
}

IngestReport IngestTest::run(const std::vector<std::string>& paths) {
  store::Store store(dir_.file("s"), store::Mode::write);
  const IngestReport report = ingest_with(paths, options_, fake_encoders(counts_, moved_), store);
  EXPECT_EQ(report.indexed + report.unchanged + report.failed, report.files);
  EXPECT_EQ(store.verify(), std::vector<std::string>());
  return report;
}

IngestReport IngestTest::run_without_workers() {
  options_.document_workers.program = "/bin/false";
  const IngestReport report = run();
  options_.document_workers.program.clear();
  return report;
}

std::string IngestTest::failure(ErrorCode code) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

std::vector<std::string> IngestTest::names() const {
  std::vector<std::string> out;
  for (const auto& row : reader().documents()) out.push_back(row.doc);
  return out;
}

IngestTest::Vectors IngestTest::vectors(const std::string& set, bool exact) const {
  const store::Store store(dir_.file("s"), store::Mode::read);
  std::map<std::int64_t, std::string> name_of;
  for (const auto& row : store.documents()) name_of[row.id] = row.doc;
  Vectors out;
  for (const store::VectorBlock& block : store.vectors(set)) {
    for (std::uint32_t i = 0; i < block.units; ++i) {
      out[{name_of.at(block.document), block.first_unit + i}] = rows_of(
          exact ? block.exact.value() : block.rows, block.first_row[i], block.first_row[i + 1]);
    }
  }
  return out;
}

std::vector<std::string> IngestTest::sets() const {
  std::vector<std::string> out;
  for (const auto& set : reader().vector_sets()) out.push_back(set.name);
  return out;
}

}  // namespace fineprint::ingest::testing
