// The station without wires: a rig that copies recordings, an operator who types from a list. What
// is fitted, judged and catalogued is real.

#include "app/workflow/station/station.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "app/workflow/import_session.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kPath = "stiffness.k_punch";
constexpr const char* kName = "Small pad";

/// Writes a recording of a plain pad where it is told to; what goes wrong is set by the test.
class CopyingRig : public StationRig {
 public:
  explicit CopyingRig(const TestFolder& folder) : folder_(folder) {}

  Result<void> make_room(const AskPerson&, const Job&) override {
    done.push_back("room");
    return {};
  }
  Result<RecordReport> record(const RecordRequest& request, const AskPerson&, const Job&) override {
    done.push_back((request.resume ? "resume " : "record ") + request.sensor_serial);
    if (refuse_resume && request.resume)
      return fail(ErrorCode::kDeviceFault, "the pad lies 1.2 mm from where it was");
    if (refuse) return fail(ErrorCode::kUnidentifiable, "surface: nothing was touched within 4 mm");
    write(request);
    RecordReport report;
    report.file = request.target;
    report.complete = !cut_off;
    if (trip) return fail(ErrorCode::kDeviceFault, "pad force 3.12 N, limit 3 N");
    return report;
  }
  bool complete(const RecordRequest&) override { return finished_before_it_was_taken; }
  std::optional<std::string> locked() override {
    return trip ? std::optional<std::string>("pad force") : std::nullopt;
  }

  std::vector<std::string> done;
  std::map<std::string, double> stiffness_N_per_mm;  // by serial number; else 2
  bool refuse = false, trip = false, cut_off = false, refuse_resume = false;
  bool finished_before_it_was_taken = false;

 private:
  void write(const RecordRequest& request) {
    PlainSession session;
    session.sensor_json =
        fmt::format(R"({{"model": "{}", "rows": 2, "columns": 3, "pitch_x_mm": 3.4,
                         "pitch_y_mm": 3.4, "adc": {{"bits": 12, "min": 0, "max": 4095}}}})",
                    kName);
    session.extra_json = fmt::format(R"("sensor_serial": "{}", "operator": "{}",)",
                                     request.sensor_serial, request.operator_name);
    session.pad.force_noise_N = 0.004;
    if (const auto k = stiffness_N_per_mm.find(request.sensor_serial);
        k != stiffness_N_per_mm.end())
      session.pad.stiffness_N_per_mm = k->second;
    for (int i = 1; i <= 3; ++i) session.presses.push_back({i, 4, 2.2});
    session.write(folder_, "raw");
    fs::remove(request.target);
    ImportRequest import;
    import.source = folder_ / "raw";
    import.target = request.target;
    const auto made = import_session(import, {});
    ASSERT_TRUE(made) << made.error().message;
    fs::remove_all(folder_ / "raw");
  }

  const TestFolder& folder_;
};

class ListedOperator : public StationOperator {
 public:
  Result<std::optional<std::string>> next_line(const StationPrompt& prompt) override {
    prompts.push_back(prompt_text(prompt));
    if (lines.empty()) return std::optional<std::string>();
    auto line = lines.front();
    lines.pop_front();
    return line;
  }
  void begins(StationStep step, const std::string&) override { steps.push_back(step); }
  void tell(const std::string& line) override { told.push_back(line); }
  void not_measured(const std::string& serial, const std::string& why) override {
    not_measured_ones.push_back(serial + ": " + why);
  }
  void judged(const StationLabel& label) override { labels.push_back(label); }
  Result<std::optional<double>> answer(const std::string& text, const std::string&) override {
    return fail(ErrorCode::kCancelled, "'{}' was not expected", text);
  }

  std::deque<std::string> lines;
  std::vector<std::string> prompts, told, not_measured_ones;
  std::vector<StationStep> steps;
  std::vector<StationLabel> labels;
};

