// Truth: oracles/15_slides and 15_slides.json (gen_15_slides.py: steps, play and microstep error
// one instant after the other, bristles by SciPy's LSODA).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <random>

#include "fitting/engine/stage.hpp"
#include "fitting/friction/friction_report.hpp"
#include "fitting/friction/slide_data.hpp"
#include "fitting/friction/slide_estimate.hpp"
#include "fitting/friction/slide_fit.hpp"
#include "fitting/friction/slide_search.hpp"
#include "fitting/friction/slide_sensor.hpp"
#include "fitting/friction/slide_verdict.hpp"
#include "fitting/friction/slide_walk.hpp"
#include "libcalib/import/import.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

/// The oracle's session, imported once.
class WholeSlides : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    file_ =
        std::filesystem::temp_directory_path() / fmt::format("tactelier-slides-{}.tact", getpid());
    const auto folder = std::filesystem::path(paths::oracles()) / "15_slides";
    const auto imported = import_folder(folder, file_, {}, {});
    ASSERT_TRUE(imported) << imported.error().message;
    session_ = std::make_unique<Session>(Session::open(file_).value());
  }
  static void TearDownTestSuite() {
    session_.reset();
    std::filesystem::remove(file_);
  }

  static FitContext context() {
    FitContext context;
    context.sessions.push_back({session_.get(), {}, {}, "slides"});
    return context;
  }
  static SlideTracks tracks() {
    const auto here = context();
    const auto runs = load_slides(here, 0);
    EXPECT_TRUE(runs) << runs.error().message;
    auto found = slide_tracks(here, *runs);
    EXPECT_TRUE(found) << found.error().message;
    found->side_m_per_N = 0;
    return *found;
  }
  static double truth(const char* name) { return oracle::json("15_slides.json")["truth"][name]; }

  static inline std::filesystem::path file_;
  static inline std::unique_ptr<Session> session_;
};

TEST_F(WholeSlides, TakeTheDriftOfTheLoadsZeroOutBetweenFreeAirBeforeAndAfter) {
  const auto found = tracks();
  ASSERT_EQ(found.contacts.size(), 2U) << found.why_not;
  // 0.5 and 2 N, which swing by 4 % over 1.43 s; the zero is 0.25 N off and goes on by 3 mN/s.
  for (const std::size_t c : {0U, 1U}) {
    const double load_N = c == 0 ? 0.5 : 2.0;
    const auto& contact = found.contacts[c];
    for (std::size_t i = 0; i < contact.time_s.size(); ++i) {
      const double t_s = contact.time_s[i] - 3e-3;
      const double expected_N = load_N * (1 + 0.04 * std::sin(2 * M_PI * 0.7 * t_s));
      const bool under_load =
          t_s > contact.time_s.front() + 0.1 && t_s < contact.time_s.back() - 0.1;
      if (under_load) {
        ASSERT_NEAR(contact.normal_N[i], expected_N, 4e-3) << t_s;
      }
    }
  }
  EXPECT_DOUBLE_EQ(found.step_m, 2.5e-6);
}

/// One slide of the oracle without noise, a row of force at the end of each tick.
struct Trace {
  SlideContact contact;
  TipMotion motion;
  std::vector<double> expected_N;
  double slid_m = 0;
};

Trace oracle_trace() {
  const auto trace = oracle::json("15_slides.json")["trace"];
  const auto place_um = trace["place_um"].get<std::vector<double>>();
  const std::size_t rows = place_um.size();
  Trace made;
  made.contact.load_N = 0.5;
  made.contact.step_s.assign(rows, 1e-3);
  for (std::size_t i = 0; i < rows; ++i)
    made.contact.time_s.push_back(1e-3 * static_cast<double>(i));
  made.contact.normal_N = trace["load_N"].get<std::vector<double>>();
  made.contact.slides.push_back({0, rows});
  made.expected_N = trace["friction_N"].get<std::vector<double>>();
  made.slid_m = trace["slid_m"];
  made.motion.tick_s = 1e-3;
  made.motion.slides.push_back({0, 0, rows});
  for (std::size_t i = 0; i < rows; ++i)
    made.motion.speed_m_per_s.push_back(i == 0 ? 0 : 1e-3 * (place_um[i] - place_um[i - 1]));
  return made;
}

