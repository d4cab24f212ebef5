// The exported pad in Bullet, its contacts as Bullet's URDF reader sets them up, against
// F = k x + c v worked by hand.
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <sstream>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"

#ifdef TACTELIER_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace tactelier {
namespace {

using namespace testing_models;

#ifdef TACTELIER_BULLET

struct BulletTip {
  btVector3 top;
  double radius_m = 0, stiffness = 0, damping = 0, friction = 0;
};

std::vector<BulletTip> read_tips(const std::string& urdf) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(urdf.c_str()));
  const auto robot = document.child("robot");
  std::vector<BulletTip> tips;
  for (const auto& joint : robot.children("joint")) {
    const auto link = robot.find_child_by_attribute("link", "name",
                                                    joint.child("child").attribute("link").value());
    const auto value = [&](const char* name) {
      return link.child("contact").child(name).attribute("value").as_double();
    };
    std::istringstream xyz(joint.child("origin").attribute("xyz").value());
    double x = 0, y = 0, z = 0;
    xyz >> x >> y >> z;
    tips.push_back(
        {btVector3(btScalar(x), btScalar(y), btScalar(z)),
         link.child("collision").child("geometry").child("sphere").attribute("radius").as_double(),
         value("stiffness"), value("damping"), value("lateral_friction")});
  }
  return tips;
}

/// "setTimeStep(0.0005)" of the opening comment.
double step_of(const std::string& urdf) {
  const std::string says = "setTimeStep(";
  return std::stod(urdf.substr(urdf.find(says) + says.size()));
}

/// The pad, held, and a plate on it that slides along z and x alone.
class BulletPress {
 public:
  BulletPress(const std::string& urdf, double plate_kg) : step_s_(step_of(urdf)) {
    world_.setGravity(btVector3(0, 0, 0));
    world_.getSolverInfo().m_numIterations = 200;
    world_.getSolverInfo().m_splitImpulse = 0;
    for (const auto& tip : read_tips(urdf)) add_tip(tip);
    const auto half = btScalar(kHalf_m);
    plate_ = add(std::make_unique<btBoxShape>(btVector3(btScalar(0.1), btScalar(0.1), half)),
                 btVector3(0, 0, half), plate_kg);
    plate_->setContactStiffnessAndDamping(btScalar(1e18), 0);
    plate_->setFriction(1);
    plate_->setLinearFactor(btVector3(1, 0, 1));
    plate_->setAngularFactor(0);
    plate_->setActivationState(DISABLE_DEACTIVATION);
  }
  BulletPress(const BulletPress&) = delete;
  BulletPress& operator=(const BulletPress&) = delete;
  ~BulletPress() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  std::size_t tactels() const { return bodies_.size() - 1; }
  double step_s() const { return step_s_; }
  double depth_m() const { return kHalf_m - double(plate_->getWorldTransform().getOrigin().z()); }
  void set_speed(double along, double down) {
    plate_->setLinearVelocity(btVector3(btScalar(along), 0, btScalar(-down)));
  }
  void place(double depth_m) {
    plate_->getWorldTransform().getOrigin().setZ(btScalar(kHalf_m - depth_m));
  }
  void step(double load_N) {
    plate_->applyCentralForce(btVector3(0, 0, btScalar(-load_N)));
    world_.stepSimulation(btScalar(step_s_), 0, btScalar(step_s_));
  }
  double along_m_per_s() const { return double(plate_->getLinearVelocity().x()); }

