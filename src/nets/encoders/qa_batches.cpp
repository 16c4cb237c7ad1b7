// Runs the QA model's network over passages in batches.
#include "nets/encoders/qa_batches.h"

#include <cmath>

#include "fineprint/core/threads.h"

#include "nets/encoders/batches.h"
#include "nets/encoders/passage_reading.h"

namespace fineprint::nets {

std::vector<models::PassageReading> read_in_batches(
    const models::QaLayout& layout, const std::string& question,
    std::span<const models::QaPassage> passages, const QaBatching& batching,
    const std::function<QaOutputs(std::span<const models::QaTokens>)>& forward) {
  std::vector<models::QaTokens> sequences(passages.size());
  // Tokenising a few passages takes less time than starting threads.
  parallel_for(passages.size(), passages.size() < 8 ? 1 : batching.layout_threads,
               [&](std::size_t i) { sequences[i] = layout.lay_out(question, passages[i]); });
  std::vector<std::size_t> lengths;
  for (const models::QaTokens& sequence : sequences) lengths.push_back(sequence.ids.size());
  const auto batches = make_batches(lengths, batching.tokens, batching.side_by_side);
  std::vector<models::PassageReading> readings(passages.size());
  parallel_for(batches.size(), batching.side_by_side, [&](std::size_t b) {
    std::vector<models::QaTokens> batch;
    for (const std::size_t i : batches[b]) batch.push_back(sequences[i]);
    const QaOutputs outputs = forward(batch);
    const float* passage = outputs.passages.data();
    const float* token = outputs.tokens.data();
    for (std::size_t n = 0; n < batch.size(); ++n) {
      readings[batches[b][n]] = passage_reading(batch[n], passage, token);
      passage += models::kQaPassageNumbers;
      token += batch[n].ids.size() * models::kQaTokenNumbers;
    }
  });
  return readings;
}

std::vector<double> relevances(const models::QaModel& model, const std::string& question,
                               std::span<const std::string> passages) {
  std::vector<models::QaPassage> texts(passages.size());
  for (std::size_t i = 0; i < passages.size(); ++i) texts[i].text = passages[i];
  std::vector<double> scores;
  for (const models::PassageReading& reading : model.read(question, texts)) {
    scores.push_back(1 / (1 + std::exp(-reading.relevance)));
  }
  return scores;
}

}  // namespace fineprint::nets