SlideValues true_values() {
  const auto truth = oracle::json("15_slides.json")["truth"];
  SlideValues p(kSlideShared, 0.0);
  p[kSlideDynamic] = truth["mu_d"];
  p[kSlideDrop] = truth["mu_s"].get<double>() - p[kSlideDynamic];
  p[kSlideLogStribeck] = std::log(truth["v_s_m_per_s"].get<double>());
  p[kSlideLogSigma0] = std::log(truth["sigma0_N_per_m"].get<double>());
  p[kSlideSigma1] = truth["sigma1_N_s_per_m"];
  p[kSlideViscous] = truth["c_t_N_s_per_m"];
  p[kSlideExponent] = truth["load_exponent"];
  p[kSlideRunningIn] = truth["running_in"];
  p[kSlideLogLength] = std::log(truth["running_in_length_m"].get<double>());
  return p;
}

TEST(SlideLaw, FollowsBristlesThatSciPyIntegratedUnderAVaryingLoad) {
  const auto trace = oracle_trace();
  auto p = true_values();
  std::vector<double> friction_N;
  contact_friction_N(trace.contact, trace.motion, trace.slid_m, 0, 1.0, {}, p, friction_N);
  // Both begin at the same place only after the bristles have turned over: 0.4 mm.
  double slid_m = 0, largest_N = 0;
  for (std::size_t i = 0; i < friction_N.size(); ++i) {
    slid_m += std::abs(trace.motion.speed_m_per_s[i]) * 1e-3;
    if (slid_m > 1.0e-3)
      largest_N = std::max(largest_N, std::abs(friction_N[i] - trace.expected_N[i]));
  }
  EXPECT_GT(slid_m, 1.9e-3);
  EXPECT_LT(largest_N, 2e-4);
}

TEST(SlideLaw, IsSeenLaterByTheDelayAndUnderTheLoadThatTheSensorSawLater) {
  const auto trace = oracle_trace();
  auto p = true_values();
  std::vector<double> now_N, late_N;
  auto moved = trace.contact;  // the load is late as well
  for (std::size_t i = moved.normal_N.size(); i-- > 5;) moved.normal_N[i] = moved.normal_N[i - 5];
  contact_friction_N(trace.contact, trace.motion, 0, 0, 1.0, {}, p, now_N);
  p[kSlideDelay] = 5e-3;
  contact_friction_N(moved, trace.motion, 0, 0, 1.0, {}, p, late_N);
  for (std::size_t i = 20; i < now_N.size(); ++i) ASSERT_NEAR(late_N[i], now_N[i - 5], 2e-4) << i;
}

