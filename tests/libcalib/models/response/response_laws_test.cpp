// Every law that a model file may name: its own inverse, its place in the schema, and what becomes
// of it where a sensor's readings fall.
#include "libcalib/models/response/response_laws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "libcalib/model_file/tactel_curve.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

const ForceRange kRange{0.2, 2.0, {0.6, 1.1, 1.6}};

/// Weights with which the law rises all over the range.
ResponseSlots rising_slots(const ResponseLaw& law) {
  const auto shapes = law.shapes(kRange);
  const auto basis = law.basis(kRange, shapes ? std::sqrt((*shapes)[0] * (*shapes)[1]) : 0);
  std::vector<double> weights(basis->size(), 10), high(basis->size()), low(basis->size());
  basis->at(2.0, high);
  basis->at(0.2, low);
  weights[1] = high[1] < low[1] ? -100 : 100;
  return basis->terms(weights, {});
}

TEST(ResponseLaws, HaveTitlesOfTheirOwnAndTheLineFirst) {
  std::set<std::string_view> titles;
  for (const auto* law : response_laws()) titles.insert(law->title());
  EXPECT_EQ(titles.size(), response_laws().size());
  EXPECT_FALSE(response_laws().front()->curved());
  EXPECT_EQ(find_response_law("no such law"), nullptr);
}

TEST(ResponseLaws, AreTheWordsOfTheSchema) {
  std::ifstream file(paths::source_dir() + "/data/schemas/sensor-model.schema.json");
  const auto schema = nlohmann::json::parse(file);
  const auto& words = schema["properties"]["response"]["properties"]["model"]["enum"];
  std::set<std::string> said, known;
  for (const auto& word : words) said.insert(word);
  for (const auto* law : response_laws()) known.insert(std::string(law->name()));
  EXPECT_EQ(said, known);
}

TEST(ResponseLaws, AreTheWordsOfTheXmlSchema) {
  std::ifstream file(paths::source_dir() + "/data/schemas/sensor-model.xsd");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto begin = text.find("<xs:element name=\"model\"", text.find("name=\"response\""));
  const auto words = text.substr(begin, text.find("</xs:element>", begin) - begin);
  const std::string word = "enumeration value=\"";
  std::set<std::string> said, known;
  for (auto at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const auto from = at + word.size();
    said.insert(words.substr(from, words.find('"', from) - from));
  }
  for (const auto* law : response_laws()) known.insert(std::string(law->name()));
  EXPECT_EQ(said, known);
}

TEST(ResponseLaws, SayInTheirSlotsWhatTheirBasisSays) {
  for (const auto* law : response_laws()) {
    if (!law->curved()) continue;
    const auto terms = rising_slots(*law);
    EXPECT_FALSE(terms.coefficients.empty() && terms.knots.empty()) << law->title();
    EXPECT_GT(law->counts(terms, 1.5), law->counts(terms, 0.5)) << law->title();
  }
}

TEST(ResponseLaws, GoFromAForceToCountsAndBack) {
  for (const auto* law : response_laws()) {
    const auto curve = CalibrationCurve::of(*law, rising_slots(*law), -1e9, 2.0);
    if (!law->curved()) {
      EXPECT_FALSE(curve);
      continue;
    }
    ASSERT_TRUE(curve) << law->title();
    for (const double force_N : {0.4, 0.9, 1.68}) {
      const auto back = curve->inverse(curve->counts(force_N));
      EXPECT_NEAR(back.force_N, force_N, 1e-9) << law->title();
      const double slope = (curve->counts(force_N + 1e-4) - curve->counts(force_N - 1e-4)) / 2e-4;
      EXPECT_NEAR(back.gain_N_per_count * slope, 1, 1e-2) << law->title();
    }
  }
}

TEST(ResponseLaws, TurnWithTheReadingsOfAFallingSensor) {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  sensor.falling = true;
  sensor.adc.max = 4095;
  for (const auto* law : response_laws()) {
    auto model = empty_model(sensor);
    model.response.model = law->name();
    auto& tactel = model.response.tactels[0];
    const auto terms = rising_slots(*law);
    if (law->curved()) tactel.knots = terms.knots;
    for (const double c : law->curved() ? terms.coefficients : std::vector<double>{})
      tactel.coefficients.emplace_back().value = c;
    turn_counts(model, tactel);
    ResponseSlots turned{{}, tactel.knots};
    for (const auto& c : tactel.coefficients) turned.coefficients.push_back(*c.value);
    for (const double force_N : {0.5, 1.5}) {
      if (!law->curved() || !turned.knots.empty()) continue;
      EXPECT_NEAR(law->counts(turned, force_N), 4095 - law->counts(terms, force_N), 1e-9)
          << law->title();
    }
    turn_counts(model, tactel);
    for (std::size_t k = 0; k < tactel.coefficients.size(); ++k)
      EXPECT_NEAR(*tactel.coefficients[k].value, terms.coefficients[k], 1e-9) << law->title();
  }
}

}  // namespace
}  // namespace tactelier
