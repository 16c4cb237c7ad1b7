// Copies vector sets to the memory of a GPU, in slabs.
#include "fineprint/session/gpu_vectors.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "fineprint/core/log.h"
#include "fineprint/session/score_library.h"

namespace fineprint::session {
namespace {

// Rows are joined in main memory before they are copied. A slab must be large enough that
// scanning it outweighs starting the scan.
constexpr std::size_t kSlabBytes = std::size_t{256} << 20;
// Copying a set takes about as long as ten scans by the CPU, and one question makes three at most.
// So a single question never copies.
constexpr int kScansBefore = 4;

// Returns the number of the GPU that --device names, or -1 if it names none.
int gpu_of(std::string_view device) {
  if (device == "auto" || device == "cuda") return 0;
  if (!device.starts_with("cuda:")) return -1;
  device.remove_prefix(5);
  int number = -1;
  std::from_chars(device.data(), device.data() + device.size(), number);
  return number;
}

// What a row takes on the GPU. The originals next to codes stay in main memory.
std::size_t row_bytes(const score::VectorRows& rows) {
  const std::size_t scale = rows.type == score::VectorType::i8 ? sizeof(float) : 0;
  return rows.dim * score::vector_type_bytes(rows.type) + scale;
}

std::size_t part_bytes(const VectorPart& part) { return part.rows.count * row_bytes(part.rows); }

// Parts copied next to each other, because the library takes one array.
class JoinedParts {
 public:
  void add(const VectorPart& part) {
    const score::VectorRows& rows = part.rows;
    const std::size_t bytes = rows.count * rows.dim * score::vector_type_bytes(rows.type);
    if (bytes > 0) values_.insert(values_.end(), rows.row(0), rows.row(0) + bytes);
    if (rows.type == score::VectorType::i8) {
      scales_.insert(scales_.end(), rows.scales, rows.scales + rows.count);
    }
    const auto before = static_cast<std::uint32_t>(count_);
    for (std::uint32_t unit = 0; unit < part.units; ++unit) {
      first_.push_back(before + part.first_row[unit + 1]);
    }
    count_ += rows.count;
    type_ = rows.type;
    dim_ = rows.dim;
  }
  score::VectorBags bags() const {
    return {{type_, values_.data(), scales_.data(), count_, dim_}, first_};
  }

 private:
  std::vector<std::uint8_t> values_;
  std::vector<float> scales_;
  std::vector<std::uint32_t> first_{0};
  score::VectorType type_ = score::VectorType::f32;
  std::size_t count_ = 0;
  std::size_t dim_ = 0;
};

}  // namespace

GpuSet::GpuSet(const score::CudaTable& table, int device, const VectorView& view,
               std::size_t most_bytes)
    : table_(table) {
  while (parts() < view.parts().size() && add_slab(view, device, most_bytes)) {
  }
  if (parts() == view.parts().size()) {
    log::debug("the vectors \"{}\" are in the GPU's memory: {:.1f} MB", view.set().name,
               static_cast<double>(bytes_) / 1e6);
    return;
  }
  // Not an error: the CPU scores the other parts.
  log::warn(
      "vectors \"{}\": {} of {} parts are in the GPU's memory, which has no room for more; the CPU "
      "scores the rest",
      view.set().name, parts(), view.parts().size());
}

GpuSet::~GpuSet() {
  for (const GpuSlab& slab : slabs_) table_.release(slab.on_gpu);
}

std::size_t GpuSet::parts() const {
  return slabs_.empty() ? 0 : slabs_.back().first_part + slabs_.back().parts;
}

// Returns false if the next part does not fit.
bool GpuSet::add_slab(const VectorView& view, int device, std::size_t most_bytes) {
  GpuSlab slab{.first_part = parts()};
  JoinedParts joined;
  std::size_t bytes = 0;
  for (std::size_t p = slab.first_part; p < view.parts().size(); ++p) {
    const VectorPart& part = view.parts()[p];
    const std::size_t more = part_bytes(part);
    if (bytes_ + bytes + more > most_bytes || (slab.parts > 0 && bytes + more > kSlabBytes)) break;
    joined.add(part);
    bytes += more;
    slab.parts += 1;
    slab.units += part.units;
    slab.rows += part.rows.count;
  }
  // A single part larger than kSlabBytes still becomes a slab of its own.
  if (slab.parts == 0) return false;
  slab.on_gpu = table_.upload(device, joined.bags());
  if (slab.on_gpu == nullptr) return false;
  slabs_.push_back(slab);
  bytes_ += bytes;
  return true;
}

GpuVectors::GpuVectors(const models::DeviceOptions& options, const score::CudaTable* table)
    : device_(gpu_of(options.device)),
      scans_before_(options.device == "auto" ? kScansBefore : 0),
      table_(table) {}

GpuVectors::~GpuVectors() = default;

// Looks for the library and the GPU only once.
bool GpuVectors::has_gpu() const {
  if (looked_) return table_ != nullptr;
  looked_ = true;
  if (table_ == nullptr) table_ = cuda_scoring();
  if (table_ != nullptr && device_ >= table_->device_count()) table_ = nullptr;
  if (table_ != nullptr) room_ = table_->free_bytes(device_) / 2;
  return table_ != nullptr;
}

const GpuSet* GpuVectors::for_scan(const VectorView& view) const {
  if (device_ < 0) return nullptr;
  const std::lock_guard lock(mutex_);
  Asked& asked = asked_[&view];
  // Counts the scans first, so that with "auto" the library is not even opened for a single
  // question.
  if (asked.set == nullptr && asked.scans++ >= scans_before_ && has_gpu()) {
    asked.set = std::make_unique<const GpuSet>(*table_, device_, view, room_);
    room_ -= asked.set->bytes();
  }
  return asked.set.get();
}

}  // namespace fineprint::session
