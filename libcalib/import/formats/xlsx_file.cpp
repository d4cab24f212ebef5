// Excel's .xlsx (ECMA-376, part 1: 18.2 workbook, 18.3 worksheets, 18.4 shared strings) by libzip
// and pugixml.

#include <charconv>
#include <map>
#include <pugixml.hpp>

#include "libcalib/import/formats/format_readers.hpp"
#include "libcalib/import/formats/sheet_table.hpp"
#include "libcalib/import/formats/zip_archive.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxRows = 1048576, kMaxColumns = 16384;  // of the format

/// The document itself stays behind the pointer: pugixml's can't be moved cheaply.
Result<std::unique_ptr<pugi::xml_document>> parse(const ZipArchive& archive,
                                                  const std::string& member,
                                                  const std::string& name) {
  const auto text = archive.read(member);
  if (!text) return fail(text.error());
  auto document = std::make_unique<pugi::xml_document>();
  const auto parsed = document->load_buffer(text->data(), text->size(),
                                            pugi::parse_default | pugi::parse_ws_pcdata_single);
  if (!parsed)
    return fail(ErrorCode::kInvalidInput, "{}/{}: {}", name, member, parsed.description());
  return document;
}

/// Names with any prefix: Excel writes none, others write "x:".
bool is(const pugi::xml_node& node, std::string_view name) {
  const std::string_view full = node.name();
  return full == name || (full.size() > name.size() && full.ends_with(name) &&
                          full[full.size() - name.size() - 1] == ':');
}

pugi::xml_node child(const pugi::xml_node& node, std::string_view name) {
  return node.find_child([&](const pugi::xml_node& c) { return is(c, name); });
}

/// Runs of rich text together; phonetic hints left out.
std::string text_in(const pugi::xml_node& node) {
  std::string text;
  for (const auto& part : node.children()) {
    if (is(part, "t")) text += part.text().get();
    if (is(part, "r")) text += text_in(part);
  }
  return text;
}

/// "D10" to row 9, column 3.
bool place_in(std::string_view reference, std::size_t& row, std::size_t& column) {
  std::size_t letters = 0, c = 0;
  for (; letters < reference.size() && reference[letters] >= 'A' && reference[letters] <= 'Z';
       ++letters)
    c = 26 * c + static_cast<std::size_t>(reference[letters] - 'A') + 1;
  std::size_t r = 0;
  const auto digits = reference.substr(letters);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), r);
  if (letters == 0 || letters > 3 || error != std::errc() || r == 0 || r > kMaxRows ||
      c > kMaxColumns)
    return false;
  row = r - 1;
  column = c - 1;
  return true;
}

void fill(SheetCell& cell, const pugi::xml_node& node, const std::vector<std::string>& strings) {
  const std::string_view type = node.attribute("t").value();
  const auto value = child(node, "v").text();
  if (type == "inlineStr") {
    cell = {SheetCell::Kind::kText, 0, text_in(child(node, "is"))};
  } else if (type == "s") {
    const auto index = value.as_ullong(strings.size());
    cell = {SheetCell::Kind::kText, 0, index < strings.size() ? strings[index] : ""};
  } else if (type == "str" || type == "e" || type == "d") {
    cell = {SheetCell::Kind::kText, 0, value.get()};
  } else if (!value.empty()) {
    cell = {SheetCell::Kind::kNumber, value.as_double(), {}};
  }
}

Sheet sheet_of(const pugi::xml_node& data, std::string name,
               const std::vector<std::string>& strings) {
  Sheet sheet{std::move(name), {}};
  std::size_t next_row = 0;
  for (const auto& line : data.children()) {
    std::size_t row = line.attribute("r").as_ullong(next_row + 1) - 1, column = 0;
    for (const auto& node : line.children()) {
      place_in(node.attribute("r").value(), row, column);
      if (row >= kMaxRows || column >= kMaxColumns) break;
      if (node.first_child()) fill(sheet.place(row, column), node, strings);
      ++column;
    }
    next_row = row + 1;
  }
  return sheet;
}

/// Where a target of the workbook's relations lies in the archive.
std::string member_of(std::string_view target) {
  return target.starts_with('/') ? std::string(target.substr(1)) : "xl/" + std::string(target);
}

Result<std::vector<std::string>> shared_strings(const ZipArchive& archive,
                                                const std::string& name) {
  std::vector<std::string> strings;
  if (!archive.has("xl/sharedStrings.xml")) return strings;
  const auto document = parse(archive, "xl/sharedStrings.xml", name);
  if (!document) return fail(document.error());
  for (const auto& item : (*document)->document_element().children())
    strings.push_back(text_in(item));
  return strings;
}

}  // namespace

Result<ArrayFile> read_xlsx(const std::filesystem::path& file, const std::string& name) {
  const auto archive = ZipArchive::open(file, name);
  if (!archive) return fail(archive.error());
  const auto strings = shared_strings(*archive, name);
  if (!strings) return fail(strings.error());
  const auto workbook = parse(*archive, "xl/workbook.xml", name);
  if (!workbook) return fail(workbook.error());
  const auto relations = parse(*archive, "xl/_rels/workbook.xml.rels", name);
  if (!relations) return fail(relations.error());
  std::map<std::string, std::string> targets;
  for (const auto& relation : (*relations)->document_element().children())
    targets[relation.attribute("Id").value()] = member_of(relation.attribute("Target").value());
  std::vector<Sheet> sheets;
  for (const auto& entry : child((*workbook)->document_element(), "sheets").children()) {
    const auto target = targets.find(entry.attribute("r:id").value());
    if (target == targets.end() || !archive->has(target->second)) continue;
    const auto document = parse(*archive, target->second, name);
    if (!document) return fail(document.error());
    sheets.push_back(sheet_of(child((*document)->document_element(), "sheetData"),
                              entry.attribute("name").value(), *strings));
  }
  return table_of(sheets);
}

}  // namespace tactelier
