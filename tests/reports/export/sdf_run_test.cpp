// The exported pads in the engines of Gazebo, against F = k x + c v worked by hand. In ODE stepped
// as Gazebo classic steps it, which makes of a contact's kp and kd
//   erp = dt kp / (dt kp + kd), cfm = 1 / (dt kp + kd)
// with the other body's kp in series and its kd added. In DART by sdf_dart.py.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "reports/export/exporter.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

#ifdef TACTELIER_ODE
#include <ode/ode.h>
#endif

namespace tactelier {
namespace {

using namespace testing_models;

SensorModel pad_of(double k, double c) {
  return with(mujoco_model(),
              {fmt::format("stiffness.k={}", k).c_str(), fmt::format("damping.c_n={}", c).c_str(),
               fmt::format("stiffness.max_penetration={}", 0.006).c_str()});
}

SensorModel valid_to(SensorModel model, double force_N) {
  model.validity.force_N = {{0.0, force_N}};
  return model;
}

struct Case {
  double k, c;
};
constexpr std::array kCases{Case{58.5, 0.0583}, Case{2000, 6}, Case{20000, 50}};

#ifdef TACTELIER_ODE

struct Tip {
  double x_m = 0, y_m = 0, radius_m = 0;             // its top at z = 0
  double kp = 1e12, kd = 1, max_vel = 0.01, mu = 1;  // of the contact; SDFormat's defaults
};

struct Pad {
  double step_s = 0;
  std::vector<Tip> tips;
};

std::array<double, 3> three(const pugi::xml_node& node) {
  std::istringstream text(node.text().get());
  std::array<double, 3> numbers{};
  for (auto& number : numbers) text >> number;
  return numbers;
}

double or_default(const pugi::xml_node& node, double otherwise) {
  return node ? node.text().as_double() : otherwise;
}

Tip read_tip(const pugi::xml_node& collision) {
  Tip tip;
  const auto centre_m = three(collision.child("pose"));
  tip.x_m = centre_m[0];
  tip.y_m = centre_m[1];
  tip.radius_m = collision.child("geometry").child("sphere").child("radius").text().as_double();
  const auto surface = collision.child("surface");
  const auto ode = surface.child("contact").child("ode");
  tip.kp = or_default(ode.child("kp"), tip.kp);
  tip.kd = or_default(ode.child("kd"), tip.kd);
  tip.max_vel = or_default(ode.child("max_vel"), tip.max_vel);
  tip.mu = or_default(surface.child("friction").child("ode").child("mu"), tip.mu);
  return tip;
}

/// The pad of the exported world, which says the step.
Pad read_pad(const SensorModel& model) {
  const auto written = (*exporter("sdf-ode"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  pugi::xml_document document;
  if (!written || written->sidecars.empty() ||
      !document.load_string(written->sidecars[0].text.c_str()))
    return {};
  const auto world = document.child("sdf").child("world");
  Pad out{world.child("physics").child("max_step_size").text().as_double(), {}};
  for (const auto& collision : world.last_child().child("link").children("collision"))
    out.tips.push_back(read_tip(collision));
  return out;
}

/// A plate on the pad; contacts as Gazebo classic sets them up.
class Ode {
 public:
  Ode(const Pad& pad, double plate_kg) : pad_(pad) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetContactMaxCorrectingVel(world_, pad.tips.at(0).max_vel);
    add_plate(plate_kg);
    for (const auto& tip : pad.tips) add_tip(tip);
    feedback_.resize(pad.tips.size());
    force_N_.resize(pad.tips.size());
  }
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;
  ~Ode() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  double depth_m() const { return kHalf_m - dBodyGetPosition(plate_)[2]; }
  double speed_m_per_s() const { return -dBodyGetLinearVel(plate_)[2]; }
  void set_speed(double along_m_per_s, double down_m_per_s) {
    dBodySetLinearVel(plate_, along_m_per_s, 0, -down_m_per_s);
  }
  void place(double depth_m) { dBodySetPosition(plate_, 0, 0, kHalf_m - depth_m); }
  const std::vector<double>& forces_N() const { return force_N_; }
  double lateral_N() const { return lateral_N_; }

  void step(double load_N) {
    touched_.assign(pad_.tips.size(), false);
    dSpaceCollide(space_, this,
                  [](void* self, dGeomID a, dGeomID b) { static_cast<Ode*>(self)->touch(a, b); });
    dBodyAddForce(plate_, 0, 0, -load_N);
    dWorldStep(world_, pad_.step_s);
    lateral_N_ = 0;
    for (std::size_t i = 0; i < force_N_.size(); ++i) {
      force_N_[i] = touched_[i] ? std::abs(feedback_[i].f1[2]) : 0;
      lateral_N_ += touched_[i] ? std::abs(feedback_[i].f1[0]) : 0;
    }
    dJointGroupEmpty(contacts_);
  }

 private:
  static constexpr double kHalf_m = 0.05;

  void add_plate(double mass_kg) {
    plate_ = dBodyCreate(world_);
    dMass mass;
    dMassSetBoxTotal(&mass, mass_kg, 0.1, 0.1, 2 * kHalf_m);
    dMassAdjust(&mass, mass_kg);
    dBodySetMass(plate_, &mass);
    place(0);
    plate_geom_ = dCreateBox(space_, 0.1, 0.1, 2 * kHalf_m);
    dGeomSetBody(plate_geom_, plate_);
    dBodySetMaxAngularSpeed(plate_, 0);
  }

  void add_tip(const Tip& tip) {
    auto* geom = dCreateSphere(space_, tip.radius_m);
    tips_.push_back(geom);
    dGeomSetPosition(geom, tip.x_m, tip.y_m, -tip.radius_m);
  }

  void touch(dGeomID a, dGeomID b) {
    if (a != plate_geom_ && b != plate_geom_) return;
    const auto tip = std::find(tips_.begin(), tips_.end(), a == plate_geom_ ? b : a);
    const auto i = static_cast<std::size_t>(tip - tips_.begin());
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) return;
    const double kp = 1 / (1 / pad_.tips[i].kp + 1e-12), kd = pad_.tips[i].kd;  // the plate's kd: 0
    const double both = pad_.step_s * kp + kd;
    contact.surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1;
    contact.surface.soft_erp = pad_.step_s * kp / both;
    contact.surface.soft_cfm = 1 / both;
    contact.surface.mu = pad_.tips[i].mu;
    auto* joint = dJointCreateContact(world_, contacts_, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    dJointSetFeedback(joint, &feedback_[i]);
    touched_[i] = true;
  }

  Pad pad_;
  dWorldID world_{};
  dSpaceID space_{};
  dJointGroupID contacts_{};
  dBodyID plate_{};
  dGeomID plate_geom_{};
  std::vector<dGeomID> tips_;
  std::vector<dJointFeedback> feedback_;
  std::vector<bool> touched_;
  std::vector<double> force_N_;
  double lateral_N_ = 0;
};

Pad pad_for(const Case& one) { return read_pad(valid_to(pad_of(one.k, one.c), one.k * 0.004)); }

TEST(SdfInOde, AWeightSinksAsDeepAsTheSpringsSay) {
  for (const auto& one : kCases) {
    const auto pad = pad_for(one);
    ASSERT_EQ(pad.tips.size(), 6U);
    for (const double depth_m : {2e-4, 1e-3, 4e-3}) {
      const double load_N = 6 * one.k * depth_m;
      Ode run(pad, load_N / 9.81);
      for (double t_s = 0; t_s < 6; t_s += pad.step_s) run.step(load_N * std::min(1.0, t_s));
      EXPECT_NEAR(run.depth_m(), depth_m, 1e-3 * depth_m) << one.k;
      for (const double force_N : run.forces_N())
        EXPECT_NEAR(force_N, one.k * depth_m, 1e-3 * one.k * depth_m) << one.k;
    }
  }
}

/// Forces on the tactels in the step that begins at the depth, or deeper, and where it began.
std::pair<std::vector<double>, double> driven_to(const Pad& pad, double depth_m, double speed) {
  Ode run(pad, 1e7);
  double begin_m = 0;
  while (begin_m < depth_m) {
    begin_m = run.depth_m();
    run.set_speed(0, speed);
    run.step(0);
  }
  return {run.forces_N(), begin_m};
}

TEST(SdfInOde, ForceIsStiffnessTimesDepthAndDampingTimesSpeed) {
  for (const auto& one : kCases) {
    const auto pad = pad_for(one);
    const auto [fast_N, fast_m] = driven_to(pad, 2e-3, 0.05);
    const auto [slow_N, slow_m] = driven_to(pad, 2e-3, 0.005);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(fast_N[i], one.k * fast_m + one.c * 0.05, 0.01 * one.k * fast_m) << one.k;
      const double seen = (fast_N[i] - slow_N[i] - one.k * (fast_m - slow_m)) / (0.05 - 0.005);
      EXPECT_NEAR(seen, one.c, 0.03 * one.c) << one.k;
    }
  }
}

TEST(SdfInOde, WhatSwingsDecaysAsTheDamperSays) {
  // 0.3 kg on 6 x 58.5 N/m and 6 x 0.0583 N s/m: c/2m = 0.583 1/s, sqrt(k/m - 0.583^2) = 34.2 1/s.
  const auto pad = pad_for({58.5, 0.0583});
  const double load_N = 1.2, rest_m = load_N / 351;
  Ode run(pad, 0.3);
  run.place(rest_m + 1e-3);
  std::vector<double> peaks_m, times_s;
  double before_m_per_s = 0;
  for (int i = 0; i * pad.step_s < 1.5; ++i) {
    run.step(load_N);
    const double speed = run.speed_m_per_s();
    if (before_m_per_s > 0 && speed <= 0) {
      peaks_m.push_back(run.depth_m() - rest_m);
      times_s.push_back(i * pad.step_s);
    }
    before_m_per_s = speed;
  }
  ASSERT_GT(peaks_m.size(), 5U);
  const double decay =
      std::log(peaks_m.front() / peaks_m.back()) / (times_s.back() - times_s.front());
  EXPECT_NEAR(decay, 0.583, 0.03 * 0.583);
}

TEST(SdfInOde, SlidingFrictionIsTheLoadTimesItsCoefficient) {
  const auto pad = pad_for({2000, 6});
  Ode run(pad, 1e7);
  run.place(1e-3);
  double lateral_N = 0, normal_N = 0;
  for (int i = 0; i < 200; ++i) {
    run.set_speed(0.02, 0);
    run.step(0);
    if (i < 20) continue;
    lateral_N += run.lateral_N();
    for (const double force_N : run.forces_N()) normal_N += force_N;
  }
  EXPECT_NEAR(lateral_N / normal_N, 0.23, 0.01 * 0.23);
}

#else

TEST(SdfInOde, NeedsLibode) { GTEST_SKIP() << "libode-dev is not installed"; }

#endif

constexpr int kNoDartpy = 77;

TEST(SdfInDart, DepthForceAndDecayAreWhatStiffnessAndDampingSay) {
  for (const auto& one : kCases) {
    const auto written = (*exporter("sdf"))->write(valid_to(pad_of(one.k, one.c), one.k * 0.004));
    ASSERT_TRUE(written) << written.error().message;
    ASSERT_EQ(written->sidecars.size(), 1U);
    const test::TemporaryFolder folder;
    test::save_text(folder / "press.sdf", written->sidecars[0].text);
    const int status = test::run_in(
        folder,
        fmt::format("/usr/bin/python3 '{}/tests/reports/export/sdf_dart.py' press.sdf {} {}",
                    paths::source_dir(), one.k, one.c));
    if (WEXITSTATUS(status) == kNoDartpy) GTEST_SKIP() << "python3-dartpy is not installed";
    EXPECT_EQ(status, 0) << one.k;
  }
}

}  // namespace
}  // namespace tactelier
