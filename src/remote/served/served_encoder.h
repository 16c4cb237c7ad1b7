// Calls an encoder on a server.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/remote/served_models.h"

#include "remote/served/json_calls.h"
#include "remote/served/vector_bodies.h"

namespace fineprint::remote {

class ServedVectors : public models::Encoder {
 public:
  // `at` must name a model, and `found` must be the same encoder.
  ServedVectors(ServedAddress at, ServedEncoder found, const OpenAiOptions& options,
                Waiting waiting);

  std::string name() const override { return found_.name; }
  std::string hash() const override { return found_.hash; }
  std::size_t dim() const override;
  bool many_vectors() const override { return models::gives_many_vectors(found_.kind); }
  bool sees() const override { return models::sees_pages(found_.kind); }
  // A server batches calls that come at the same time.
  int calls_at_a_time() const override { return sees() ? 4 : 1; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;

 private:
  // Appends the vectors of as many texts from the front as one call takes. Returns their number, 0
  // if the server accepts only something smaller, which the next call sends.
  std::size_t embed_some(std::span<const std::string> texts, std::vector<Matrix>* out) const;
  // Returns the vectors of one chat message.
  Matrix embed_message(const std::string& picture, const std::string& text) const;
  // Checks a reply and reads it. Counts `count` inputs as sent.
  std::vector<Matrix> read(const Json& reply, std::size_t count) const;
  void count_sent(std::size_t count, const char* what) const;
  // Returns whether the body can be written with fewer features than `taken`. Remembers them.
  bool give_up_features(const VectorHabits& taken, const std::string& refusal, bool last) const;
  VectorHabits habits() const;

  const ServedAddress at_;
  const ServedEncoder found_;
  const JsonCalls calls_;
  const PictureFormat pictures_;
  const std::shared_ptr<SentPages> sent_;
  mutable std::atomic<std::size_t> texts_a_call_;
  mutable std::mutex mutex_;  // guards the next two
  mutable VectorHabits habits_;
  mutable std::size_t dim_ = 0;  // 0: not known yet
};

}  // namespace fineprint::remote
