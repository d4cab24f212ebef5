// A table whose rows are readings at rest (import with row_is "press"): places, forces and readings
// are enough for the point spread, and rows at zero force are what the tactels read unloaded.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fitting/engine/stage.hpp"
#include "libcalib/session/session_writer.hpp"
#include "tests/fitting/psf/psf_recording.hpp"

namespace tactelier {
namespace {

using test::kPitch_m;
using test::kSigma_m;

constexpr int kRows = 4, kColumns = 4, kTactels = kRows * kColumns;
constexpr double kCountsPerNewton = 2000, kNoise = 2;
constexpr double kWide_m = 2.6e-3;  // spread of point-like tactels
double offset_of(int tactel) { return 4060 + 5 * tactel; }

/// The tip is so thin that its footprint is a point.
constexpr auto kMetadata = R"({{"format": "tactelier/session", "version": 1,
"sensor": {{"vendor": "Made", "model": "patch", "rows": 4, "columns": 4, "pitch_x_mm": 3.4,
           "pitch_y_mm": 3.4{}, "channels": 1, "falling": {}}},
"indenter": {{"id": "pin", "shape": "cylinder", "diameter_mm": 0.1}},
"force_sensor": {{"model": "cell", "press_axis": "z"}},
"imported": {{"file": "table.csv", "row_is": "press"{}}}}})";

/// One stream's rows, gathered and written at once.
class Stream {
 public:
  Stream(StreamKind kind, std::vector<ColumnInfo> columns, std::vector<int> places)
      : info_{kind, std::move(columns)}, places_(std::move(places)) {
    chunk_.columns.resize(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) chunk_.columns[i].exponent = places_[i];
  }
  void row(const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      chunk_.columns[i].mantissas.push_back(std::llround(values[i] * std::pow(10, -places_[i])));
  }
  void write(SessionWriter& writer) {
    ASSERT_TRUE(writer.add_stream(info_));
    ASSERT_TRUE(writer.append(info_.kind, chunk_));
  }

 private:
  StreamInfo info_;
  std::vector<int> places_;
  StreamChunk chunk_;
};

/// Forces of one place's rows, in the order a table may list them.
std::vector<double> forces(bool with_zero) {
  std::vector<double> forces_N{2.0, 0.4, 1.2, 0.2, 1.8, 0.8, 1.0, 0.6, 1.6, 1.4};
  if (with_zero) forces_N.insert(forces_N.begin() + 3, 0.0);
  return forces_N;
}

