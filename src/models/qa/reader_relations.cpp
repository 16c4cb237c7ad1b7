// Computes the relations between the tokens of a question and a table.
#include <cstdlib>

#include "fineprint/models/reader_tokens.h"

namespace fineprint::models {
namespace {

// Where a token is: in the question, in a cell, or in neither.
struct TokenPlace {
  bool in_question = false, is_head = false;
  int row = -1, column = -1;  // -1: not in a cell
};

std::vector<TokenPlace> token_places(const ReaderTokens& tokens) {
  const auto& kinds = tokens.features[static_cast<std::size_t>(ReaderFeature::kind)];
  std::vector<TokenPlace> places(tokens.ids.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i].in_question = tokens.types[i] == 0;
  for (const ReaderTokens::Unit& unit : tokens.units) {
    for (std::size_t i = unit.first; i < unit.last; ++i) {
      places[i].row = unit.row;
      places[i].column = unit.column;
      places[i].is_head = kinds[i] == kReaderHeadOfColumns;
    }
  }
  return places;
}

ReaderRelation between_cells(const TokenPlace& from, const TokenPlace& to) {
  const int down = to.row - from.row;
  if (from.column != to.column) {
    if (down == 0) return to.column == 0 ? ReaderRelation::head_of_row : ReaderRelation::same_row;
    if (from.is_head || to.is_head || std::abs(down) > 1) return ReaderRelation::other;
    return down < 0 ? ReaderRelation::row_above : ReaderRelation::row_below;
  }
  if (down == 0) return ReaderRelation::same_cell;
  if (to.is_head) return ReaderRelation::head_of_column;
  if (from.is_head) return ReaderRelation::cell_of_column;
  if (down == -1) return ReaderRelation::cell_above;
  return down == 1 ? ReaderRelation::cell_below : ReaderRelation::same_column;
}

ReaderRelation relation(const TokenPlace& from, const TokenPlace& to, bool same_word) {
  // Within a table, rows and columns matter; between table and question, equal words.
  if (from.row >= 0 && to.row >= 0) return between_cells(from, to);
  if (from.row >= 0 && to.in_question) {
    return same_word ? ReaderRelation::question_same : ReaderRelation::question;
  }
  if (!from.in_question || to.row < 0) return ReaderRelation::other;
  if (same_word) return ReaderRelation::cell_same;
  return to.is_head ? ReaderRelation::head : ReaderRelation::cell;
}

}  // namespace

std::vector<std::uint8_t> reader_relations(const ReaderTokens& tokens) {
  if (tokens.rows_read == 0) return {};
  const std::vector<TokenPlace> places = token_places(tokens);
  std::vector<std::uint8_t> relations;
  relations.reserve(places.size() * places.size() + kReaderRelations);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      relations.push_back(static_cast<std::uint8_t>(
          relation(places[i], places[j], tokens.ids[i] == tokens.ids[j])));
    }
  }
  relations.resize(relations.size() + kReaderRelations, 0);
  return relations;
}

}  // namespace fineprint::models
