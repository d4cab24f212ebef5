// OpenDocument's .ods (OpenDocument 1.2, part 1: 9 tables) by libzip and pugixml.

#include <pugixml.hpp>

#include "libcalib/import/formats/format_readers.hpp"
#include "libcalib/import/formats/sheet_table.hpp"
#include "libcalib/import/formats/zip_archive.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxRows = 1048576, kMaxColumns = 16384;

std::string text_in(const pugi::xml_node& cell) {
  std::string text;
  for (const auto& paragraph : cell.children("text:p")) text += paragraph.text().get();
  return text;
}

SheetCell cell_of(const pugi::xml_node& node) {
  const auto value = node.attribute("office:value");
  if (value) return {SheetCell::Kind::kNumber, value.as_double(), {}};
  auto text = text_in(node);
  if (text.empty()) return {};
  return {SheetCell::Kind::kText, 0, std::move(text)};
}

std::size_t repeated(const pugi::xml_node& node, const char* attribute) {
  return std::max<std::size_t>(1, node.attribute(attribute).as_ullong(1));
}

/// A row that is filled may stand for several; empty ones often do for the rest of the sheet.
void take_row(const pugi::xml_node& row, std::size_t index, Sheet& sheet) {
  std::size_t column = 0;
  for (const auto& node : row.children()) {
    const auto cell = cell_of(node);
    const auto times = repeated(node, "table:number-columns-repeated");
    for (std::size_t k = 0; cell.kind != SheetCell::Kind::kEmpty && k < times; ++k)
      if (column + k < kMaxColumns) sheet.place(index, column + k) = cell;
    column += times;
  }
}

/// Rows lie in the table, or in groups of it.
void take_rows(const pugi::xml_node& parent, std::size_t& index, Sheet& sheet) {
  for (const auto& node : parent.children()) {
    const std::string_view name = node.name();
    if (name == "table:table-row-group" || name == "table:table-header-rows" ||
        name == "table:table-rows")
      take_rows(node, index, sheet);
    if (name != "table:table-row") continue;
    const auto times = repeated(node, "table:number-rows-repeated");
    const bool filled = node.find_child(
        [](const pugi::xml_node& c) { return cell_of(c).kind != SheetCell::Kind::kEmpty; });
    for (std::size_t k = 0; filled && k < times && index + k < kMaxRows; ++k)
      take_row(node, index + k, sheet);
    index += times;
  }
}

}  // namespace

Result<ArrayFile> read_ods(const std::filesystem::path& file, const std::string& name) {
  const auto archive = ZipArchive::open(file, name);
  if (!archive) return fail(archive.error());
  const auto text = archive->read("content.xml");
  if (!text) return fail(text.error());
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text->data(), text->size());
  if (!parsed)
    return fail(ErrorCode::kInvalidInput, "{}/content.xml: {}", name, parsed.description());
  std::vector<Sheet> sheets;
  const auto spreadsheet =
      document.document_element().child("office:body").child("office:spreadsheet");
  for (const auto& table : spreadsheet.children("table:table")) {
    Sheet sheet{table.attribute("table:name").value(), {}};
    std::size_t index = 0;
    take_rows(table, index, sheet);
    sheets.push_back(std::move(sheet));
  }
  return table_of(sheets);
}

}  // namespace tactelier
