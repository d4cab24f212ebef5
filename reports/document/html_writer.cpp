#include "reports/document/html_writer.hpp"

#include <fmt/format.h>

#include <string_view>

#include "reports/document/figure_sizes.hpp"
#include "reports/document/markup_text.hpp"
#include "reports/document/svg_writer.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;background:#f3f4f6;color:#1a212b;font:15px/1.5 "Noto Sans","DejaVu Sans",Arial,sans-serif}
a{color:#0b57a4}
a:focus-visible,.scroll:focus-visible{outline:2px solid #0b57a4;outline-offset:2px}
header,main,footer{max-width:1080px;margin:0 auto;padding:12px 20px}
header p{margin:0;color:#4b5666}
h1{font-size:26px;line-height:1.25;margin:4px 0;overflow-wrap:anywhere}
h2{font-size:20px;margin:0 0 8px}
nav{margin:0 0 16px}
nav ol{margin:0;padding-left:22px;columns:3 260px}
section{background:#fff;border:1px solid #cdd3db;border-radius:4px;padding:16px 20px;margin:0 0 16px}
p{margin:8px 0;max-width:80ch;overflow-wrap:anywhere}
p.good,p.look,p.bad{border-left:4px solid;padding:8px 12px;max-width:none}
p.good{border-color:#1b6e34;background:#e9f5ec}
p.look{border-color:#8a5a00;background:#fdf3dc}
p.bad{border-color:#b3151f;background:#fbe9ea}
p.equation{font-family:"DejaVu Sans Mono",monospace;font-size:14px;background:#f8f9fa;padding:6px 10px;max-width:none}
p.note{color:#4b5666;font-size:13px}
.scroll{overflow-x:auto;margin:12px 0}
table{border-collapse:collapse;font-size:14px}
caption{text-align:left;font-weight:bold;padding:4px 0}
th,td{padding:4px 10px 4px 0;border-bottom:1px solid #cdd3db;text-align:left;vertical-align:top;font-variant-numeric:tabular-nums}
thead th{color:#4b5666;border-bottom:2px solid #7c8796}
tbody th{font-weight:normal}
td{min-width:6em}
.figures{display:grid;gap:16px;margin:12px 0}
.small{grid-template-columns:repeat(auto-fill,minmax(150px,1fr))}
.middle{grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr))}
figure{margin:0;break-inside:avoid}
svg{display:block;width:100%;height:auto;font-family:"Noto Sans","DejaVu Sans",Arial,sans-serif}
.wide svg{max-width:760px}
footer{color:#4b5666;font-size:13px;overflow-wrap:anywhere}
@media (max-width:600px){header,main,footer{padding:8px 10px}section{padding:12px 10px}h1{font-size:22px}}
@media print{body{background:#fff;font-size:10pt}section{border:0;padding:0}nav{display:none}tr,figure{break-inside:avoid}h2{break-after:avoid}.scroll{overflow:visible}}
)";

std::string_view tone_class(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kGood:
      return " class=\"good\"";
    case Tone::kLook:
      return " class=\"look\"";
    case Tone::kBad:
      return " class=\"bad\"";
    case Tone::kEquation:
      return " class=\"equation\"";
    case Tone::kNote:
      return " class=\"note\"";
  }
  return "";
}

void write(const Paragraph& paragraph, std::string& out) {
  out += fmt::format("<p{}>{}</p>\n", tone_class(paragraph.tone), escaped(paragraph.text));
}

void write(const ReportTable& table, std::string& out) {
  out += fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n"
                     "<table>\n<caption>{0}</caption>\n<thead><tr>",
                     escaped(table.caption));
  for (const auto& column : table.columns)
    out += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      out += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[i].text))
                    : fmt::format("<td>{}</td>", escaped(row[i].text));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
}

void write(const Figures& figures, std::string& out) {
  constexpr std::string_view kNames[] = {"small", "middle", "wide"};
  out += fmt::format("<div class=\"figures {}\">\n", kNames[static_cast<int>(figures.size)]);
  for (const auto& figure : figures.figures)
    out += "<figure>" + svg(draw(figure, figure_width(figures.size))) + "</figure>\n";
  out += "</div>\n";
}

void write(const Chapter& chapter, std::string& out) {
  out += fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
                     "<h2 id=\"{0}-title\">{1}</h2>\n",
                     escaped(chapter.id), escaped(chapter.title));
  for (const auto& block : chapter.blocks)
    std::visit([&](const auto& content) { write(content, out); }, block);
  out += "</section>\n";
}

std::string contents(const ReportDocument& document) {
  std::string out = "<nav aria-label=\"Contents\"><ol>\n";
  for (const auto& chapter : document.chapters)
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(chapter.id),
                       escaped(chapter.title));
  return out + "</ol></nav>\n";
}

}  // namespace

std::string html(const ReportDocument& document) {
  auto out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}: {1}</title>\n<style>{2}</style>\n</head>\n<body>\n"
      "<header><p>{1}, {3}</p><h1>{0}</h1></header>\n<main>\n",
      escaped(document.title), escaped(document.subtitle), kStyle, escaped(document.date));
  for (const auto& chapter : document.chapters) {
    write(chapter, out);
    if (&chapter == &document.chapters.front()) out += contents(document);
  }
  return out + fmt::format("</main>\n<footer>{}</footer>\n</body>\n</html>\n",
                           escaped(document.footer));
}

}  // namespace tactelier
