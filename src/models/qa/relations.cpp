// Computes the relations between the tokens of a question and a table.
#include <cstdlib>

#include "fineprint/models/qa_tokens.h"

namespace fineprint::models {
namespace {

// Where a token is: in the question, in a cell, or in neither.
struct TokenPlace {
  bool in_question = false, is_head = false;
  int row = -1, column = -1;  // -1: not in a cell
};

std::vector<TokenPlace> token_places(const QaTokens& tokens) {
  const auto& kinds = tokens.features[static_cast<std::size_t>(QaFeature::kind)];
  std::vector<TokenPlace> places(tokens.ids.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i].in_question = tokens.types[i] == 0;
  for (const QaTokens::Unit& unit : tokens.units) {
    for (std::size_t i = unit.first; i < unit.last; ++i) {
      places[i].row = unit.row;
      places[i].column = unit.column;
      places[i].is_head = kinds[i] == kQaHeadOfColumns;
    }
  }
  return places;
}

QaRelation between_cells(const TokenPlace& from, const TokenPlace& to) {
  const int down = to.row - from.row;
  if (from.column != to.column) {
    if (down == 0) return to.column == 0 ? QaRelation::head_of_row : QaRelation::same_row;
    if (from.is_head || to.is_head || std::abs(down) > 1) return QaRelation::other;
    return down < 0 ? QaRelation::row_above : QaRelation::row_below;
  }
  if (down == 0) return QaRelation::same_cell;
  if (to.is_head) return QaRelation::head_of_column;
  if (from.is_head) return QaRelation::cell_of_column;
  if (down == -1) return QaRelation::cell_above;
  return down == 1 ? QaRelation::cell_below : QaRelation::same_column;
}

QaRelation relation(const TokenPlace& from, const TokenPlace& to, bool same_word) {
  // Within a table, rows and columns matter; between table and question, equal words.
  if (from.row >= 0 && to.row >= 0) return between_cells(from, to);
  if (from.row >= 0 && to.in_question) {
    return same_word ? QaRelation::question_same : QaRelation::question;
  }
  if (!from.in_question || to.row < 0) return QaRelation::other;
  if (same_word) return QaRelation::cell_same;
  return to.is_head ? QaRelation::head : QaRelation::cell;
}

}  // namespace

std::vector<std::uint8_t> qa_relations(const QaTokens& tokens) {
  if (tokens.rows_read == 0) return {};
  const std::vector<TokenPlace> places = token_places(tokens);
  std::vector<std::uint8_t> relations;
  relations.reserve(places.size() * places.size() + kQaRelations);
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      relations.push_back(static_cast<std::uint8_t>(
          relation(places[i], places[j], tokens.ids[i] == tokens.ids[j])));
    }
  }
  relations.resize(relations.size() + kQaRelations, 0);
  return relations;
}

}  // namespace fineprint::models
