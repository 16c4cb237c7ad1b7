// Reads the pictures that a question carries.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/question_picture.h"
#include "fineprint/documents/document_workers.h"

namespace fineprint::session {

// The largest file of a picture, in bytes, and the most pictures of one question.
inline constexpr std::size_t kMostPictureBytes = 50'000'000;
inline constexpr std::size_t kMostPictures = 8;

// Reads pictures in a document worker, as documents are read: the program itself decodes nothing.
// The worker starts with the first picture. Safe from several threads.
class QuestionPictureReader {
 public:
  // `read` says by which OCR engine and in which languages the text of pictures is read;
  // OcrMode::never reads none.
  QuestionPictureReader(const documents::DocumentWorkerOptions& workers,
                        const documents::ReadOptions& read);
  ~QuestionPictureReader();

  // Reads a file of any of the picture formats that documents may have (`documents::is_of_kind`
  // "image"). A photograph that lies on its side, by its EXIF data, is turned. Throws Error naming
  // the file: `unreadable` if there is none; `unsupported` if it is no picture, or an animation or
  // a file of several pictures; `too_large` for too many bytes or pixels; `damaged`.
  QuestionPicture read(const std::string& path);
  // The same for bytes that a client sent under this name.
  QuestionPicture read_bytes(std::string_view bytes, const std::string& name);

 private:
  QuestionPicture read_as(const std::string& path, const std::string& name);

  documents::ReadOptions read_;
  std::unique_ptr<documents::DocumentWorkers> workers_;
};

// Reads all pictures of a question. Throws Error(usage) if there are more than kMostPictures, or if
// two are the same, and the errors of QuestionPictureReader::read.
std::vector<QuestionPicture> read_question_pictures(QuestionPictureReader& reader,
                                                    const std::vector<std::string>& paths);
// Throws Error(usage) as read_question_pictures() does.
void check_question_pictures(const std::vector<QuestionPicture>& pictures);

}  // namespace fineprint::session
