// What becomes of a model's gains, by numbers worked out by hand.

#include "fitting/refresh/refreshed_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tactelier::refresh {
namespace {

using testing::HasSubstr;

/// Three tactels: own gain 2e-4 N/count, 95 % from repetition 1 %, with the certificate 1.25 %.
SensorModel three() {
  auto model = empty_model(parse_sensor(R"({"format": "tactelier/sensor", "version": 1,
      "vendor": "none", "model": "small", "rows": 1, "columns": 3, "pitch_x_mm": 3.4,
      "pitch_y_mm": 3.4, "channels": 1, "adc": {"bits": 12, "min": 0, "max": 4095},
      "rate_hz": 400, "thickness_mm": null, "max_force_N": null, "max_pressure_MPa": null,
      "falling": false, "source": "none"})",
                                        "small", false)
                               .value());
  for (auto& tactel : model.response.tactels)
    for (auto* gain : {&tactel.gain, &tactel.press_gain}) {
      gain->value = 2e-4;
      gain->std = 1e-6;
      gain->ci95 = {1.98e-4, 2.02e-4};
      gain->u_total = 2.5e-6;
      gain->status = Status::kIdentified;
    }
  return model;
}

GainChanges of_three() {
  GainChanges changes;
  for (int t = 0; t < 3; ++t) {
    TactelChange change;
    change.tactel = t;
    changes.tactels.push_back(change);
  }
  return changes;
}

TEST(RefreshedModel, AChangedGainIsMultipliedAndKeepsWhatTheCertificateAdds) {
  auto changes = of_three();
  changes.tactels[1].changed = true;
  changes.tactels[1].log_ratio = std::log(0.9);
  changes.tactels[1].u_ratio = 0.01;
  const auto model = refreshed(three(), changes);
  const auto& gain = model.response.tactels[1].gain;
  EXPECT_NEAR(*gain.value, 1.8e-4, 1e-12);
  EXPECT_NEAR(*gain.std, 1.8e-6, 1e-12);
  EXPECT_NEAR((*gain.ci95)[0], 1.8e-4 * (1 - 0.0195996), 1e-10);
  // 1.25 % whole, of which 1 % was repetition: 0.75 % stays, beside 1.96 %.
  EXPECT_NEAR(*gain.u_total / *gain.value, std::hypot(0.0195996, 0.0075), 1e-6);
  EXPECT_EQ(model.response.tactels[0].gain, three().response.tactels[0].gain);
}

TEST(RefreshedModel, AFactorOfAllWidensWhatWasKnown) {
  auto changes = of_three();
  changes.all_changed = true;
  changes.log_common = std::log(1.1);
  changes.u_common = 0.01;
  const auto model = refreshed(three(), changes);
  const auto& gain = model.response.tactels[2].press_gain;
  EXPECT_NEAR(*gain.value, 2.2e-4, 1e-12);
  EXPECT_NEAR(*gain.std / *gain.value, std::hypot(0.01 / 1.959964, 0.01), 1e-6);
  EXPECT_THAT(words_of(changes), HasSubstr("all gains changed by +10.0 ± 2.0 %"));
}

TEST(RefreshedModel, ABrokenTactelHasNoGainAndSaysWhy) {
  auto changes = of_three();
  changes.tactels[0].broken = "RF-06 Tactel 0 did not answer to 2 presses beside or on it";
  EXPECT_TRUE(refreshed(three(), changes).response.tactels[0].gain.usable());  // noisy, say
  changes.tactels[0].silent = true;
  const auto model = refreshed(three(), changes);
  EXPECT_FALSE(model.response.tactels[0].gain.usable());
  EXPECT_EQ(model.response.tactels[0].gain.reason, changes.tactels[0].broken);
  EXPECT_THAT(words_of(changes), HasSubstr("tactel 0 no longer answers as it did"));
}

}  // namespace
}  // namespace tactelier::refresh