/// Columns whose slopes differ from numeric ones by more than those are good for.
std::vector<std::size_t> wrong_slopes(const SlideTracks& tracks, const SlideSetting& setting,
                                      double side_m_per_N) {
  const SlideProblem problem(tracks);
  auto p = true_values();
  p.resize(problem.size());
  p[kSlideBacklash] = 12e-6;
  p[kSlideRippleCos] = 3e-6;
  p[kSlideSecondCos] = 0.5e-6;
  p[kSlideSecondSin] = -0.8e-6;
  p[kSlideLogRing] = std::log(90);
  p[kSlideRingDamping] = 0.2;
  p[kSlideDelay] = 3.3e-3;
  p[kSlideLag] = 0.7e-3;
  p[kSlideSide] = side_m_per_N;
  std::vector<double> slopes(problem.residuals() * problem.size());
  std::vector<double> up(problem.residuals()), down(problem.residuals());
  EXPECT_TRUE(problem.evaluate(setting, p, up));
  EXPECT_TRUE(problem.slopes(setting, p, {}, down, slopes));
  for (std::size_t i = 0; i < up.size(); ++i)
    EXPECT_NEAR(up[i], down[i], 1e-9 * (1 + std::abs(up[i])));
  std::vector<std::size_t> wrong;
  for (std::size_t j = 0; j < problem.size(); ++j) {
    if (j == kSlideSide && side_m_per_N == 0) continue;  // no rig is stiffer
    const bool second = j == kSlideSecondCos || j == kSlideSecondSin;
    const bool place = j >= kSlideBacklash && j <= kSlideSecondSin;
    const bool rings = setting.shape == StepShape::kRinging;
    // A tip that swings turns around in many ticks, and friction bends there.
    const double step = second && rings    ? 2e-9
                        : place            ? 1e-8
                        : j == kSlideSide  ? 1e-9
                        : j == kSlideDelay ? 1e-5
                                           : 3e-5;
    auto shifted = p;
    shifted[j] += step;
    EXPECT_TRUE(problem.evaluate(setting, shifted, up));
    shifted[j] -= 2 * step;
    EXPECT_TRUE(problem.evaluate(setting, shifted, down));
    if (setting.shape != StepShape::kRinging && (j == kSlideLogRing || j == kSlideRingDamping))
      continue;
    double off = 0, size = 0;
    for (std::size_t i = 0; i < up.size(); ++i) {
      const double numeric = (up[i] - down[i]) / (2 * step);
      off += std::pow(slopes[i * problem.size() + j] - numeric, 2);
      size += numeric * numeric;
    }
    EXPECT_GT(size, 0) << j;
    const bool drives = j >= kSlideBacklash && j < kSlideDelay;
    // An axis that rings comes to rest below a threshold: its place has small jumps.
    const double exact = side_m_per_N > 0 ? 1e-5 : 1e-8;  // a tick in series is searched for
    const double tolerance = drives && setting.shape == StepShape::kRinging ? 0.02
                             : drives                                       ? 10 * exact + 1e-5
                             : j == kSlideLag                               ? 2e-3
                                                                            : exact;
    if (!(off < tolerance * tolerance * size)) wrong.push_back(j);
  }
  return wrong;
}

TEST_F(WholeSlides, HaveSlopesThatAgreeWithNumericDifferences) {
  const auto found = tracks();
  for (const auto shape : {StepShape::kSmooth, StepShape::kJump, StepShape::kRinging})
    for (const bool proportional : {false, true})
      for (const double side_m_per_N : {0.0, 50e-6})
        EXPECT_THAT(wrong_slopes(found, {shape, 40e-6, proportional, 0}, side_m_per_N),
                    ::testing::IsEmpty())
            << static_cast<int>(shape) << proportional << side_m_per_N;
}

// A tip that slides slowly for a second and then jumps to 25 mm/s: bristles stretched by static
// friction let go faster than the rig's spring follows, and by the tick's own law alone their
// slopes grow from tick to tick.
TEST(SlideSlopes, StayBoundedWhereBristlesLetGo) {
  constexpr double kTickTime_s = 0.25e-3;
  constexpr std::size_t kSlow = 4000, kFast = 800;
  SlideTracks made;
  made.reference_N = 2;
  auto& contact = made.contacts.emplace_back();
  contact.load_N = 2;
  TipMotion motion;
  motion.tick_s = kTickTime_s;
  motion.slides.push_back({kTickTime_s, 0, kSlow + kFast});
  for (std::size_t i = 0; i < kSlow + kFast; ++i) {
    motion.speed_m_per_s.push_back(i < kSlow ? 2e-3 : 25e-3);
    if (i % 4 == 3) contact.time_s.push_back(static_cast<double>(i + 1) * kTickTime_s);
  }
  contact.step_s.assign(contact.time_s.size(), 1e-3);
  contact.normal_N.assign(contact.time_s.size(), 2);
  contact.friction_N.assign(contact.time_s.size(), 0);
  contact.slides.push_back({0, contact.time_s.size(), 10e-3, 25e-3, true});
  SlideValues p(kSlideShared + 2, 0.0);
  p[kSlideDynamic] = 0.37;
  p[kSlideDrop] = 0.4;
  p[kSlideLogStribeck] = std::log(4e-3);
  p[kSlideLogSigma0] = std::log(2800);
  p[kSlideSigma1] = 8;
  p[kSlideViscous] = 0.6;
  p[kSlideLogLength] = std::log(0.05);
  p[kSlideSide] = 50e-6;
  const TipSlopes tip{std::vector<AxisSlopes>(kSlow + kFast, AxisSlopes::Zero()),
                      AxisSlopes::Zero()};
  const SlideSetting setting{StepShape::kSmooth, 0, false, 0};
  const auto blocks = slide_blocks(made);
  const auto by = contact_slopes(contact, motion, tip, 0, 0, 0, 2, setting, p, blocks);
  double most = 0;
  for (const auto& column : by.columns) most = std::max(most, std::abs(column[kSlideDynamic]));
  EXPECT_LT(most, 10);  // N by one in mu, under a load of 2 N
}

