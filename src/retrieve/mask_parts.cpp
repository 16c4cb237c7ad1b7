// Explains what the hybrid mask does with single pages.
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/max_sim.h"

#include "retrieve/scorers.h"
#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

std::vector<double> decoded(const score::VectorRows& rows, std::size_t row) {
  std::vector<float> values(rows.dim);
  score::decode_row(rows, row, values.data());
  return {values.begin(), values.end()};
}

// `share`: the part of the page's result that this pair makes; shares are averaged over the pairs.
void add(const score::MaskedPair& pair, double share, MaskParts* parts) {
  parts->cosine += pair.cosine;
  parts->score += pair.score;
  parts->salient += pair.salient;
  parts->fine_print += pair.fine_print;
  parts->dropped += pair.dropped;
  parts->salient_share += share * pair.salient_share;
  parts->fine_print_share += share * pair.fine_print_share;
}

}  // namespace

std::optional<MaskParts> mask_parts(const PageSearch& search, PageId page) {
  const UnitId unit = as_unit(page);
  const session::VectorPart* part = search.context.session.vectors(search.set).find(unit);
  if (part == nullptr) return std::nullopt;
  const auto first_row =
      std::span<const std::uint32_t>(part->first_row).subspan(unit - part->first_unit, 2);
  const score::VectorRows rows = rows_of(part->exact ? *part->exact : part->rows, first_row);
  if (rows.count == 0) return std::nullopt;
  const Matrix query = search.context.session.embed_query(search.set, search.query.question);
  const std::vector<std::uint32_t> best = score::best_rows(query, rows);
  MaskParts parts;
  for (std::size_t q = 0; q < query.rows; ++q) {
    const std::span<const float> row = query.row(q);
    add(score::masked_pair(std::vector<double>(row.begin(), row.end()), decoded(rows, best[q]),
                           search.options.mask.options),
        1 / static_cast<double>(query.rows), &parts);
  }
  return parts;
}

}  // namespace fineprint::retrieve
