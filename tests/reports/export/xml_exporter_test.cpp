// The XML is read by Python's reader and compared with the JSON member by member, and checked
// against its schema by xmllint.
#include <gtest/gtest.h>

#include "reports/export/exporter.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/run_files.hpp"
#include "tests/reports/export/runtime_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;

constexpr const char* kCompare = R"(import json, sys
import xml.etree.ElementTree as ET

BY_NAME = {"clock", "quality", "figures", "options"}


def check(right, path, *seen):
    assert right, (path, *seen)


def same(node, element, path):
    text = element.text or ""
    if isinstance(node, dict) and {"value", "status"} <= node.keys():
        check(text == "" if node["value"] is None else float(text) == node["value"], path, text)
        check(set(element.attrib) == set(node) - {"value"}, path, element.attrib)
        for name, value in element.attrib.items():
            if name == "ci95":
                check([float(one) for one in value.split()] == node[name], path, value)
            elif name in ("std", "u_total"):
                check(float(value) == node[name], path, value)
            else:
                check(value == node[name], path, value)
    elif isinstance(node, dict):
        named = path.rsplit(".", 1)[-1] in BY_NAME
        names = [child.get("name") if named else child.tag for child in element]
        check(names == list(node), path, names)
        for child, name in zip(element, names):
            same(node[name], child, f"{path}.{name}")
    elif isinstance(node, list) and len(element) > 0:
        check(len(node) == len(element), path, len(element))
        for i, child in enumerate(element):
            check(child.tag == "item", path, child.tag)
            same(node[i], child, f"{path}[{i}]")
    elif isinstance(node, list):
        check([float(one) for one in text.split()] == node, path, text)
    elif isinstance(node, bool):
        check(text == ("true" if node else "false"), path, text)
    elif isinstance(node, (int, float)):
        check(float(text) == node, path, text)
    else:
        check(text == (node or ""), path, text)


model = json.load(open("model.json", encoding="utf-8"))
root = ET.parse("model.xml").getroot()
assert root.tag == "sensor_model"
for name, value in root.attrib.items():
    check(str(model.pop(name)) == value, name, value)
same(model, root, "")
)";

void expect_nothing_lost(const SensorModel& model) {
  const test::TemporaryFolder folder;
  const auto exported = (*exporter("xml"))->write(model);
  ASSERT_TRUE(exported) << exported.error().message;
  EXPECT_TRUE(exported->losses.empty());
  test::save_text(folder / "model.xml", exported->text);
  test::save_text(folder / "model.json", to_json(model));
  test::save_text(folder / "compare.py", kCompare);
  EXPECT_EQ(test::run_in(folder, "/usr/bin/python3 compare.py"), 0) << model.serial;
  EXPECT_EQ(test::run_in(folder, "xmllint --noout --schema " + paths::source_dir() +
                                     "/data/schemas/sensor-model.xsd model.xml "
                                     "2> problems || (cat problems; false)"),
            0)
      << model.serial;
}

TEST(XmlExporter, LosesNothingOfAFullModel) { expect_nothing_lost(full_model()); }

TEST(XmlExporter, LosesNothingOfASparseModel) {
  auto model = wts_model();
  model.friction.mu_s = unidentifiable("", "FR-04 <!-- & \"quoted\" -->", "friction");
  expect_nothing_lost(model);
}

TEST(XmlExporter, LosesNothingOfSeveralArrays) { expect_nothing_lost(two_arrays_model()); }

TEST(XmlExporter, StaysWellFormedWhateverTheTextsSay) {
  auto model = two_arrays_model();
  model.sensor.vendor = "\x01 ]]> <a> --";
  const test::TemporaryFolder folder;
  test::save_text(folder / "model.xml", (*exporter("xml"))->write(model).value().text);
  EXPECT_EQ(test::run_in(folder, "xmllint --noout model.xml"), 0);
}

}  // namespace
}  // namespace tactelier
