#pragma once
// What a printed report says, once for all its forms: HTML, PDF, the window's preview and --data
// write the same document. Numbers are SI; a writer chooses prefixes (reports/quantity_text.hpp).

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libcalib/parameter.hpp"
#include "reports/section.hpp"

namespace tactelier {

/// The number that a cell shows, as the model or a computation has it.
struct CellNumber {
  std::string path;  // of the model's parameter; "" for numbers worked out from several
  double value = 0;
  std::optional<double> u95;  // half of a 95 % interval
  std::string unit;           // of value and u95
};

struct Cell {
  std::string text;
  std::optional<CellNumber> number{};
};

struct ReportTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns; the first one names the row
};

enum class Tone {
  kPlain,
  kGood,  // verdicts
  kLook,  // something is missing, or a warning
  kBad,
  kEquation,
  kNote,  // small print
};

struct Paragraph {
  std::string text;
  Tone tone = Tone::kPlain;
};

struct PlotAxis {
  std::string quantity;  // "Force"
  std::string unit;      // "N"; "" for a ratio
  bool log = false;
};

struct PlotSeries {
  enum class Look { kPoints, kLine, kFaint };  // faint: data that were not used
  std::string name;                            // in the legend; "" leaves it out
  Look look = Look::kPoints;
  std::vector<double> x, y;  // a NaN breaks a line
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  std::string alt;  // what there is to see, in a sentence
};

/// One cell of a map of the array, sensor frame.
struct MapCell {
  int tactel = 0;
  double x_m = 0, y_m = 0;  // centre
  double width_m = 0, height_m = 0;
  std::optional<double> value;
  std::string why;  // without a value: "dead"
};

struct ArrayMap {
  std::string title;
  std::string unit;
  std::vector<MapCell> cells;
  std::string alt;
  /// Of the colours; without it from the least to the greatest value. Maps side by side share one.
  std::optional<std::array<double, 2>> range{};
  bool differences = false;  // colours turn at zero, where there is none; range symmetric
};

using Figure = std::variant<Plot, ArrayMap>;

/// Figures side by side, as many in a row as fit.
struct Figures {
  enum class Size { kSmall, kThird, kMiddle, kWide };  // kSmall: about a quarter of the page
  Size size = Size::kMiddle;
  std::vector<Figure> figures;
};

using Block = std::variant<Paragraph, ReportTable, Figures>;

struct Chapter {
  std::string id;  // for links: "stage-response"
  std::string title;
  std::vector<Block> blocks;
};

struct ReportDocument {
  std::string title;              // "Weiss WTS 0614-34, serial 0042"
  std::string subtitle;           // "Tactile sensor characterisation"
  std::string date;               // of the model, UTC: the same input gives the same bytes
  std::string footer;             // program and model's hash
  std::vector<Chapter> chapters;  // the first one is the summary
};

/// "2012 ± 12" of a parameter with its unit; what is missing in words when it has none.
Cell parameter_cell(const std::string& path, const Parameter& parameter);
/// A number that was worked out, without an interval of its own.
Cell number_cell(double value, const std::string& unit);
/// A table of plain texts.
ReportTable report_table(const Table& table, std::string caption);

}  // namespace tactelier
