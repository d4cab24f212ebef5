#include "reports/document/latex_text.hpp"

#include <array>
#include <utility>

namespace tactelier {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 52> kSigns{{
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"κ", "$\\kappa$"},
    {"σ", "$\\sigma$"},
    {"µ", "$\\mu$"},
    {"μ", "$\\mu$"},
    {"τ", "$\\tau$"},
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"γ", "$\\gamma$"},
    {"δ", "$\\delta$"},
    {"ε", "$\\varepsilon$"},
    {"ρ", "$\\rho$"},
    {"ω", "$\\omega$"},
    {"λ", "$\\lambda$"},
    {"ν", "$\\nu$"},
    {"θ", "$\\theta$"},
    {"φ", "$\\varphi$"},
    {"χ", "$\\chi$"},
    {"Σ", "$\\Sigma$"},
    {"∞", "$\\infty$"},
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"·", "$\\cdot$"},
    {"−", "$-$"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"≈", "$\\approx$"},
    {"°", "$^\\circ$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
    {"⁴", "$^4$"},
    {"₀", "$_0$"},
    {"₁", "$_1$"},
    {"₂", "$_2$"},
    {"₃", "$_3$"},
    {"–", "--"},
    {"—", "---"},
    {"…", "\\dots{}"},
    {"“", "``"},
    {"”", "''"},
    {"’", "'"},
}};

const Pair* sign_at(std::string_view rest) {
  for (const auto& sign : kSigns)
    if (rest.starts_with(sign.first)) return &sign;
  return nullptr;
}

std::size_t length_of_character(std::string_view rest) {
  std::size_t length = 1;
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xc0U) == 0x80U)
    ++length;
  return length;
}

}  // namespace

std::string latex(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    if (const auto* sign = sign_at(text)) {
      made += sign->second;
      text.remove_prefix(sign->first.size());
      continue;
    }
    const auto length = length_of_character(text);
    made += text.substr(0, length);
    text.remove_prefix(length);
  }
  return made;
}

}  // namespace tactelier
