// Reads the pictures that flags name.
#include "cli/pictures.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/page_name.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/image/codec.h"

#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// A file whose name contains '#' is read as it is, so existing files are checked before FILE#N is
// parsed.
bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

// The error for a document is extended, because the user probably wants a page of it.
Image decode_file(const std::string& name) {
  const std::string bytes = read_file(name);
  try {
    return image::decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, name);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    throw Error(ErrorCode::unsupported, format("{}; give a page of the document, for example {}#1",
                                               std::string_view(error.what()), name));
  }
}

}  // namespace

struct PictureReader::State {
  documents::ReadOptions read;
  documents::DocumentWorkerOptions one_worker;
  // Starts its process only when a document is named.
  std::unique_ptr<documents::DocumentWorkers> workers;
};

// One worker is enough, because pictures are read one after the other.
PictureReader::PictureReader(const Settings& settings) : state_(new State) {
  state_->read = read_options(settings);
  state_->one_worker.workers = 1;
  state_->one_worker.office = office_options(settings, "");
}

PictureReader::~PictureReader() = default;

Image PictureReader::read(const std::string& name) {
  throw_if_interrupted();
  const std::optional<PageRef> page = is_file(name) ? std::nullopt : parse_page_name(name);
  if (!page) return decode_file(name);
  auto& workers = state_->workers;
  if (workers == nullptr)
    workers = std::make_unique<documents::DocumentWorkers>(state_->one_worker);
  return workers->raster(page->doc, page->page, kPageDpi, false, state_->read);
}

std::vector<Image> read_pictures(const std::vector<std::string>& names, const Settings& settings) {
  PictureReader reader(settings);
  std::vector<Image> pictures;
  for (const std::string& name : names) pictures.push_back(reader.read(name));
  return pictures;
}

}  // namespace fineprint::cli