TEST_F(WholeSlides, GiveWhatTheOracleWasMadeWith) {
  const auto found = search_slides(tracks(), {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->found()) << found->why_not;
  EXPECT_EQ(found->no_static, "");
  const auto& p = found->fit.values;
  const auto v = lugre_values(p);
  const double law = std::pow(found->reference_N / truth("at_load_N"), truth("load_exponent"));
  EXPECT_NEAR(v[kLugreDynamic], law * truth("mu_d"), 0.006 * v[kLugreDynamic]);
  EXPECT_NEAR(v[kLugreStatic], law * truth("mu_s"), 0.03 * v[kLugreStatic]);
  EXPECT_NEAR(v[kLugreStribeck], truth("v_s_m_per_s"), 0.05 * v[kLugreStribeck]);
  EXPECT_NEAR(v[kLugreSigma0], truth("sigma0_N_per_m"), 0.01 * v[kLugreSigma0]);
  EXPECT_NEAR(v[kLugreSigma1], truth("sigma1_N_s_per_m"), 0.15 * v[kLugreSigma1]);
  EXPECT_NEAR(p[kSlideExponent], truth("load_exponent"), 0.01);
  EXPECT_NEAR(p[kSlideRunningIn], truth("running_in"), 0.02);
  EXPECT_NEAR(p[kSlideBacklash], 12e-6, 0.5e-6);
  EXPECT_NEAR(p[kSlideDelay], 3e-3, 0.5e-3);
  EXPECT_LT(std::abs(std::remainder(found->fit.setting.phase, 1.0)), 0.05);  // whole milliseconds
  EXPECT_EQ(found->fit.setting.shape, StepShape::kJump);
  EXPECT_LT(found->fit.chi2_per_dof(), 1.1);
  ASSERT_EQ(found->others.size(), 2U);  // a ringing so fast that it hardly differs, and gliding
  EXPECT_EQ(found->others[0].setting.shape, StepShape::kRinging);
  EXPECT_GT(std::exp(found->others[0].values[kSlideLogRing]), 200);
  EXPECT_GT(found->others[1].chi2_per_dof(), found->fit.chi2_per_dof() + 0.1);
}

/// What a force sensor gives whose clock runs fast: its rows drift across the ticks of the stage.
SlideTracks with_fast_rows(SlideTracks tracks, double skew) {
  for (auto& contact : tracks.contacts) {
    const auto old = contact;
    for (const auto& rows : old.slides)
      for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const double late = skew * contact.time_s[i] / old.step_s[i];  // in rows
        const double at = std::max(static_cast<double>(rows.begin), static_cast<double>(i) - late);
        const auto low = static_cast<std::size_t>(at);
        const double share = at - static_cast<double>(low);
        const auto between = [&](const std::vector<double>& values) {
          return share > 0 ? (1 - share) * values[low] + share * values[low + 1] : values[low];
        };
        contact.time_s[i] = between(old.time_s);
        contact.step_s[i] = old.step_s[i] * (1 - skew);
        contact.normal_N[i] = between(old.normal_N);
        contact.friction_N[i] = between(old.friction_N);
      }
  }
  return tracks;
}

