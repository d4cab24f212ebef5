#include "app/gui/pages/protocol/step_form.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

using Kind = StepField::Kind;
using Json = StepForm::Json;

constexpr int kColumns = 2;  // fields beside each other

bool isLong(const StepField& field) { return field.kind == Kind::kJson || field.kind == Kind::kText; }

/// "until.force_N" -> until, force_N.
std::pair<std::string, std::string> partsOf(const std::string& key) {
  const auto dot = key.find('.');
  if (dot == key.npos) return {"", key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

const Json* valueOf(const StepField& field, const Json& step) {
  const auto [outer, inner] = partsOf(field.key);
  const auto* object = &step;
  if (!outer.empty()) {
    const auto found = step.find(outer);
    if (found == step.end()) return nullptr;
    object = &*found;
  }
  const auto found = object->find(inner);
  return found == object->end() ? nullptr : &*found;
}

Result<Json> number(const QString& typed, bool whole, const StepField& field) {
  bool good = false;
  auto plain = typed.trimmed();
  plain.replace(u'−', u'-');
  if (whole) {
    const auto value = plain.toLongLong(&good);
    if (good) return Json(value);
  } else {
    const auto value = plain.toDouble(&good);
    // 5 stays 5.
    if (good && value == std::floor(value) && std::abs(value) < 1e15)
      return Json(static_cast<std::int64_t>(value));
    if (good) return Json(value);
  }
  return fail(ErrorCode::kUsage, "{}: '{}' is no {}", field.label, typed.trimmed().toStdString(),
              whole ? "whole number" : "number");
}

Result<Json> parsed(const StepField& field, const QString& typed) {
  const auto plain = typed.trimmed();
  switch (field.kind) {
    case Kind::kNumber:
      return number(plain, false, field);
    case Kind::kInteger:
      return number(plain, true, field);
    case Kind::kNumbers: {
      Json list = Json::array();
      auto inner = plain;
      inner.remove('[').remove(']');
      for (const auto& part : inner.split(',', Qt::SkipEmptyParts)) {
        auto one = number(part, false, field);
        if (!one) return one;
        list.push_back(std::move(*one));
      }
      if (list.empty()) return number(plain, false, field);
      return list.size() == 1 ? list[0] : list;
    }
    case Kind::kChoice:
    case Kind::kText:
      return Json(plain.toStdString());
    case Kind::kFlag:
      return Json(true);
    case Kind::kJson:
      break;
  }
  const auto text = plain.toStdString();
  auto value = Json::parse(text, nullptr, false);
  if (!value.is_discarded()) return value;
  // "all", "centre" without their quotes; "3, 4, 5" without its brackets.
  value = Json::parse("[" + text + "]", nullptr, false);
  if (!value.is_discarded()) return value;
  const bool word = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
  });
  if (word) return Json(text);
  return fail(ErrorCode::kUsage, "{}: '{}' is neither a word nor a list like 3, 4, [1.5, 2]",
              field.label, text);
}

QString tipOf(const StepField& field) {
  auto tip = text(field.words);
  if (!tip.isEmpty()) tip += QLatin1Char('\n');
  return tip + text(field.key) + (field.required ? StepForm::tr(" (needed)") : QString());
}

QString labelOf(const StepField& field) {
  const auto label = text(field.label);
  return partsOf(field.key).first.empty() ? label : StepForm::tr("Until %1").arg(label.toLower());
}

}  // namespace

QString fieldText(const StepField& field, const Json& step) {
  const auto* value = valueOf(field, step);
  if (value == nullptr) return {};
  if (value->is_string()) return text(value->get<std::string>());
  if (field.kind != Kind::kNumbers || !value->is_array()) return text(value->dump());
  QStringList parts;
  for (const auto& one : *value) parts << text(one.dump());
  return parts.join(QStringLiteral(", "));
}

Result<Json> withField(const StepField& field, Json step, const QString& typed) {
  const auto [outer, inner] = partsOf(field.key);
  if (typed.trimmed().isEmpty()) {
    if (outer.empty()) {
      step.erase(inner);
    } else if (step.contains(outer)) {
      step[outer].erase(inner);
      if (step[outer].empty()) step.erase(outer);
    }
    return step;
  }
  auto value = parsed(field, typed);
  if (!value) return value;
  (outer.empty() ? step : step[outer])[inner] = std::move(*value);
  return step;
}