class StationRun : public testing::Test {
 protected:
  /// 1900, 1925 ... 2100 N/m under the pin: median 2000, MAD 50, limits 2000 -+ 3 * 74.13.
  void SetUp() override {
    auto catalogue = Catalogue::open(folder_ / "fleet.sqlite");
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    for (int i = 0; i < 9; ++i) {
      CatalogueFit fit;
      fit.key = fmt::format("{}", i);
      fit.sensor = kName;
      fit.serial = fmt::format("F{}", i);
      fit.state = "identified";
      CatalogueValue row;
      row.path = kPath;
      row.value = 1900 + 25 * i;
      row.unit = "N/m";
      row.status = "identified";
      fit.values = {row};
      ASSERT_TRUE(catalogue->add(fit));
    }
    settings_.folder = folder_ / "line3";
    settings_.limits = {folder_ / "fleet.sqlite", {kPath}};
    settings_.operator_name = "anna";
  }
  Result<StationTally> run(std::deque<std::string> lines) {
    who_.lines = std::move(lines);
    who_.prompts.clear();
    who_.told.clear();
    who_.not_measured_ones.clear();
    who_.steps.clear();
    who_.labels.clear();
    rig_.done.clear();
    return run_station(settings_, kName, rig_, who_, {});
  }
  std::vector<CatalogueFit> fits_of(const std::string& serial) const {
    const auto catalogue = Catalogue::read(folder_ / "fleet.sqlite");
    std::vector<CatalogueFit> fits;
    EXPECT_TRUE(catalogue->for_each_fit([&](const CatalogueFit& fit) {
      if (fit.serial == serial) fits.push_back(fit);
    }));
    return fits;
  }
  std::set<std::string> files(const char* part) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "line3" / part))
      names.insert(entry.path().filename().string());
    return names;
  }

  TestFolder folder_;
  StationSettings settings_;
  CopyingRig rig_{folder_};
  ListedOperator who_;
};

TEST_F(StationRun, ASensorGoesFromItsCodeToItsLabelAndIntoTheCatalogue) {
  const auto tally = run({" G1\r", "", "G1", "end", "never read"});
  ASSERT_TRUE(tally) << tally.error().message;
  EXPECT_EQ(*tally, (StationTally{{"accept", 1}}));
  EXPECT_THAT(rig_.done, ElementsAre("room", "record G1", "room"));
  EXPECT_THAT(who_.steps, ElementsAre(StationStep::kTipUp, StationStep::kMeasure,
                                      StationStep::kRelease, StationStep::kJudge));
  EXPECT_THAT(who_.prompts[1], HasSubstr("the tip goes up first"));
  EXPECT_THAT(who_.prompts[2], HasSubstr("G1: clamp it"));
  ASSERT_EQ(who_.labels.size(), 1U);
  const auto& label = who_.labels[0];
  EXPECT_EQ(label.serial, "G1");
  EXPECT_EQ(label.operator_name, "anna");
  EXPECT_EQ(label.why, "");
  EXPECT_EQ(label.program, "tactelier " TACTELIER_VERSION);
  EXPECT_EQ(label.model_sha256, text_hash(folder_.read("line3/" + label.model)));
  const auto document = nlohmann::json::parse(folder_.read("line3/labels/" + label.id + ".json"));
  const auto valid = check_schema(document, "station-label", "label");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_THAT(folder_.read("line3/labels/" + label.id + ".txt"),
              testing::AllOf(HasSubstr("G1  ACCEPT\nSmall pad"),
                             HasSubstr("\ntactelier " TACTELIER_VERSION "\n")));
  const auto fits = fits_of("G1");
  ASSERT_EQ(fits.size(), 1U);
  EXPECT_EQ(fits[0].verdict, "accept");
  EXPECT_EQ(fits[0].key, label.key);
  EXPECT_EQ(files("recordings"), (std::set<std::string>{label.id + ".tact"}));
  EXPECT_TRUE(files("begun").empty());
}

TEST_F(StationRun, ALabelOfBeforeThatNamesNoProgramIsReadAndListedByItsDay) {
  ASSERT_TRUE(run({"G1", "", ""}));
  const auto file = "line3/labels/" + who_.labels.at(0).id + ".json";
  auto document = nlohmann::json::parse(folder_.read(file));
  document.erase("program");
  folder_.write(file, document.dump());
  folder_.write("line3/labels/A9-20200101T100000Z.json", document.dump());  // another day
  folder_.write("line3/labels/damaged-20990101T100000Z.json", "{");
  const auto label = read_label(folder_ / file);
  ASSERT_TRUE(label) << label.error().message;
  EXPECT_EQ(label->program, "");
  const auto since = labels_since(settings_.folder / "labels", "2026-01-01T00:00:00Z");
  ASSERT_EQ(since.size(), 1U);
  EXPECT_EQ(since[0].serial, "G1");
  EXPECT_EQ(labels_since(settings_.folder / "labels", "2020-01-01T00:00:00Z").size(), 2U);
  EXPECT_TRUE(labels_since(folder_ / "none", "2020-01-01T00:00:00Z").empty());
}