class TableAtRest : public testing::Test {
 protected:
  TableAtRest()
      : file_(std::filesystem::temp_directory_path() /
              fmt::format("tactelier-table-{}.tact", getpid())) {}
  ~TableAtRest() override {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

  /// Readings fall under load, and nobody has described a converter.
  void let_fall() { falling_ = true; }

  /// Each tactel reads the pressure at its centre, and nobody says how wide it is.
  void let_be_points() { points_ = true; }

  /// The map says what each tactel reads unloaded.
  void state_rest() { rest_stated_ = true; }
  /// The map calls the rows at zero force rest, and the gauge reads 0.05 N too much.
  void choose_rest() { rest_chosen_ = true; }

  /// Each place has one row, under some force.
  void press_once() { once_ = true; }

  void write(bool with_zero) {
    RandomSource random(11);
    std::vector<ColumnInfo> columns{{"t", "s"}};
    std::vector<int> places(kTactels + 1, 0);
    places[0] = -6;
    for (int t = 0; t < kTactels; ++t) columns.push_back({fmt::format("{}", t), ""});
    Stream force(StreamKind::kForce, {{"t", "s"}, {"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}},
                 {-6, -6, -6, -6});
    Stream tactile(StreamKind::kTactile, std::move(columns), std::move(places));
    auto writer = SessionWriter::create_import(
        file_,
        parse_session_metadata(
            fmt::format(kMetadata, points_ ? "" : R"(, "area_mm2": 184.96)", falling_, stated()),
            "session.json")
            .value());
    ASSERT_TRUE(writer);
    double time_s = 1;
    int number = 0;
    for (const auto& place : test::raster()) {
      begin(*writer, time_s, ++number, place);
      const auto forces_N = once_ ? std::vector{0.8 + 0.3 * (number % 5)} : forces(with_zero);
      for (const double force_N : forces_N) {
        force.row({time_s, 0, 0, force_N + (rest_chosen_ ? 0.05 : 0)});
        if (rest_chosen_ && force_N == 0) rest(*writer, time_s);
        std::vector<double> cells{time_s};
        for (int t = 0; t < kTactels; ++t)
          cells.push_back(std::round(reading(t, force_N, place) + kNoise * random.normal()));
        tactile.row(cells);
        time_s += 1;
      }
      add(*writer, time_s - 0.5, "press_end",
          fmt::format(R"({{"press": {}, "outcome": "ok"}})", number));
    }
    force.write(*writer);
    tactile.write(*writer);
    ASSERT_TRUE(writer->finish());
  }

  SensorModel fitted() {
    const auto session = Session::open(file_);
    EXPECT_TRUE(session);
    const FitSession recording{
        &*session, presses(session->events(), session->edits(), session->metadata()).value(), {}};
    const std::array<std::string, 3> stages{"contact", "response", "psf"};
    return fit({recording}, stages, {}, {}).value();
  }

 private:
  double reading(int tactel, double force_N, const test::Place& place) const {
    const double share = points_ ? point_share(tactel, place)
                                 : test::patch_share(tactel, kRows, kColumns, place.x_m, place.y_m);
    return offset_of(tactel) + (falling_ ? -1 : 1) * kCountsPerNewton * force_N * share;
  }

  std::string stated() const {
    if (!rest_stated_) return "";
    std::string numbers;
    for (int t = 0; t < kTactels; ++t)
      numbers += fmt::format("{}{}", t > 0 ? ", " : "", offset_of(t));
    return fmt::format(R"(, "rest_reads": [{}])", numbers);
  }

  static void rest(SessionWriter& writer, double time_s) {
    add(writer, time_s - 0.25, "zero_begin", "{}");
    add(writer, time_s + 0.25, "zero_end", "{}");
  }

  /// Pressure at the tactel's centre times pitch squared, for one newton.
  static double point_share(int tactel, const test::Place& place) {
    const double x_m = (tactel % kColumns - 1.5) * kPitch_m - place.x_m;
    const double y_m = (tactel / kColumns - 1.5) * kPitch_m - place.y_m;
    const double two_variances_m2 = 2 * kWide_m * kWide_m;
    return kPitch_m * kPitch_m / (std::numbers::pi * two_variances_m2) *
           std::exp(-(x_m * x_m + y_m * y_m) / two_variances_m2);
  }

  static void add(SessionWriter& writer, double time_s, std::string_view name,
                  const std::string& data) {
    const auto event = make_event(Decimal{std::llround(time_s * 1e6), -6}, name, data, "import");
    ASSERT_TRUE(event);
    ASSERT_TRUE(writer.add_event(*event));
  }

  /// At a tactel's centre the press is one on that tactel.
  static void begin(SessionWriter& writer, double time_s, int number, const test::Place& place) {
    std::string tactel;
    for (int t = 0; t < kTactels; ++t) {
      const double x_m = (t % kColumns - 1.5) * kPitch_m, y_m = (t / kColumns - 1.5) * kPitch_m;
      if (std::hypot(x_m - place.x_m, y_m - place.y_m) < 1e-6)
        tactel = fmt::format(R"("tactel": {}, )", t);
    }
    add(writer, time_s - 0.25, "press_begin",
        fmt::format(R"({{"press": {}, {}"x_mm": {}, "y_mm": {}, "kind": "ramp"}})", number, tactel,
                    1e3 * place.x_m, 1e3 * place.y_m));
  }

  std::filesystem::path file_;
  bool falling_ = false, points_ = false, rest_stated_ = false, rest_chosen_ = false;
  bool once_ = false;
};

bool said(const SensorModel& model, std::string_view code) {
  const auto& warnings = model.quality.at("psf").warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const Warning& warning) { return warning.code == code; });
}

TEST_F(TableAtRest, PlacesForcesAndReadingsGiveTheSpread) {
  write(true);
  const auto model = fitted();
  ASSERT_TRUE(model.psf.sigma.value) << model.psf.sigma.reason;
  EXPECT_NEAR(*model.psf.sigma.value, kSigma_m, 0.01 * kSigma_m);
  EXPECT_EQ(model.psf.form, "integrated");
  EXPECT_FALSE(said(model, "CELL-POINT"));
}

TEST_F(TableAtRest, TactelsOfUnknownWidthArePointsAndTheResultSaysSo) {
  let_be_points();
  write(true);
  const auto model = fitted();
  ASSERT_TRUE(model.psf.sigma.ci95) << model.psf.sigma.reason;
  EXPECT_EQ(model.psf.form, "point");
  EXPECT_NEAR(*model.psf.sigma.value, kWide_m, 0.01 * kWide_m);
  EXPECT_LT((*model.psf.sigma.ci95)[0], kWide_m);
  EXPECT_GT((*model.psf.sigma.ci95)[1], kWide_m);
  EXPECT_TRUE(said(model, "CELL-POINT"));
}

TEST_F(TableAtRest, SoTheyDoWhereReadingsFall) {
  let_fall();
  write(true);
  const auto model = fitted();
  ASSERT_TRUE(model.psf.sigma.value) << model.psf.sigma.reason;
  EXPECT_NEAR(*model.psf.sigma.value, kSigma_m, 0.01 * kSigma_m);
  ASSERT_TRUE(model.response.tactels[5].offset.value);
  EXPECT_NEAR(*model.response.tactels[5].offset.value, offset_of(5), kNoise);
}

TEST_F(TableAtRest, RowsAtZeroForceAreWhatTheTactelsReadUnloaded) {
  write(true);
  const auto model = fitted();
  EXPECT_EQ(model.response.zero, "free_air");
  for (const int tactel : {0, 5, 15}) {
    const auto& response = model.response.tactels[static_cast<std::size_t>(tactel)];
    ASSERT_TRUE(response.offset.value && response.offset.std) << response.offset.reason;
    EXPECT_NEAR(*response.offset.value, offset_of(tactel), 4 * *response.offset.std);
    EXPECT_LT(*response.offset.std, kNoise);
    ASSERT_TRUE(response.press_threshold.value) << response.press_threshold.reason;
    EXPECT_NEAR(*response.press_threshold.value, 0, 0.02);
  }
}

TEST_F(TableAtRest, RestMayBeANumberThatTheMapStates) {
  state_rest();
  write(false);
  const auto model = fitted();
  EXPECT_EQ(model.response.zero, "stated");
  const auto& response = model.response.tactels[5];
  ASSERT_TRUE(response.offset.value && response.offset.ci95) << response.offset.reason;
  EXPECT_EQ(*response.offset.value, offset_of(5));
  EXPECT_LT((*response.offset.ci95)[1] - (*response.offset.ci95)[0], 2);  // a digit
  ASSERT_TRUE(response.press_threshold.value) << response.press_threshold.reason;
  ASSERT_TRUE(model.psf.sigma.value) << model.psf.sigma.reason;
  EXPECT_NEAR(*model.psf.sigma.value, kSigma_m, 0.01 * kSigma_m);
}

TEST_F(TableAtRest, ARowPerPlaceIsEnoughForTheSpread) {
  press_once();
  state_rest();
  write(false);
  const auto model = fitted();
  ASSERT_TRUE(model.psf.sigma.ci95) << model.psf.sigma.reason;
  EXPECT_NEAR(*model.psf.sigma.value, kSigma_m, 0.02 * kSigma_m);
  const auto& response = model.response.tactels[5];
  ASSERT_TRUE(response.gain.value) << response.gain.reason;
  EXPECT_NEAR(*response.gain.value, 1 / kCountsPerNewton, 0.02 / kCountsPerNewton);
  const auto& warnings = model.quality.at("response").warnings;
  EXPECT_FALSE(std::any_of(warnings.begin(), warnings.end(),
                           [](const Warning& warning) { return warning.code == "RS-03"; }));
}

/// Rows that the map calls rest, though their force is not zero: a gauge with an offset.
TEST_F(TableAtRest, RestMayBeRowsThatTheMapChooses) {
  choose_rest();
  write(true);
  const auto model = fitted();
  EXPECT_EQ(model.response.zero, "free_air");
  const auto& response = model.response.tactels[5];
  ASSERT_TRUE(response.offset.value && response.offset.std) << response.offset.reason;
  EXPECT_NEAR(*response.offset.value, offset_of(5), 4 * *response.offset.std);
  EXPECT_LT(*response.offset.std, kNoise);
}

TEST_F(TableAtRest, WithoutThemNoOffsetIsInvented) {
  write(false);
  const auto model = fitted();
  EXPECT_NE(model.response.zero, "free_air");
  EXPECT_FALSE(model.psf.sigma.value);
  EXPECT_NE(model.psf.sigma.reason.find("zero force"), std::string::npos) << model.psf.sigma.reason;
}

}  // namespace
}  // namespace tactelier
