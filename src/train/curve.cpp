// Draws the loss of a training.
#include "train/curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fineprint/core/format.h"

namespace fineprint::train {
namespace {

constexpr double kWidth = 720, kHeight = 360, kMargin = 48;
constexpr std::size_t kMostPoints = 1300;  // of a line: more could not be distinguished

struct Axes {
  double first = 1, last = 1, low = 0, high = 1;

  double x(double step) const {
    const double range = std::max(1.0, last - first);
    return kMargin + (step - first) / range * (kWidth - 2 * kMargin);
  }
  double y(double loss) const {
    const double range = high > low ? high - low : 1;
    return kHeight - kMargin - (loss - low) / range * (kHeight - 2 * kMargin);
  }
};

// The loss axis begins at 0.
Axes axes_of(std::span<const CurvePoint> points) {
  Axes axes;
  axes.first = static_cast<double>(points.front().step);
  axes.last = static_cast<double>(points.back().step);
  axes.high = 0;
  for (const CurvePoint& point : points) axes.high = std::max(axes.high, point.loss);
  return axes;
}

std::string line(const Axes& axes, std::span<const CurvePoint> points, const char* style) {
  std::string places;
  for (const CurvePoint& point : points) {
    places += format("{:.1f},{:.1f} ", axes.x(static_cast<double>(point.step)), axes.y(point.loss));
  }
  return format("<polyline points=\"{}\" fill=\"none\" {}/>\n", places, style);
}

// Single losses vary from batch to batch, so the mean shows the trend.
std::vector<CurvePoint> means(std::span<const CurvePoint> points) {
  const std::size_t width = std::max<std::size_t>(1, points.size() / 50);
  std::vector<CurvePoint> result;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += points[i].loss;
    if (i >= width) sum -= points[i - width].loss;
    result.push_back({points[i].step, sum / static_cast<double>(std::min(i + 1, width))});
  }
  return result;
}

// Returns means of neighbours if there are more points than can be distinguished.
std::vector<CurvePoint> thinned(std::span<const CurvePoint> points) {
  const std::size_t width = (points.size() + kMostPoints - 1) / kMostPoints;
  std::vector<CurvePoint> result;
  for (std::size_t i = 0; i < points.size(); i += width) {
    const auto group = points.subspan(i, std::min(width, points.size() - i));
    double sum = 0;
    for (const CurvePoint& point : group) sum += point.loss;
    result.push_back({group.back().step, sum / static_cast<double>(group.size())});
  }
  return result;
}

// Plain SVG without scripts or fonts, so that any viewer shows it.
std::string label(double x, double y, const std::string& text) {
  return format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" font-family=\"sans-serif\" font-size=\"12\" "
      "fill=\"#555\">{}</text>\n",
      x, y, text);
}

}  // namespace

std::string loss_curve(std::span<const CurvePoint> points) {
  std::string svg = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  if (points.empty()) return svg + "</svg>\n";
  const Axes axes = axes_of(points);
  svg += line(axes, thinned(points), "stroke=\"#bcd\"");
  svg += line(axes, thinned(means(points)), "stroke=\"#146\" stroke-width=\"2\"");
  svg += label(4, axes.y(axes.high) + 4, format("{:.3g}", axes.high));
  svg += label(4, axes.y(0) + 4, "0");
  svg += label(kMargin, kHeight - 16, format("step {}", points.front().step));
  svg += label(kWidth - kMargin - 60, kHeight - 16, format("step {}", points.back().step));
  return svg + "</svg>\n";
}

}  // namespace fineprint::train