TEST_F(StationRun, ASensorThatIsRejectedSaysWhyWithNumbers) {
  rig_.stiffness_N_per_mm = {{"B1", 3.0}};
  ASSERT_TRUE(run({"B1", "", ""}));
  ASSERT_EQ(who_.labels.size(), 1U);
  EXPECT_EQ(verdict_word(who_.labels[0]), "reject");
  EXPECT_THAT(who_.labels[0].why, HasSubstr("punch stiffness k_punch 300"));
  EXPECT_THAT(who_.labels[0].why, HasSubstr("N/m, limits 1778 to 2222"));
  EXPECT_EQ(fits_of("B1").at(0).verdict, "reject");
  EXPECT_EQ(fits_of("B1").at(0).why, who_.labels[0].why);
}

TEST_F(StationRun, AnotherCodeInsteadOfAConfirmationIsTakenInstead) {
  ASSERT_TRUE(run({"G1", "", "G2", "G2"}));
  EXPECT_THAT(rig_.done, ElementsAre("room", "record G2", "room"));
}

TEST_F(StationRun, WhatIsNoSerialNumberOrNotExpectedMovesNothing) {
  auto catalogue = Catalogue::open(folder_ / "fleet.sqlite");
  CatalogueFit other;
  other.key = "other";
  other.sensor = "Large pad";
  other.serial = "L1";
  ASSERT_TRUE(catalogue->add(other));
  settings_.serials = {"G1", "L1"};
  ASSERT_TRUE(run({"../G1", "G7", "L1"}));
  ASSERT_EQ(who_.told.size(), 3U);
  EXPECT_THAT(who_.told[0], HasSubstr("'../G1' is no serial number"));
  EXPECT_THAT(who_.told[1], HasSubstr("G7 is not on the list"));
  EXPECT_THAT(who_.told[2], HasSubstr("L1 is catalogued as 'Large pad'"));
  EXPECT_TRUE(rig_.done.empty());
  settings_.serials.clear();
  settings_.known_only = true;
  ASSERT_TRUE(run({"G1"}));
  EXPECT_THAT(who_.told, Contains(HasSubstr("G1 is not in the catalogue")));
}

TEST_F(StationRun, ASensorThatCanNotBeMeasuredIsToldAndTheNextOneAskedFor) {
  rig_.refuse = true;
  ASSERT_TRUE(run({"G1", "", ""}));
  EXPECT_THAT(who_.not_measured_ones, ElementsAre("G1: surface: nothing was touched within 4 mm"));
  EXPECT_THAT(rig_.done, ElementsAre("room", "record G1", "room"));
  EXPECT_TRUE(who_.labels.empty());
  EXPECT_TRUE(fits_of("G1").empty());
}

