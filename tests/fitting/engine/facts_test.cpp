// The tables of facts against what there is: every parameter that a sensor model can hold, every
// stage.
#include "fitting/engine/facts.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <type_traits>

#include "fitting/engine/stage.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/model_file/visiting.hpp"

namespace tactelier {
namespace {

struct Seen {
  std::string unit;
  std::string stage;
};

/// Walks types, not values: one entry of each list and each map, so that nothing is missing because
/// a model happens to lack it.
struct Walker {
  std::map<std::string, Seen>& seen;
  std::string path{};

  void operator()(const char* name, const Parameter&, const char* unit, const char* stage) const {
    seen[below(name)] = {unit, stage};
  }
  void operator()(const char* name, const std::vector<Parameter>&, const char* unit,
                  const char* stage) const {
    seen[below(name) + "[]"] = {unit, stage};
  }
  template <class T>
  void operator()(const char* name, const T& member) const {
    if constexpr (Visitable<T>)
      T::visit(member, Walker{seen, below(name)});
    else if constexpr (VisitableList<T>)
      visit_one<typename T::value_type>(below(name) + "[]");
    else if constexpr (VisitableMap<T>)
      visit_one<typename T::mapped_type>(below(name) + ".any");
  }
  template <class T>
  void visit_one(const std::string& here) const {
    const T one{};
    T::visit(one, Walker{seen, here});
  }
  std::string below(const char* name) const { return path.empty() ? name : path + "." + name; }
};

std::map<std::string, Seen> all_parameters() {
  std::map<std::string, Seen> seen;
  const SensorModel model;
  SensorModel::visit(model, Walker{seen});
  return seen;
}

bool is_sentence(std::string_view text) { return text.size() > 9 && text.ends_with('.'); }

TEST(Facts, EveryParameterOfASensorModelHasLabelUnitAndMeaning) {
  const auto all = all_parameters();
  EXPECT_GE(all.size(), 70u);
  for (const auto& [path, seen] : all) {
    const auto* fact = fact_of(path);
    ASSERT_NE(fact, nullptr) << path << " has no row";
    EXPECT_FALSE(fact->label.empty()) << path;
    EXPECT_EQ(fact->unit, seen.unit) << path;
    EXPECT_TRUE(is_sentence(fact->meaning)) << path;
    EXPECT_NE(group_of(path), nullptr) << path << " belongs to no group";
  }
}

TEST(Facts, EachParameterStandsWithTheStageThatEstimatesIt) {
  for (const auto& [path, seen] : all_parameters()) {
    const auto* stage = facts_of_stage(seen.stage);
    ASSERT_NE(stage, nullptr) << path;
    int rows = 0;
    for (const auto& row : stage->table.parameters) rows += &row == fact_of(path) ? 1 : 0;
    EXPECT_EQ(rows, 1) << path << " is not in the table of " << seen.stage;
  }
}

TEST(Facts, NoRowIsOfAParameterThatNoModelHolds) {
  std::set<const ParameterFact*> used;
  for (const auto& [path, seen] : all_parameters()) used.insert(fact_of(path));
  for (const auto* table : fact_tables())
    for (const auto& row : table->parameters) EXPECT_TRUE(used.contains(&row)) << row.path;
}

TEST(Facts, EveryStageOfTheFitHasItsFactsInOrder) {
  ASSERT_EQ(stage_facts().size(), stages().size());
  for (std::size_t i = 0; i < stages().size(); ++i) {
    EXPECT_EQ(stage_facts()[i]->id, stages()[i].id);
    EXPECT_FALSE(stage_facts()[i]->label.empty()) << stages()[i].id;
  }
}

TEST(Facts, EveryStageHasAPurposeOrRefinesOthersOrCountsItself) {
  for (const auto* facts : stage_facts()) {
    bool purpose = facts->kind == StageFacts::Kind::kRefines || facts->tally != nullptr;
    for (const auto& row : facts->table.parameters) purpose = purpose || row.purpose;
    EXPECT_TRUE(purpose) << facts->id;
  }
}

TEST(Facts, EveryProtocolThatARowNamesIsKnown) {
  for (const auto* table : fact_tables()) {
    for (const auto& row : table->parameters)
      EXPECT_TRUE(row.protocol.empty() || !protocol_words(row.protocol).empty()) << row.path;
    for (const auto& row : table->codes)
      EXPECT_TRUE(row.help.protocol.empty() || !protocol_words(row.help.protocol).empty())
          << row.code;
  }
}

TEST(Facts, NoCodeHasTwoRowsForOnePath) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const auto* table : fact_tables())
    for (const auto& row : table->codes)
      EXPECT_TRUE(seen.insert({row.code, row.path}).second) << row.code << ' ' << row.path;
}

TEST(Facts, AClocksOffsetIsNoTactelsOffset) {
  EXPECT_EQ(fact_of("response.tactels[3].offset")->label, "offset");
  EXPECT_EQ(fact_of("clock.force.offset")->label, "clock offset");
  EXPECT_EQ(fact_of("clock.offset"), nullptr);
  EXPECT_EQ(fact_of("relaxation.g[0]"), fact_of("relaxation.g[]"));
  EXPECT_EQ(group_of("friction.contact.mu_s")->label, "Friction, whole contact");
  EXPECT_EQ(group_of("friction.mu_s")->label, "Friction, one tactel");
}

TEST(Facts, TheSameCodeAsksForWhatTheParameterNeeds) {
  EXPECT_EQ(advice_for("ST-01 No plate press", "stiffness.k").action(), "add P4: no plate press");
  EXPECT_EQ(advice_for("ST-01 Depths 0.1", "stiffness.k_punch").protocol, "P3");
  EXPECT_EQ(advice_for("ST-01: two points make no line", "stiffness.k_punch").protocol, "P3");
  EXPECT_EQ(advice_for("ID-02 interval", "friction.contact.sigma0").protocol, "P10");
  EXPECT_EQ(advice_for("ID-02 interval", "friction.contact.mu_s").protocol, "P9");
  EXPECT_EQ(advice_for("DP-02 no rate effect", "damping.c_n").protocol, "P5");
  EXPECT_EQ(advice_for("DP-02 the force falls", "relaxation.g_inf").protocol, "P6");
  EXPECT_EQ(advice_for("FR-04 no presliding", "friction.contact.sigma0").device.substr(0, 7),
            "a stage");
  EXPECT_EQ(advice_for("GAP 0.1 s are missing", "").code, "GAP");
  const auto unknown = advice_for("XY-01 something new", "stiffness.k");
  EXPECT_EQ(unknown.code, "XY-01");
  EXPECT_EQ(unknown.action(), "not determined");
}

}  // namespace
}  // namespace tactelier
