// Combines the states of all kinds of layers into the state of one sequence.
#include "nets/decoder/state.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

// No span of bytes is that long, so every check of a size fails.
constexpr std::size_t kAbsurd = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t kMostTokens = std::int64_t{1} << 24;  // more than any model's positions

}  // namespace

// Saved states come from files, so damage is an input error and no bug.
void refuse_saved(const char* why) {
  throw Error(ErrorCode::input, std::string("saved state of a sequence: ") + why);
}

std::size_t SavedHeader::bytes() const {
  // Each product is checked before it is computed, because a damaged file may hold any counts.
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  std::int64_t size = 1;
  for (const std::int64_t count : {layers, rows, width}) {
    if (count < 0 || count > kMost || (count > 0 && size > kMost / count)) return kAbsurd;
    size *= count;
  }
  // Only formats that a model computes in: a wrong type would let elementSize throw.
  const auto known = {at::kFloat, at::kHalf, at::kBFloat16};
  if (std::ranges::find(known, static_cast<at::ScalarType>(type)) == known.end()) return kAbsurd;
  return static_cast<std::size_t>(size) * c10::elementSize(static_cast<at::ScalarType>(type));
}

SavedHeader saved_header(std::span<const std::uint8_t> bytes) {
  SavedHeader header;
  if (bytes.size() < sizeof(header)) refuse_saved("it is truncated");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.bytes() > bytes.size() - sizeof(header))
    refuse_saved("its size does not match its header");
  return header;
}

SequenceState::SequenceState(std::vector<std::unique_ptr<StatePart>> parts)
    : parts_(std::move(parts)) {}

std::unique_ptr<SequenceState> SequenceState::fork() const {
  std::vector<std::unique_ptr<StatePart>> parts;
  for (const auto& part : parts_) parts.push_back(part->fork());
  auto copy = std::make_unique<SequenceState>(std::move(parts));
  copy->length_ = length_;
  return copy;
}

bool SequenceState::reserve(std::int64_t tokens) {
  // All parts or none: a caller that gets false may try again later with the same state.
  std::size_t done = 0;
  const auto give_back = [&] {
    for (std::size_t i = 0; i < done; ++i) parts_[i]->unreserve(length_);
  };
  try {
    while (done < parts_.size() && parts_[done]->reserve(length_, tokens)) ++done;
  } catch (...) {
    give_back();
    throw;
  }
  if (done == parts_.size()) return true;
  give_back();
  return false;
}

void SequenceState::advance(std::int64_t tokens) noexcept {
  for (const auto& part : parts_) part->advance(length_, tokens);
  length_ += tokens;
}

bool SequenceState::counts_parts_of_steps() const {
  return std::ranges::all_of(parts_,
                             [](const auto& part) { return part->counts_parts_of_steps(); });
}

// Forks share memory, so only what was added after `from` counts.
std::size_t SequenceState::bytes(std::int64_t from) const {
  std::size_t sum = 0;
  for (const auto& part : parts_) sum += part->bytes(from, length_);
  return sum;
}

std::vector<std::uint8_t> SequenceState::save(std::int64_t from) const {
  const SavedState saved{static_cast<std::int64_t>(parts_.size()), from, length_};
  std::vector<std::uint8_t> bytes(sizeof(saved));
  std::memcpy(bytes.data(), &saved, sizeof(saved));
  for (const auto& part : parts_) part->save(from, length_, &bytes);
  return bytes;
}

// Parts write into new blocks or slots first, so a failure at any part leaves the state as it was.
void SequenceState::restore(std::span<const std::uint8_t> bytes) {
  SavedState saved;
  if (bytes.size() < sizeof(saved)) refuse_saved("it is truncated");
  std::memcpy(&saved, bytes.data(), sizeof(saved));
  if (saved.parts != static_cast<std::int64_t>(parts_.size()) || saved.from != length_ ||
      saved.to < saved.from || saved.to > kMostTokens) {
    refuse_saved("it is of another kind of model, or of another token position");
  }
  bytes = bytes.subspan(sizeof(saved));
  try {
    for (const auto& part : parts_) {
      bytes = bytes.subspan(part->restore(length_, saved.to, bytes));
    }
    if (!bytes.empty()) refuse_saved("there are bytes after its end");
  } catch (...) {
    for (const auto& part : parts_) part->unreserve(length_);
    throw;
  }
  advance(saved.to - saved.from);
}

}  // namespace fineprint::nets
