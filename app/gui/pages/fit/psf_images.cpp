#include "app/gui/pages/fit/psf_images.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

constexpr double kClear = 3;           // standard errors
constexpr int kReach = 2;              // tactels to either side
constexpr double kSmallWeight = 5e-3;  // kernel's outer rings below it are left out

QString tr(const char* words) {
  return QCoreApplication::translate("tactelier::gui::PsfPlot", words);
}

/// Row and column of a tactel in its array, and the array's first tactel.
struct Cell {
  const SensorArray* array = nullptr;
  int first = 0, row = 0, column = 0;
};

Cell cellOf(const SensorDescription& sensor, int tactel) {
  int first = 0;
  for (const auto& array : sensor.arrays) {
    if (tactel < first + array.tactels())
      return {&array, first, (tactel - first) / array.columns, (tactel - first) % array.columns};
    first += array.tactels();
  }
  return {};
}

/// The part of the array around a tactel.
struct Window {
  Cell centre;
  int bottom = 0, left = 0, rows = 0, columns = 0;

  Window(const SensorDescription& sensor, int tactel) : centre(cellOf(sensor, tactel)) {
    bottom = std::max(0, centre.row - kReach);
    left = std::max(0, centre.column - kReach);
    rows = std::min(centre.array->rows, centre.row + kReach + 1) - bottom;
    columns = std::min(centre.array->columns, centre.column + kReach + 1) - left;
  }
  std::optional<std::size_t> place(int tactel) const {
    const int i = tactel - centre.first;
    if (i < 0 || i >= centre.array->tactels()) return {};
    const int row = i / centre.array->columns - bottom, column = i % centre.array->columns - left;
    if (row < 0 || row >= rows || column < 0 || column >= columns) return {};
    return static_cast<std::size_t>(row * columns + column);
  }
};

/// How many times finer than the shared range a difference is shown.
int finer(double range, double most) {
  int factor = 1;
  for (const int next : {2, 5, 10, 20, 50, 100})
    if (most * next <= range) factor = next;
  return factor;
}

ImageTile kernelTile(const SampledKernel& kernel) {
  const int rows = kernel.size[0], columns = kernel.size[1];
  const auto at = [&](int row, int column) {
    return kernel.weights[static_cast<std::size_t>(row * columns + column)];
  };
  int cut = 0;
  while (2 * (cut + 1) < std::min(rows, columns) - 1 && at(cut, columns / 2) < kSmallWeight &&
         at(rows / 2, cut) < kSmallWeight)
    ++cut;
  ImageTile tile;
  tile.rows = rows - 2 * cut;
  tile.columns = columns - 2 * cut;
  tile.title = tr("kernel %1 × %2").arg(tile.rows).arg(tile.columns);
  tile.numbers = tile.columns > 3 ? 2 : 3;
  for (int row = cut; row < rows - cut; ++row)
    for (int column = cut; column < columns - cut; ++column) tile.values.push_back(at(row, column));
  return tile;
}

double figure(const SensorModel& model, const std::string& name) {
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return std::nan("");
  const auto found = quality->second.figures.find(name);
  return found == quality->second.figures.end() ? std::nan("") : found->second;
}

QString formWords(const Psf& psf) {
  if (psf.form == "sampled") return tr("Kernel of whole tactels");
  auto words = psf.sigma.value ? tr("Gaussian, one σ") : tr("Gaussian, two σ");
  if (psf.edge == "renormalised") words += tr(", edge keeps the force");
  return words;
}

/// What the form would be without that step, or with it.
QString alternativeWords(const PsfAlternative& one) {
  if (one.name == "anisotropic") return one.chosen ? tr("Gaussian, one σ") : tr("Gaussian, two σ");
  if (one.name == "renormalised")
    return one.chosen ? tr("Edge that loses force") : tr("Edge that keeps the force");
  if (one.name == "touching")
    return one.chosen ? tr("Tactels as points") : tr("Tactels as wide as the pitch");
  return one.chosen ? tr("Gaussian over each tactel") : tr("Kernel of whole tactels");
}

}  // namespace

std::vector<ImageTile> psfImages(const PsfCurve& curve, std::size_t press,
                                 const SensorModel& model) {
  const Window window(model.sensor, curve.presses[press].tactel);
  const auto cells = static_cast<std::size_t>(window.rows * window.columns);
  ImageTile measured{tr("measured"), window.rows, window.columns,
                     std::vector<double>(cells, std::nan(""))};
  auto modelled = measured, difference = measured;
  modelled.title = tr("model");
  double most = 0, off = 0;
  for (const auto& answer : curve.answers) {
    const auto at = answer.press == press ? window.place(answer.tactel) : std::nullopt;
    if (!at) continue;
    measured.values[*at] = answer.share;
    modelled.values[*at] = answer.model;
    most = std::max({most, answer.share, answer.model});
    if (answer.silent) continue;  // its share is only known to be small
    difference.values[*at] = answer.share - answer.model;
    off = std::max(off, std::abs(difference.values[*at]));
  }
  measured.high = modelled.high = most > 0 ? most : 1;
  const int factor = finer(measured.high, off);
  difference.title = factor > 1 ? tr("difference × %1").arg(factor) : tr("difference");
  difference.map = ColorMap::kDiverging;
  difference.high = measured.high / factor;
  difference.low = -difference.high;
  std::vector<ImageTile> tiles{std::move(measured), std::move(modelled), std::move(difference)};
  if (model.psf.kernel_sampled.size.size() == 2)
    tiles.push_back(kernelTile(model.psf.kernel_sampled));
  return tiles;
}

TableContent psfAlternatives(const PsfCurve* curve, const SensorModel* model) {
  TableContent table;
  table.columns = {tr("Form"), tr("ΔBIC")};
  if (curve == nullptr || model == nullptr) return table;
  table.rows.push_back({formWords(model->psf), tr("0.0, chosen")});
  for (const auto& one : curve->alternatives)
    table.rows.push_back(
        {alternativeWords(one), fixed(one.chosen ? -one.delta_bic : one.delta_bic, 1)});
  const double pairs = figure(*model, "crosstalk_delta_bic");
  if (!std::isnan(pairs))
    table.rows.push_back({tr("One number per pair of tactels"), fixed(pairs, 1)});
  return table;
}

QString psfVerdict(const SensorModel& model) {
  if (!model.psf.sigma_x.value) return tr("Alternatives");
  auto words = tr("Alternatives · chosen: %1.").arg(formWords(model.psf));
  const double tails = figure(model, "tail_share"), z = figure(model, "tail_z");
  if (std::abs(z) < kClear)
    words += tr(" Tails as a Gaussian's.");
  else if (!std::isnan(tails) && !std::isnan(z))
    words += tr(" Tails %1 than a Gaussian's by %2 % of the force (%3 standard errors).")
                 .arg(tails > 0 ? tr("heavier") : tr("lighter"), fixed(100 * std::abs(tails), 2),
                      fixed(std::abs(z), 1));
  const double ghosts = figure(model, "ghosting_percent");
  if (std::abs(ghosts) > kClear * figure(model, "ghosting_percent_std"))
    words += tr(" Electronics add %1 % of the row and column.").arg(fixed(ghosts, 2));
  return words;
}

}  // namespace tactelier::gui
