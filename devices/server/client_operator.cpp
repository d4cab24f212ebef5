#include "devices/server/client_operator.hpp"

namespace tactelier::rig {

void ClientOperator::notify(TellNews news) {
  const std::lock_guard lock(mutex_);
  news_ = std::move(news);
}

Result<Answer> ClientOperator::ask(const Question& question,
                                   const std::function<Result<void>()>& waiting) {
  TellNews news;
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    answer_.reset();
    news = news_;
  }
  // Not under the lock: who is told may answer at once.
  if (news) news(messages::Question{question.text, question.answer_key});
  while (true) {
    if (auto fine = waiting(); !fine) return fail(fine.error());
    const std::lock_guard lock(mutex_);
    if (!news_) {
      asked_ = false;
      return fail(ErrorCode::kCancelled, "'{}': whoever was to answer has gone", question.text);
    }
    if (!answer_) continue;
    asked_ = false;
    return *std::exchange(answer_, std::nullopt);
  }
}

bool ClientOperator::answer(std::optional<double> value) {
  const std::lock_guard lock(mutex_);
  if (!asked_) return false;
  answer_ = Answer{value};
  return true;
}

}  // namespace tactelier::rig
