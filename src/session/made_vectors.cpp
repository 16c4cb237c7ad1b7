// Makes vectors of chunks that a store lacks when a question needs them.
#include "fineprint/session/made_vectors.h"

#include <string>
#include <utility>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::session {

// Encodes all unknown chunks in one call, because encoders are faster with many texts at once.
Matrix MadeVectors::of(const models::Encoder& encoder, std::span<const ChunkId> chunks) {
  const std::lock_guard lock(mutex_);
  std::vector<ChunkId> unknown;
  for (const ChunkId chunk : chunks) {
    if (!vector_of_.contains(chunk)) unknown.push_back(chunk);
  }
  if (!unknown.empty()) embed(encoder, unknown);
  Matrix out{chunks.size(), encoder.dim(), {}};
  for (const ChunkId chunk : chunks) {
    const std::vector<float>& vector = vector_of_.at(chunk);
    out.values.insert(out.values.end(), vector.begin(), vector.end());
  }
  return out;
}

// Encodes the same text as indexing does, so that the vectors can be written to the store.
void MadeVectors::embed(const models::Encoder& encoder, std::span<const ChunkId> chunks) {
  std::vector<std::string> texts;
  for (const ChunkId chunk : chunks) texts.push_back(embedded_text(corpus_.chunk(chunk)));
  std::vector<Matrix> vectors = encoder.embed_texts(texts, models::TextRole::passage);
  bool fits = vectors.size() == chunks.size();
  for (const Matrix& one : vectors) fits = fits && one.rows == 1 && one.cols == encoder.dim();
  if (!fits) {
    throw Error(ErrorCode::model,
                format("the model {} did not return one vector of {} values for each of {} texts",
                       encoder.name(), encoder.dim(), texts.size()));
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    vector_of_[chunks[i]] = std::move(vectors[i].values);
  }
}

std::vector<store::NewVectors> MadeVectors::parts() const {
  const std::lock_guard lock(mutex_);
  const ChunkTable& table = corpus_.chunks();
  std::vector<store::NewVectors> out;
  // The map is ordered by chunk id, so neighbouring chunks follow each other.
  for (const auto& [chunk, vector] : vector_of_) {
    const DocumentId document = corpus_.document_of(table.page_of(chunk));
    const std::int64_t id = corpus_.documents()[document.value].row.id;
    const std::uint32_t unit = chunk - table.begin_of(document);
    const bool continues = !out.empty() && out.back().document == id &&
                           out.back().first_unit + out.back().units == unit;
    if (!continues) out.push_back({id, unit, 0, {}, {}});
    store::NewVectors& part = out.back();
    ++part.units;
    ++part.rows.rows;
    part.rows.cols = vector.size();
    part.rows.values.insert(part.rows.values.end(), vector.begin(), vector.end());
  }
  return out;
}

}  // namespace fineprint::session
