// Has document workers read pictures, and refuses what is no single picture.
#include "fineprint/session/question_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <utility>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/temporary_folder.h"
#include "fineprint/core/text.h"
#include "fineprint/image/animation.h"
#include "fineprint/session/page_images.h"
#include "fineprint/settings/sha256.h"

namespace fineprint::session {
namespace {

namespace fs = std::filesystem;

constexpr double kPointsOfInch = 72;
// For pictures without pixels of their own (SVG).
constexpr double kDrawnDpi = 144;

// Returns the format by the first bytes, or by the name if none fits; nullptr if it is unknown.
const FileFormat* picture_kind(const std::string& path, std::string_view head) {
  if (const FileFormat* format = format_of_bytes(head)) return format;
  const FileFormat* named = format_of_name(path);
  const bool has_no_signature = named != nullptr && named->signatures.empty();
  return has_no_signature ? named : nullptr;
}

// Throws Error(unsupported) unless the file is a picture that documents may be, too.
void require_picture(const std::string& path, const std::string& name) {
  const std::string head = file_head(path, kSignatureBytes);
  const FileFormat* kind = picture_kind(path, head);
  const bool is_read = kind != nullptr && kind->reader != FormatReader::none;
  if (is_read && kind->is_in("image")) return;
  if (is_read) {
    const std::string_view called = kind->name_of(head);
    throw Error(ErrorCode::unsupported,
                format("{} is a document ({}), not a picture; ask it like other "
                       "documents, or give a picture of the page that is meant "
                       "(`fineprint show DOC#PAGE --out page.png` makes one)",
                       name, called.empty() ? kind->name : called));
  }
  throw Error(ErrorCode::unsupported,
              format("{} is not a picture that can be read; give a PNG, JPEG, WebP, HEIC "
                     "or TIFF file, or another one of the kind \"image\"",
                     name));
}

std::int64_t checked_size(const std::string& path, const std::string& name) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status)) {
    throw Error(ErrorCode::unreadable, format("the picture {} does not exist", name));
  }
  if (!fs::is_regular_file(status)) {
    throw Error(ErrorCode::unreadable, format("the picture {} is not a file", name));
  }
  const auto bytes = fs::file_size(path, problem);
  if (problem) {
    throw Error(ErrorCode::unreadable,
                format("the picture {} cannot be read: {}", name, problem.message()));
  }
  if (bytes > kMostPictureBytes) {
    throw Error(ErrorCode::too_large, format("the picture {} has {} bytes; the limit is {}", name,
                                             bytes, kMostPictureBytes));
  }
  return static_cast<std::int64_t>(bytes);
}

// Returns the resolution at which the picture has its own pixels, or fewer if it has more than
// agents are shown.
double dpi_to_draw(const DocumentInfo& info, const Page& page) {
  const TierSize most = tier_size(Tier::fine);
  double dpi = kDrawnDpi;
  if (info.picture_width > 0 && page.width_pt > 0) {
    dpi = info.picture_width * kPointsOfInch / page.width_pt;
  }
  const double pixels =
      page.width_pt * page.height_pt * (dpi / kPointsOfInch) * (dpi / kPointsOfInch);
  const auto limit = static_cast<double>(most.most_pixels);
  return pixels > limit ? dpi * std::sqrt(limit / pixels) : dpi;
}

// Messages of workers name the file; people know a picture that was sent by its own name.
std::string renamed(std::string message, const std::string& path, const std::string& name) {
  for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos; at += name.size()) {
    message.replace(at, path.size(), name);
  }
  return message;
}

}  // namespace

QuestionPictureReader::QuestionPictureReader(const documents::DocumentWorkerOptions& workers,
                                             const documents::ReadOptions& read)
    : read_(read) {
  // A picture waits for nothing else, so it is read at once.
  if (read_.ocr == documents::OcrMode::later) read_.ocr = documents::OcrMode::automatic;
  documents::DocumentWorkerOptions one = workers;
  one.workers = 1;
  workers_ = std::make_unique<documents::DocumentWorkers>(one);
}

QuestionPictureReader::~QuestionPictureReader() = default;

QuestionPicture QuestionPictureReader::read(const std::string& path) { return read_as(path, path); }

QuestionPicture QuestionPictureReader::read_bytes(std::string_view bytes, const std::string& name) {
  if (bytes.size() > kMostPictureBytes) {
    throw Error(ErrorCode::too_large, format("the picture {} has {} bytes; the limit is {}", name,
                                             bytes.size(), kMostPictureBytes));
  }
  const FileFormat* format = format_of_bytes(bytes);
  const bool has_kind = format != nullptr && !format->kind().empty();
  const TemporaryFolder folder("picture", "a picture");
  const std::string path =
      fineprint::format("{}/picture.{}", folder.path(), has_kind ? format->kind() : "picture");
  write_file_atomic(path, bytes);
  try {
    return read_as(path, name);
  } catch (const Error& error) {
    throw Error(error.code(), renamed(error.what(), path, name));
  }
}

QuestionPicture QuestionPictureReader::read_as(const std::string& path, const std::string& name) {
  const std::int64_t bytes = checked_size(path, name);
  require_picture(path, name);
  if (image::is_animation(MappedFile(path).bytes())) {
    throw Error(ErrorCode::unsupported,
                format("the picture {} is an animation; save the frame that is meant as a file of "
                       "its own",
                       name));
  }
  const DocumentInfo info = workers_->info(path, read_);
  if (info.page_count != 1) {
    throw Error(ErrorCode::unsupported,
                format("the picture {} has {} pictures in one file; save the one that is meant as "
                       "a file of its own",
                       name, info.page_count));
  }
  Page page;
  workers_->read_pages(path, info, read_, [&](Page read) { page = std::move(read); });
  Image image = workers_->raster(path, 1, dpi_to_draw(info, page), false, read_);
  PictureRecord record{.name = fs::path(name).filename().string(),
                       .sha256 = settings::sha256(MappedFile(path).bytes()),
                       .bytes = bytes,
                       .width = info.picture_width > 0 ? info.picture_width : image.width,
                       .height = info.picture_height > 0 ? info.picture_height : image.height,
                       .text = std::string(trim(page_text(page)))};
  if (read_.ocr == documents::OcrMode::never) {
    record.note("its text was not read, because of --ocr never");
  }
  if (!page.problem.empty()) record.note("its text was not read: " + page.problem);
  return {.record = std::move(record), .image = std::move(image)};
}

std::vector<QuestionPicture> read_question_pictures(QuestionPictureReader& reader,
                                                    const std::vector<std::string>& paths) {
  if (paths.size() > kMostPictures) {
    throw Error(ErrorCode::usage, format("the question has {} pictures; the limit is {}",
                                         paths.size(), kMostPictures));
  }
  std::vector<QuestionPicture> pictures;
  for (const std::string& path : paths) pictures.push_back(reader.read(path));
  check_question_pictures(pictures);
  return pictures;
}

void check_question_pictures(const std::vector<QuestionPicture>& pictures) {
  if (pictures.size() > kMostPictures) {
    throw Error(ErrorCode::usage, format("the question has {} pictures; the limit is {}",
                                         pictures.size(), kMostPictures));
  }
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (pictures[i].record.sha256 != pictures[k].record.sha256) continue;
      throw Error(ErrorCode::usage,
                  format("the pictures {} and {} are the same; give each picture once",
                         pictures[k].record.name, pictures[i].record.name));
    }
  }
}

}  // namespace fineprint::session