StepForm::StepForm(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  title_ = new QLabel(this);
  title_->setObjectName(QStringLiteral("stepTitle"));
  auto font = title_->font();
  font.setBold(true);
  title_->setFont(font);
  words_ = new QLabel(this);
  words_->setProperty("look", "caption");
  words_->setWordWrap(true);
  trouble_ = new QLabel(this);
  trouble_->setObjectName(QStringLiteral("stepTrouble"));
  trouble_->setProperty("look", "bad");
  trouble_->setWordWrap(true);
  trouble_->hide();
  layout->addWidget(title_);
  layout->addWidget(words_);
  layout->addWidget(trouble_);
  clear();
}

void StepForm::clear() {
  kind_.clear();
  fields_.clear();
  editors_.clear();
  delete std::exchange(grid_holder_, nullptr);
  title_->setText(tr("No step chosen"));
  words_->setText(tr("Choose a step in the list, or add one."));
  trouble_->hide();
}

void StepForm::show(int number, const Json& step) {
  number_ = number;
  step_ = step;
  trouble_->hide();
  const auto kind = step.value("do", std::string());
  if (kind != kind_) {
    kind_ = kind;
    build();
  }
  title_->setText(tr("Step %1: %2").arg(number).arg(text(kind)));
  words_->setText(text(step_description(kind)));
  fill();
}

void StepForm::build() {
  delete std::exchange(grid_holder_, nullptr);
  editors_.clear();
  fields_ = step_fields(kind_);
  grid_holder_ = new QWidget(this);
  auto* grid = new QGridLayout(grid_holder_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(6);
  int row = 0, column = 0;
  for (const auto& field : fields_) {
    auto* label = new QLabel(labelOf(field), grid_holder_);
    label->setProperty("look", "caption");
    auto* editor = editorOf(field);
    editors_.push_back(editor);
    label->setBuddy(editor);
    label->setToolTip(tipOf(field));
    auto* unit = new QLabel(text(field.unit).replace(QStringLiteral("deg"), QStringLiteral("°"))
                                .replace(QStringLiteral("mm2"), QStringLiteral("mm²")),
                            grid_holder_);
    unit->setProperty("look", "caption");
    const bool wide = isLong(field);
    if (wide && column > 0) {
      ++row;
      column = 0;
    }
    grid->addWidget(label, row, 3 * column);
    grid->addWidget(editor, row, 3 * column + 1, 1, wide ? 3 * kColumns - 2 : 1);
    if (!wide) grid->addWidget(unit, row, 3 * column + 2);
    if (wide) unit->hide();
    column = wide ? kColumns : column + 1;
    if (column >= kColumns) {
      ++row;
      column = 0;
    }
  }
  for (int c = 0; c < kColumns; ++c) grid->setColumnStretch(3 * c + 1, 1);
  layout()->addWidget(grid_holder_);
}

QWidget* StepForm::editorOf(const StepField& field) {
  QWidget* editor = nullptr;
  if (field.kind == Kind::kChoice) {
    auto* box = new QComboBox(grid_holder_);
    if (!field.required) box->addItem(QString());
    for (const auto& choice : field.choices) box->addItem(text(choice));
    connect(box, &QComboBox::activated, this, [this, field, box] { take(field, box->currentText()); });
    editor = box;
  } else if (field.kind == Kind::kFlag) {
    auto* box = new QCheckBox(grid_holder_);
    connect(box, &QCheckBox::clicked, this,
            [this, field](bool on) { take(field, on ? QStringLiteral("true") : QString()); });
    editor = box;
  } else {
    auto* line = new QLineEdit(grid_holder_);
    connect(line, &QLineEdit::editingFinished, this, [this, field, line] { take(field, line->text()); });
    editor = line;
  }
  editor->setObjectName(QStringLiteral("field_") + text(field.key));
  editor->setAccessibleName(field.unit.empty()
                                ? labelOf(field)
                                : QStringLiteral("%1, %2").arg(labelOf(field), text(field.unit)));
  editor->setToolTip(tipOf(field));
  return editor;
}

void StepForm::fill() {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const auto words = fieldText(fields_[i], step_);
    if (auto* box = qobject_cast<QComboBox*>(editors_[i]))
      box->setCurrentIndex(box->findText(words));
    else if (auto* flag = qobject_cast<QCheckBox*>(editors_[i]))
      flag->setChecked(!words.isEmpty());
    else if (auto* line = qobject_cast<QLineEdit*>(editors_[i]))
      line->setText(words);
  }
}

void StepForm::take(const StepField& field, const QString& typed) {
  if (typed.trimmed() == fieldText(field, step_)) return;
  const auto changed = withField(field, step_, typed);
  trouble_->setVisible(!changed);
  if (!changed) {
    trouble_->setText(text(changed.error().message));
    return;
  }
  emit edited(*changed, tr("%1 of step %2").arg(labelOf(field).toLower()).arg(number_));
}

}  // namespace tactelier::gui
