// The table of the library: copies rows to device memory and runs one scan at a time over them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/cuda.h"

#include "score/cuda/kernels.h"

namespace fineprint::score {
namespace {

void check(cudaError_t result, const char* doing) {
  if (result == cudaSuccess) return;
  throw Error(ErrorCode::internal,
              format("the GPU failed while {}: {}; try again with --device cpu", doing,
                     cudaGetErrorString(result)));
}

// An array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  // Makes room for `count` numbers. Drops the content. Returns false if there is not enough memory.
  bool grow(std::size_t count) {
    if (count <= count_) return true;
    cudaFree(data_);
    data_ = nullptr;
    count_ = 0;
    const cudaError_t result = cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T));
    if (result == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // clears the error, which the next call would report otherwise
      return false;
    }
    check(result, "memory was reserved");
    count_ = count;
    return true;
  }
  void need(std::size_t count) {
    if (!grow(count)) check(cudaErrorMemoryAllocation, "memory was reserved for a query");
  }
  void copy_from(const T* host, std::size_t count, cudaStream_t stream) {
    if (count == 0) return;
    check(cudaMemcpyAsync(data_, host, count * sizeof(T), cudaMemcpyHostToDevice, stream),
          "numbers were copied to it");
  }
  void copy_to(T* host, std::size_t from, std::size_t count, cudaStream_t stream) const {
    if (count == 0) return;
    check(cudaMemcpyAsync(host, data_ + from, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "numbers were copied from it");
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace

struct DeviceRows {
  int device = 0;
  cudaStream_t stream = nullptr;
  std::mutex mutex;
  VectorType type = VectorType::f32;
  std::size_t count = 0;
  std::size_t dim = 0;
  std::size_t pages = 0;
  DeviceArray<std::uint8_t> values;
  DeviceArray<float> scales;
  DeviceArray<std::uint32_t> first;
  DeviceArray<float> query;
  DeviceArray<float> scores;

  ~DeviceRows() {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
  cuda::Rows view() const { return {type, values.data(), scales.data(), count, dim}; }
  std::size_t row_bytes() const { return dim * vector_type_bytes(type); }
};

namespace {

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  // Without a driver the call fails; this clears the error.
  cudaGetLastError();
  return 0;
}

std::string describe(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "it was asked for its name");
  return format("{}, {} GiB", properties.name, properties.totalGlobalMem >> 30);
}

std::size_t free_bytes(int device) {
  check(cudaSetDevice(device), "it was chosen");
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "it was asked for its memory");
  return free;
}

DeviceRows* upload(int device, const VectorBags& pages) {
  check(cudaSetDevice(device), "it was chosen");
  auto rows = std::make_unique<DeviceRows>();
  rows->device = device;
  rows->type = pages.rows.type;
  rows->count = pages.rows.count;
  rows->dim = pages.rows.dim;
  rows->pages = pages.pages();
  check(cudaStreamCreateWithFlags(&rows->stream, cudaStreamNonBlocking), "a stream was made");
  const std::size_t bytes = rows->count * rows->row_bytes();
  const std::size_t scales = pages.rows.type == VectorType::i8 ? rows->count : 0;
  if (!rows->values.grow(bytes) || !rows->scales.grow(scales) ||
      !rows->first.grow(pages.first.size()) ||
      !rows->scores.grow(std::max(rows->count, rows->pages))) {
    return nullptr;
  }
  rows->values.copy_from(pages.rows.row(0), bytes, rows->stream);
  rows->scales.copy_from(pages.rows.scales, scales, rows->stream);
  rows->first.copy_from(pages.first.data(), pages.first.size(), rows->stream);
  check(cudaStreamSynchronize(rows->stream), "rows were copied to it");
  return rows.release();
}

void release(DeviceRows* rows) {
  if (rows != nullptr) cudaSetDevice(rows->device);
  delete rows;
}

// Copies the query to the device, runs launch(query on the device), and copies `count` scores back.
template <class Launch>
void scan(DeviceRows& rows, const float* query, std::size_t numbers, std::size_t count,
          float* scores, Launch launch) {
  check(cudaSetDevice(rows.device), "it was chosen");
  rows.query.need(numbers);
  rows.query.copy_from(query, numbers, rows.stream);
  launch(rows.query.data());
  check(cudaGetLastError(), "a scan was started");
  rows.scores.copy_to(scores, 0, count, rows.stream);
  check(cudaStreamSynchronize(rows.stream), "rows were scanned");
}

void dot_rows(DeviceRows& rows, const float* query, float* scores) {
  const std::lock_guard lock(rows.mutex);
  scan(rows, query, rows.dim, rows.count, scores, [&](const float* on_device) {
    cuda::dot(rows.view(), on_device, rows.scores.data(), rows.stream);
  });
}

void max_sim(DeviceRows& rows, const Matrix& query, float* scores) {
  const std::lock_guard lock(rows.mutex);
  scan(rows, query.values.data(), query.rows * rows.dim, rows.pages, scores,
       [&](const float* on_device) {
         cuda::max_sim(rows.view(), rows.first.data(), rows.pages, on_device, query.rows,
                       rows.scores.data(), rows.stream);
       });
}

cuda::Mask mask_of(const MaskOptions& options) {
  const bool automatic = options.mode == MaskMode::automatic;  // the kernels do not know it
  return {static_cast<int>(automatic ? MaskMode::hybrid : options.mode),
          static_cast<int>(options.inner_spread),
          static_cast<int>(options.outer_spread),
          options.absolute,
          options.swapped,
          options.alpha,
          options.epsilon,
          options.blend_weight,
          options.salient_weight,
          options.fine_print_weight};
}

// Scores one row by the CPU's exact float64 code, on a copy fetched from the device.
float careful_score(const DeviceRows& rows, std::size_t r, const std::vector<double>& query,
                    const MaskOptions& options) {
  std::vector<std::uint8_t> bytes(rows.row_bytes());
  float scale = 0;
  rows.values.copy_to(bytes.data(), r * rows.row_bytes(), bytes.size(), rows.stream);
  if (rows.type == VectorType::i8) rows.scales.copy_to(&scale, r, 1, rows.stream);
  check(cudaStreamSynchronize(rows.stream), "a row was fetched");
  std::vector<float> values(rows.dim);
  decode_row({rows.type, bytes.data(), &scale, 1, rows.dim}, 0, values.data());
  const std::vector<double> page(values.begin(), values.end());
  return static_cast<float>(masked_pair(query, page, options).score);
}

bool is_unsure(float score) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &score, sizeof bits);
  return bits == cuda::kUnsureBits;
}