TEST_F(WholeSlides, AreToldByAForceSensorWhoseRowsDriftAcrossTheTicksOfTheStage) {
  const auto found = search_slides(with_fast_rows(tracks(), 3e-4), {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->found()) << found->why_not;
  const auto v = lugre_values(found->fit.values);
  const double law = std::pow(found->reference_N / truth("at_load_N"), truth("load_exponent"));
  EXPECT_NEAR(v[kLugreDynamic], law * truth("mu_d"), 0.02 * v[kLugreDynamic]);
  EXPECT_NEAR(v[kLugreStatic], law * truth("mu_s"), 0.02 * v[kLugreStatic]);
  EXPECT_NEAR(v[kLugreStribeck], truth("v_s_m_per_s"), 0.03 * v[kLugreStribeck]);
  EXPECT_NEAR(found->fit.values[kSlideRippleCos], 4e-6 * std::cos(0.7), 0.15e-6);
  EXPECT_LT(std::abs(std::remainder(found->fit.setting.phase, 1.0)), 0.05);
}

// Half a period beside the microstep error that was there, a search ends where it must not.
TEST_F(WholeSlides, BeginAgainFromOtherPhasesOfTheMicrostepError) {
  const auto slides = tracks();
  const SlideSolver solver(slides, {}, 1);
  SlideSetting setting;
  setting.ripple_period_m = 40e-6;
  const auto stuck = solver.fit(setting, solver.with_ripple(solver.generic(3e-3), 0.7 + M_PI),
                                kSlideFine, {kSlideRippleCos, kSlideRippleSin});
  ASSERT_TRUE(stuck) << stuck.error().message;
  ASSERT_GT(stuck->chi2_per_dof(), kGoodSlideFit);
  const auto begun = from_other_ripples(solver, *stuck);
  EXPECT_LT(begun.chi2_per_dof(), stuck->chi2_per_dof());
  const auto freed = solver.fit(begun.setting, begun.values, kSlideFine);
  ASSERT_TRUE(freed) << freed.error().message;
  EXPECT_LT(freed->chi2_per_dof(), kGoodSlideFit);
  // sigma1 and the filter were held in between: a quarter of the error will do.
  EXPECT_NEAR(freed->values[kSlideRippleCos], 4e-6 * std::cos(0.7), 1e-6);
  EXPECT_NEAR(freed->values[kSlideRippleSin], 4e-6 * std::sin(0.7), 1e-6);
}

constexpr double kWhite_N = 30e-3;  // from the least to the most

/// The same slides with friction as it is by `p` (the microstep error and the delay of all are set
/// here), and white noise.
SlideTracks with_friction(SlideTracks tracks, const SlideSetting& setting, SlideValues p,
                          unsigned seed) {
  p.resize(SlideProblem(tracks).size());
  p[kSlideBacklash] = 12e-6;
  p[kSlideRippleCos] = 4e-6 * std::cos(0.7);
  p[kSlideRippleSin] = 4e-6 * std::sin(0.7);
  p[kSlideDelay] = 3e-3;
  const auto motions = tip_motions(tracks, setting, p);
  const auto slid_m = slid_before_m(tracks, motions);
  std::mt19937 random(seed);
  std::vector<double> friction_N;
  for (std::size_t c = 0; c < tracks.contacts.size(); ++c) {
    auto& contact = tracks.contacts[c];
    contact_friction_N(contact, motions[c], slid_m[c], 0, tracks.reference_N, setting, p,
                       friction_N);
    for (std::size_t i = 0; i < friction_N.size(); ++i)
      contact.friction_N[i] =
          friction_N[i] + kWhite_N * (static_cast<double>(random()) * 0x1p-32 - 0.5);
    for (auto& rows : contact.slides) rows.sigma_N = kWhite_N / std::sqrt(12);
  }
  return tracks;
}

SlideTracks with_ringing(SlideTracks tracks, double frequency_hz, double damping) {
  auto p = true_values();
  p[kSlideLogRing] = std::log(frequency_hz);
  p[kSlideRingDamping] = damping;
  return with_friction(std::move(tracks), {StepShape::kRinging, 40e-6, false, 0, true},
                       std::move(p), 17);
}

// Where noise puts the best sigma1 below 0, a wall there would hold all other numbers up.
TEST_F(WholeSlides, AreFoundWhereBristlesDoNotDamp) {
  SlideSetting setting;
  setting.ripple_period_m = 40e-6;
  auto truth_of = true_values();
  truth_of[kSlideSigma1] = 0;
  const auto slides = with_friction(tracks(), setting, truth_of, 3);
  const SlideSolver solver(slides, {}, 1);
  const auto fit = solver.fit(setting, solver.with_ripple(solver.generic(3e-3), 0.7), kSlideFine);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_LT(fit->values[kSlideSigma1], 0);
  EXPECT_LT(fit->chi2_per_dof(), kGoodSlideFit);
  EXPECT_NEAR(fit->values[kSlideDrop], truth_of[kSlideDrop], 0.05 * truth_of[kSlideDrop]);
}

/// Each slide's samples of friction as many ms later as `random` says, up to `most_s`.
SlideTracks with_late_lines(SlideTracks tracks, double most_s) {
  std::mt19937 random(5);
  for (auto& contact : tracks.contacts) {
    const auto told_N = contact.friction_N;
    for (const auto& rows : contact.slides) {
      const double late_s = most_s * static_cast<double>(random()) * 0x1p-32;
      BetweenRows friction(std::span(contact.time_s).subspan(rows.begin, rows.end - rows.begin),
                           std::span(told_N).subspan(rows.begin, rows.end - rows.begin));
      for (std::size_t i = rows.begin; i < rows.end; ++i)
        contact.friction_N[i] = friction.at(contact.time_s[i] - late_s);
    }
  }
  return tracks;
}

// With the best time of each slide projected out, J'r is the gradient of the cost that is left.
void expect_gradient(const SlideTracks& on_time, SlideSetting setting, double side_m_per_N) {
  auto truth = true_values();
  truth[kSlideSide] = side_m_per_N;
  auto slides = with_late_lines(with_friction(on_time, setting, truth, 9), 10e-3);
  slides.side_m_per_N.reset();
  setting.u_late_s = 6e-3;
  const SlideProblem problem(slides);
  auto p = truth;
  p.resize(problem.size());
  p[kSlideDynamic] *= 1.02;
  p[kSlideBacklash] = 11e-6;
  p[kSlideRippleCos] = 3e-6;
  p[kSlideDelay] = 5e-3;
  p[kSlideLag] = 0.7e-3;
  std::vector<double> r(problem.residuals()), slopes(problem.residuals() * problem.size());
  ASSERT_TRUE(problem.slopes(setting, p, {}, r, slopes));
  EXPECT_GT(*std::max_element(r.end() - 40, r.end() - 1), 0.5);  // late by 3 ms and more
  const auto cost_at = [&](std::size_t j, double step) {
    auto shifted = p;
    shifted[j] += step;
    std::vector<double> residuals(problem.residuals());
    EXPECT_TRUE(problem.evaluate(setting, shifted, residuals));
    double cost = 0;
    for (const double each : residuals) cost += each * each / 2;
    return cost;
  };
  for (const auto j : {kSlideDynamic, kSlideDrop, kSlideLogSigma0, kSlideSigma1, kSlideViscous,
                       kSlideExponent, kSlideRunningIn, kSlideDelay, kSlideLean, kSlideSide}) {
    if (j == kSlideSide && side_m_per_N == 0) continue;  // no rig is stiffer than that
    const double step = j == kSlideDelay ? kSlideDelayStep_s : j == kSlideSide ? 1e-8 : 1e-4;
    double gradient = 0, size = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      gradient += slopes[i * problem.size() + j] * r[i];
      size += std::pow(slopes[i * problem.size() + j], 2);
    }
    const double numeric = (cost_at(j, step) - cost_at(j, -step)) / (2 * step);
    // Between ticks friction is a straight line: its slope by the delay has small jumps.
    const double tolerance = j == kSlideDelay ? 1e-2 : 2e-3;
    EXPECT_NEAR(gradient, numeric, tolerance * std::abs(numeric) + 1e-3 * std::sqrt(size)) << j;
  }
}