TEST_F(StationRun, ALockedRigEndsItAndWhatWasRecordedGoesOn) {
  rig_.trip = true;
  const auto tripped = run({"G1", "", ""});
  ASSERT_FALSE(tripped);
  EXPECT_EQ(tripped.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(tripped.error().message, HasSubstr("The rig is locked: call whoever looks after it"));
  EXPECT_EQ(files("begun").size(), 1U);
  rig_.trip = false;
  ASSERT_TRUE(run({"G1", "", ""}));
  EXPECT_THAT(who_.prompts[2], HasSubstr("goes on"));
  EXPECT_THAT(rig_.done, ElementsAre("room", "resume G1", "room"));
  EXPECT_EQ(who_.labels.size(), 1U);
  EXPECT_TRUE(files("begun").empty());
}

TEST_F(StationRun, WhatCanNotGoOnIsSetAsideAndBegunAnew) {
  rig_.cut_off = true;
  const auto stopped = run({"G1", "", ""});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  const auto cut = files("begun");
  ASSERT_EQ(cut.size(), 1U);
  // Of another second: file names hold whole ones.
  fs::rename(folder_ / "line3/begun" / *cut.begin(),
             folder_ / "line3/begun/G1-20260101T100000Z.tact");
  rig_.cut_off = false;
  rig_.refuse_resume = true;
  ASSERT_TRUE(run({"G1", "", ""}));
  EXPECT_THAT(rig_.done, ElementsAre("room", "resume G1", "record G1", "room"));
  EXPECT_THAT(who_.told,
              Contains(HasSubstr("begun anew, for what was cut off can't go on: the pad")));
  EXPECT_EQ(files("set-aside"), (std::set<std::string>{"G1-20260101T100000Z.tact"}));
  EXPECT_EQ(who_.labels.size(), 1U);
}

TEST_F(StationRun, KilledBetweenAnyTwoStepsItEndsWithTheSameLabelAndOneRow) {
  ASSERT_TRUE(run({"G1", "", ""}));
  const auto label = who_.labels.at(0);
  const auto again = [&] {
    const auto tally = run({});
    EXPECT_TRUE(tally) << tally.error().message;
    EXPECT_TRUE(rig_.done.empty()) << "nothing is pressed again";
    EXPECT_EQ(fits_of("G1").size(), 1U);
    const auto kept = read_label(folder_ / "line3/labels" / (label.id + ".json"));
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(kept->acceptance, label.acceptance);
    EXPECT_EQ(kept->key, label.key);
  };
  const auto fresh_catalogue = [&] {
    fs::remove(folder_ / "fleet.sqlite");
    SetUp();
  };
  again();
  EXPECT_TRUE(who_.labels.empty()) << "it was told before";
  fresh_catalogue();  // before the catalogue
  again();
  fresh_catalogue();  // before the label
  fs::remove(folder_ / "line3/labels" / (label.id + ".json"));
  again();
  EXPECT_EQ(who_.labels.size(), 1U);
  fresh_catalogue();  // before the fit
  fs::remove(folder_ / "line3/labels" / (label.id + ".json"));
  fs::remove_all(folder_ / "line3/station.results");
  again();
  fresh_catalogue();  // before the plan
  fs::remove(folder_ / "line3/labels" / (label.id + ".json"));
  fs::remove_all(folder_ / "line3/station.results");
  fs::remove(folder_ / "line3/station.json");
  again();
}

TEST_F(StationRun, WhatIsLabelledIsNotFittedAnewByOtherOptions) {
  ASSERT_TRUE(run({"G1", "", ""}));
  const auto model = folder_.read("line3/" + who_.labels.at(0).model);
  settings_.fit.seed = 2;
  ASSERT_TRUE(run({}));
  const auto id = *files("recordings").begin();
  EXPECT_EQ(folder_.read("line3/station.results/" + id.substr(0, id.size() - 5) + "/model.json"),
            model);
  EXPECT_EQ(fits_of("G1").size(), 1U);
}

TEST_F(StationRun, ARecordingThatWasWholeAndNotTakenIsNotPressedAgain) {
  rig_.cut_off = true;
  ASSERT_FALSE(run({"G1", "", ""}));
  rig_.finished_before_it_was_taken = true;
  ASSERT_TRUE(run({"G1", "", ""}));
  EXPECT_THAT(rig_.done, ElementsAre("room", "room"));
  EXPECT_EQ(who_.labels.size(), 1U);
}

TEST_F(StationRun, WithoutParametersNothingIsJudgedAndTheFleetGrows) {
  settings_.limits = {folder_ / "new.sqlite", {}};
  const auto tally = run({"G1", "", ""});
  ASSERT_TRUE(tally) << tally.error().message;
  EXPECT_EQ(*tally, (StationTally{{"measured", 1}}));
  const auto catalogue = Catalogue::read(folder_ / "new.sqlite");
  ASSERT_TRUE(catalogue) << catalogue.error().message;
  EXPECT_EQ(catalogue->keys()->size(), 1U);
}

TEST_F(StationRun, TwoStationsInOneFolderAreRefused) {
  const auto held = StationFolder::open(settings_.folder, {});
  ASSERT_TRUE(held) << held.error().message;
  const auto second = run({});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another 'tactelier station' works here"));
}

TEST(StationCommand, WithoutSomebodyAtATerminalNothingBegins) {
  const TestFolder folder;
  const auto status = [&](const char* more) {
    const auto command = fmt::format(
        "cd {} && {} station line3 --devices none.json --rig none.json --catalogue f.sqlite {} "
        "</dev/null 2>err",
        folder.path().string(), paths::cli(), more);
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(status(""), 2);
  EXPECT_THAT(folder.read("err"), HasSubstr("--yes"));
  EXPECT_EQ(status("--yes"), 3);
  EXPECT_THAT(folder.read("err"), HasSubstr("none.json"));
}

}  // namespace
}  // namespace tactelier::test