  /// On each tactel in the last step, as getContactPoints gives it.
  std::vector<double> forces_N() {
    std::vector<double> forces(tactels());
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const auto& manifold = *dispatcher_.getManifoldByIndexInternal(i);
      const auto* tip = manifold.getBody0() == plate_ ? manifold.getBody1() : manifold.getBody0();
      for (int c = 0; c < manifold.getNumContacts(); ++c)
        forces.at(static_cast<std::size_t>(tip->getUserIndex())) +=
            double(manifold.getContactPoint(c).getAppliedImpulse()) / step_s_;
    }
    return forces;
  }

 private:
  static constexpr double kHalf_m = 0.05;

  btRigidBody* add(std::unique_ptr<btCollisionShape> shape, const btVector3& at, double mass_kg) {
    btVector3 inertia(0, 0, 0);
    if (mass_kg > 0) shape->calculateLocalInertia(btScalar(mass_kg), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass_kg), nullptr, shape.get(), inertia);
    info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), at);
    shapes_.push_back(std::move(shape));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  void add_tip(const BulletTip& tip) {
    const btVector3 centre = tip.top - btVector3(0, 0, btScalar(tip.radius_m));
    auto* body = add(std::make_unique<btSphereShape>(btScalar(tip.radius_m)), centre, 0);
    body->setContactStiffnessAndDamping(btScalar(tip.stiffness), btScalar(tip.damping));
    body->setFriction(btScalar(tip.friction));
    body->setUserIndex(static_cast<int>(bodies_.size()) - 1);
  }

  double step_s_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  btRigidBody* plate_ = nullptr;
};

struct BulletCase {
  double k, c;
};
constexpr std::array kBulletCases{BulletCase{58.5, 0.0583}, BulletCase{2000, 6},
                                  BulletCase{20000, 50}, BulletCase{58.5, 1}};

std::string urdf_for(const BulletCase& one) {
  const auto model = with(mujoco_model(), {fmt::format("stiffness.k={}", one.k).c_str(),
                                           fmt::format("damping.c_n={}", one.c).c_str()});
  const auto written = (*exporter("bullet"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written ? written->text : "";
}

TEST(BulletRun, AWeightSinksAsDeepAsTheSpringsSay) {
  for (const auto& one : kBulletCases)
    for (const double depth_m : {2e-4, 1e-3, 4e-3}) {
      const double load_N = 6 * one.k * depth_m;
      BulletPress press(urdf_for(one), load_N / 9.81);
      ASSERT_EQ(press.tactels(), 6U);
      for (double t_s = 0; t_s < 6; t_s += press.step_s()) press.step(load_N * std::min(1.0, t_s));
      EXPECT_NEAR(press.depth_m(), depth_m, 0.01 * depth_m) << one.k;
      for (const double force_N : press.forces_N())
        EXPECT_NEAR(force_N, one.k * depth_m, 0.01 * one.k * depth_m) << one.k;
    }
}

TEST(BulletRun, ForceIsStiffnessTimesDepthAndDampingTimesSpeed) {
  for (const auto& one : kBulletCases) {
    const auto driven_to = [&](double depth_m, double speed) {
      BulletPress press(urdf_for(one), 1e5);
      double begin_m = 0;
      while (begin_m < depth_m) {
        begin_m = press.depth_m();
        press.set_speed(0, speed);
        press.step(0);
      }
      return std::pair{press.forces_N(), begin_m};
    };
    const auto [fast_N, fast_m] = driven_to(2e-3, 0.05);
    const auto [slow_N, slow_m] = driven_to(2e-3, 0.005);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(fast_N[i], one.k * fast_m + one.c * 0.05, 0.01 * one.k * fast_m) << one.k;
      const double seen = (fast_N[i] - slow_N[i] - one.k * (fast_m - slow_m)) / (0.05 - 0.005);
      EXPECT_NEAR(seen, one.c, 0.03 * one.c) << one.k;
    }
  }
}

TEST(BulletRun, WhatSlidesIsBrakedByItsCoefficientTimesTheLoad) {
  BulletPress press(urdf_for({2000, 6}), 2);
  press.place(1e-3);
  for (double t_s = 0; t_s < 0.5; t_s += press.step_s()) press.step(12);
  press.set_speed(0.5, 0);
  for (int i = 0; i < 50; ++i) press.step(12);
  // 0.23 * 12 N / 2 kg for 50 ms.
  EXPECT_NEAR(0.5 - press.along_m_per_s(), 0.23 * 6 * 0.05, 0.02 * 0.23 * 6 * 0.05);
}

#else

TEST(BulletRun, NeedsLibbullet) { GTEST_SKIP() << "libbullet-dev is not installed"; }

#endif

}  // namespace
}  // namespace tactelier