TEST_F(WholeSlides, HaveTheGradientOfWhatIsLeftBesideEachSlidesOwnTime) {
  SlideSetting setting;
  setting.ripple_period_m = 40e-6;
  expect_gradient(tracks(), setting, 0);
}

TEST_F(WholeSlides, HaveThatGradientInSeriesWithTheRigToo) {
  SlideSetting setting;
  setting.ripple_period_m = 40e-6;
  expect_gradient(tracks(), setting, 5e-5);
}

/// Friction of bristles behind a rig of 50 µm/N.
SlideTracks behind_a_rig(const SlideTracks& tracks) {
  SlideSetting setting;
  setting.ripple_period_m = 40e-6;
  auto truth = true_values();
  truth[kSlideSide] = 50e-6;
  return with_friction(tracks, setting, truth, 11);
}

// What the rig gives is in the model, not taken off afterwards: sigma0 comes out as the bristles'.
TEST_F(WholeSlides, TellTheBristlesFromARigThatIsKnown) {
  auto slides = behind_a_rig(tracks());
  slides.side_m_per_N = 50e-6;
  const auto found = search_slides(slides, {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->found()) << found->why_not;
  EXPECT_LT(found->fit.chi2_per_dof(), kGoodSlideFit);
  EXPECT_EQ(found->fit.values[kSlideSide], 50e-6);
  const auto v = lugre_values(found->fit.values);
  EXPECT_NEAR(v[kLugreSigma0], truth("sigma0_N_per_m"), 0.01 * truth("sigma0_N_per_m"));
  EXPECT_NEAR(v[kLugreDynamic], truth("mu_d"), 0.006 * truth("mu_d"));
}

// Where nobody knows, how a slide turns round tells it from the bristles, though not well; mu does
// not suffer.
TEST_F(WholeSlides, FindWhatTheRigGivesWhereNobodyKnows) {
  auto slides = behind_a_rig(tracks());
  slides.side_m_per_N.reset();
  const auto found = search_slides(slides, {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->found()) << found->why_not;
  EXPECT_LT(found->fit.chi2_per_dof(), kGoodSlideFit);
  const double u = standard_uncertainty(found->fit, kSlideSide);
  EXPECT_LT(u, 20e-6);
  EXPECT_NEAR(found->fit.values[kSlideSide], 50e-6, 2.5 * u);
  EXPECT_NEAR(lugre_values(found->fit.values)[kLugreDynamic], truth("mu_d"), 0.006 * truth("mu_d"));
}

// A controller that begins each line up to 10 ms late, anew each time.
TEST_F(WholeSlides, FindFrictionWhereEachLineBeginsLate) {
  SlideSetting setting;
  setting.ripple_period_m = 40e-6;
  const auto slides = with_late_lines(with_friction(tracks(), setting, true_values(), 9), 10e-3);
  const auto found = search_slides(slides, {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->found()) << found->why_not;
  const auto& fit = found->fit;
  EXPECT_GT(fit.setting.u_late_s, 0);
  EXPECT_LT(fit.chi2_per_dof(), 1.2);
  EXPECT_TRUE(found->no_static.starts_with("FR-STEPS")) << found->no_static;
  const auto v = lugre_values(fit.values);
  EXPECT_NEAR(v[kLugreDynamic], truth("mu_d"), 0.006 * truth("mu_d"));
  EXPECT_NEAR(v[kLugreSigma0], truth("sigma0_N_per_m"), 0.01 * truth("sigma0_N_per_m"));
  EXPECT_NEAR(fit.values[kSlideExponent], truth("load_exponent"), 0.01);
}

TEST_F(WholeSlides, FindStepsThatRingAndFrictionBesideThem) {
  const auto found = search_slides(with_ringing(tracks(), 90, 0.2), {});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->found()) << found->why_not;
  EXPECT_EQ(found->no_static, "");
  const auto& p = found->fit.values;
  EXPECT_EQ(found->fit.setting.shape, StepShape::kRinging);
  EXPECT_NEAR(std::exp(p[kSlideLogRing]), 90, 1);
  EXPECT_NEAR(p[kSlideRingDamping], 0.2, 0.01);
  EXPECT_NEAR(p[kSlideBacklash], 12e-6, 0.5e-6);
  const auto v = lugre_values(p);
  EXPECT_NEAR(v[kLugreDynamic], truth("mu_d"), 0.006 * truth("mu_d"));
  EXPECT_NEAR(v[kLugreStatic], truth("mu_s"), 0.01 * truth("mu_s"));
  const double u_stribeck = standard_uncertainty(found->fit, kSlideLogStribeck);
  EXPECT_LT(u_stribeck, 0.02);
  EXPECT_NEAR(std::log(v[kLugreStribeck] / truth("v_s_m_per_s")), 0, 3 * u_stribeck);
  for (const auto& other : found->others)
    EXPECT_GT(other.chi2_per_dof(), found->fit.chi2_per_dof() + 0.1);
}

TEST_F(WholeSlides, FillTheModelWhereTheStageAnswersTenTimesASecond) {
  const std::vector<std::string> stages{"friction"};
  std::vector<FitSession> sessions{{session_.get(), {}, {}, "slides"}};
  const auto model = fit(std::move(sessions), stages, {}, {});
  ASSERT_TRUE(model) << model.error().message;
  const auto& contact = model->friction.contact;
  for (const auto* parameter : {&contact.mu_d, &contact.mu_s, &contact.v_s, &contact.sigma0}) {
    ASSERT_TRUE(parameter->value) << parameter->reason;
    EXPECT_TRUE(parameter->ci95);
  }
  auto figures = model->quality.at("friction").figures;
  EXPECT_NEAR(figures["axis_backlash_um"], 12, 0.5);
}

// A gain of the load 5 % high takes 5 % off force over force, and makes 1 N of 0.95 N, where
// mu ~ N^-0.3 is 1.5 % higher: 3.5 %. The gain along the surface is another axis': 5 % more.
TEST_F(WholeSlides, DoNotKnowTheLoadOfTheirCoefficientsBetterThanTheSensorsGain) {
  const auto found = search_slides(tracks(), {});
  ASSERT_TRUE(found) << found.error().message;
  FrictionEstimate estimate;
  take_whole_slides(*found, estimate);
  SensorModel exact, certified;
  report_friction(estimate, {0.0, {}, {}}, exact);
  report_friction(estimate, {0.05, {}, {}}, certified);
  const auto& before = exact.friction.contact;
  const auto& after = certified.friction.contact;
  ASSERT_TRUE(before.mu_d.u_total && after.mu_d.u_total) << after.mu_d.reason;
  for (const auto parameter : {&LugreParameters::mu_d, &LugreParameters::mu_s}) {
    const auto &of_fit = before.*parameter, &with_load = after.*parameter;
    const double by_load = 2 * std::hypot(0.035, 0.05) * *with_load.value;
    EXPECT_GT(*with_load.u_total, std::hypot(2 * *with_load.std, 0.97 * by_load));
    EXPECT_LT(*with_load.u_total, std::hypot(*of_fit.u_total, 1.03 * by_load));
  }
  EXPECT_DOUBLE_EQ(*after.v_s.u_total, *before.v_s.u_total);
}

TEST_F(WholeSlides, SayHowFrictionGoesWithLoadAndSliding) {
  const std::vector<std::string> stages{"friction"};
  std::vector<FitSession> sessions{{session_.get(), {}, {}, "slides"}};
  const auto model = fit(std::move(sessions), stages, {}, {});
  ASSERT_TRUE(model) << model.error().message;
  const auto& contact = model->friction.contact;
  const auto close = [](const Parameter& found, double true_value) {
    ASSERT_TRUE(found.value && found.std) << found.reason;
    EXPECT_NEAR(*found.value, true_value, 3 * *found.std);
  };
  close(contact.load_exponent, -truth("load_exponent"));  // mu falls with the load: n > 0
  EXPECT_LT(*contact.load_exponent.std, 0.01);
  close(contact.running_in, truth("running_in"));
  ASSERT_TRUE(contact.running_in_length.value) << contact.running_in_length.reason;
  EXPECT_LT((*contact.running_in_length.ci95)[0], truth("running_in_length_m"));
  EXPECT_GT((*contact.running_in_length.ci95)[1], truth("running_in_length_m"));
  EXPECT_DOUBLE_EQ(*contact.load_reference.value, *contact.normal_force.value);
  EXPECT_EQ(contact.step_shape, "jump");
}

}  // namespace
}  // namespace tactelier
