// Records each step of a training in OUT/steps.jsonl, and draws the losses.
#include "train/training_log.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::train {
namespace {

double mean_loss(std::span<const CurvePoint> points) {
  double sum = 0;
  for (const CurvePoint& point : points) sum += point.loss;
  return points.empty() ? 0 : sum / static_cast<double>(points.size());
}

// At least one step, so that short trainings have a mean.
std::size_t tenth(std::size_t count) { return std::max<std::size_t>(1, count / 10); }

}  // namespace

// An incomplete last line has no line end, so the loop ignores it.
TrainingLog::TrainingLog(const std::string& folder, long step) : folder_(folder) {
  const std::string path = folder + "/steps.jsonl";
  std::string kept;
  if (std::filesystem::exists(path)) {
    const std::string text = read_file(path);
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const std::string line = text.substr(begin, end - begin);
      const Json record = parse_json(line, path);
      if (record.value("step", 0L) > step) break;
      points_.push_back({record.value("step", 0L), record.value("loss", 0.0)});
      kept += line + '\n';
    }
  }
  write_file_atomic(path, kept);
  file_ = std::make_unique<LineAppender>(path);
}

void TrainingLog::add(long step, double loss, double gradient, double rate) {
  points_.push_back({step, loss});
  file_->append(
      dump_json({{"step", step}, {"loss", loss}, {"gradient", gradient}, {"rate", rate}}));
}

void TrainingLog::draw() const { write_file_atomic(folder_ + "/curve.svg", loss_curve(points_)); }

double TrainingLog::first_loss() const {
  return mean_loss(std::span(points_).first(std::min(points_.size(), tenth(points_.size()))));
}

double TrainingLog::last_loss() const {
  return mean_loss(std::span(points_).last(std::min(points_.size(), tenth(points_.size()))));
}

}  // namespace fineprint::train