void hybrid_mask_rows(DeviceRows& rows, const float* query, const MaskOptions& options,
                      float* scores) {
  const std::lock_guard lock(rows.mutex);
  const std::vector<double> letters(query, query + rows.dim);
  double squares = 0;
  for (const double value : letters) squares += value * value;
  const bool usable =
      squares > 0 && std::isfinite(squares) && rows.dim <= cuda::most_mask_dim(rows.device);
  if (usable) {
    std::vector<float> unit;
    for (const double value : letters)
      unit.push_back(static_cast<float>(value / std::sqrt(squares)));
    scan(rows, unit.data(), rows.dim, rows.count, scores, [&](const float* on_device) {
      cuda::hybrid_mask(rows.view(), on_device, mask_of(options), rows.scores.data(), rows.stream);
    });
  }
  check(cudaSetDevice(rows.device), "it was chosen");
  for (std::size_t r = 0; r < rows.count; ++r) {
    if (!usable || is_unsure(scores[r])) scores[r] = careful_score(rows, r, letters, options);
  }
}

constexpr CudaTable kTable{device_count, describe, free_bytes,       upload,
                           release,      dot_rows, hybrid_mask_rows, max_sim};

}  // namespace
}  // namespace fineprint::score

extern "C" __attribute__((visibility("default"))) const fineprint::score::CudaTable*
fineprint_score_cuda(std::uint64_t interface) {
  return interface == fineprint::score::kCudaInterface ? &fineprint::score::kTable : nullptr;
}
