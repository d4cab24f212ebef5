// LuGre's exact steps against solvers of others: CVODE of SUNDIALS (implicit, variable order) for
// stiff bristles under changing speed and load, and what MuJoCo 3.14 read of its own LuGre.
#include <cvode/cvode.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "libcalib/models/lugre.hpp"

namespace tactelier {
namespace {

/// What slides: through rest and back, three times a second, under a load that swings.
double velocity_m_per_s(double t_s) { return 0.05 * std::sin(2 * std::numbers::pi * 3 * t_s); }
double normal_N(double t_s) { return 2 + 0.8 * std::sin(2 * std::numbers::pi * 7 * t_s); }

double rate_m_per_s(const LugreValues& p, double t_s, double z_m) {
  const double v = velocity_m_per_s(t_s);
  return v - p[kLugreSigma0] * std::abs(v) / lugre_level_N(p, v, normal_N(t_s)) * z_m;
}

double force_N(const LugreValues& p, double t_s, double z_m) {
  return p[kLugreSigma0] * z_m + p[kLugreSigma1] * rate_m_per_s(p, t_s, z_m) +
         p[kLugreViscous] * velocity_m_per_s(t_s);
}

/// By BDF with Newton's iteration, relative tolerance 1e-10; force at t = i * row_s.
std::vector<double> by_cvode(LugreValues p, int rows, double row_s) {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector z = N_VNew_Serial(1, context);
  N_VConst(0, z);
  void* solver = CVodeCreate(CV_BDF, context);
  CVodeInit(
      solver,
      [](realtype t, N_Vector state, N_Vector rate, void* parameters) {
        NV_Ith_S(rate, 0) =
            rate_m_per_s(*static_cast<LugreValues*>(parameters), t, NV_Ith_S(state, 0));
        return 0;
      },
      0, z);
  CVodeSetUserData(solver, &p);
  CVodeSStolerances(solver, 1e-10, 1e-16);
  CVodeSetMaxNumSteps(solver, 1000000);
  SUNMatrix matrix = SUNDenseMatrix(1, 1, context);
  SUNLinearSolver linear = SUNLinSol_Dense(z, matrix, context);
  CVodeSetLinearSolver(solver, linear, matrix);
  std::vector<double> forces_N;
  for (int i = 1; i <= rows; ++i) {
    realtype reached_s = 0;
    const int flag = CVode(solver, i * row_s, z, &reached_s, CV_NORMAL);
    EXPECT_GE(flag, 0) << "at " << i * row_s << " s";
    forces_N.push_back(force_N(p, reached_s, NV_Ith_S(z, 0)));
  }
  CVodeFree(&solver);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(z);
  SUNContext_Free(&context);
  return forces_N;
}

/// By our steps, of the deflection: largest distance in newtons.
double worst_N(const LugreValues& p, const std::vector<double>& expected_N, double row_s,
               int steps_per_row) {
  const double step_s = row_s / steps_per_row;
  LugreBristle bristle;
  double worst = 0, t_s = 0;
  for (const double expected : expected_N) {
    for (int i = 0; i < steps_per_row; ++i, t_s += step_s)
      bristle.step_N(p, step_s, velocity_m_per_s(t_s + step_s / 2), normal_N(t_s + step_s / 2));
    worst = std::max(worst, std::abs(force_N(p, t_s, bristle.deflection_m()) - expected));
  }
  return worst;
}

// Time constants of 0.2 us at full speed; the force is about 1.3 N.
TEST(LugreSolvers, StiffBristlesFollowCvode) {
  for (const double sigma0 : {4e3, 1e5, 1e6}) {
    const LugreValues p{sigma0, 2, 0.8, 0.62, 0.45, 4e-3};
    constexpr double kRow_s = 2.5e-3;
    const auto expected_N = by_cvode(p, 200, kRow_s);
    const double coarse = worst_N(p, expected_N, kRow_s, 100);
    const double fine = worst_N(p, expected_N, kRow_s, 1000);
    EXPECT_LT(fine, 1e-3) << sigma0;
    EXPECT_LT(fine, coarse / 5) << sigma0;  // goes with the step, so both have one limit
  }
}

// dcmotor lugre="1000 5 0.5 0.8 0.01", damping 0.4, 0.1 kg on a slide, steps of 0.1 ms.
TEST(LugreSolvers, SteadySlidingIsWhatMujocoRead) {
  const LugreValues p{1000, 5, 0.4, 0.8, 0.5, 0.01};
  EXPECT_NEAR(lugre_steady_N(p, 0.02, 1), 0.51349469166662, 1e-12);
  EXPECT_NEAR(lugre_steady_N(p, 0.05, 1), 0.52000000000411, 1e-11);
  EXPECT_NEAR(lugre_steady_N(p, 0.1, 1), 0.54000000000010, 1e-12);
  for (const double speed : {0.02, 0.05, 0.1}) {
    LugreBristle bristle;
    double force = 0;
    for (int i = 0; i < 20000; ++i) force = bristle.step_N(p, 1e-4, speed, 1);
    EXPECT_NEAR(force, lugre_steady_N(p, speed, 1), 1e-12) << speed;
  }
}

}  // namespace
}  // namespace tactelier
