// Lanes: one program for many problems at once, such as searches from many sources. A vertex has a
// row of words (LaneArray), and the program is written for one word of it, by LaneViews. An edge is
// read once for all words.
//
// No message has a whole row. The message is its sender, and the thread that takes it reads the row
// of the sender. So messages wait in few bytes, and are never combined themselves. A pull combines
// the rows of a list's senders.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/check.h"
#include "common/strings.h"
#include "engine/program/arrays/lane_view.h"
#include "engine/program/program_calls.h"

namespace edgemill {

/// The most words of a row.
inline constexpr uint32_t kMaxLaneWords = 8;

/// The monoid of Lanes. The engine does not call Combine for their messages.
struct Senders {
  using Value = VertexId;
  static constexpr bool kIdempotent = true;
  EM_HOST_DEVICE static constexpr VertexId identity() { return kInvalidVertex; }
  EM_HOST_DEVICE static constexpr VertexId Combine(VertexId a, VertexId) { return a; }
};

/// Runs P on all words of the rows that its LaneViews show. P has Relax and an idempotent monoid.
/// Its Emit reads const views only, and gives the identity where a word has nothing to send.
template <typename P>
struct Lanes {
  static_assert(
      HasRelax<P> && !HasApply<P> && EmitsRepeatedly<P> && !HasNext<P> &&
          kIsIdempotent<typename P::Monoid> && !kIsWeighted<P> && !HasAlong<P, Edge>,
      "Lanes: the program has Emit, Relax and an idempotent Monoid; no Apply, Along, Next");
  using Monoid = Senders;
  using OfWords = P;
  using Sum = SumOfProgram<P>;

  P program;

  EM_HOST_DEVICE uint32_t words() const {
    uint32_t words = 1;
    VisitFields(program, [&](const auto& field) {
      if constexpr (requires { field.OfWord(0); }) words = field.words();
    });
    return words;
  }
  /// Ends the process, as an author's mistake, where rows are no rows for Lanes.
  void CheckRows() const {
    const uint32_t count = words();
    if (count > 0 && count <= kMaxLaneWords && (count & (count - 1)) == 0) return;
    internal::AuthorMistake(StrCat(kProgramName<P>, ": its rows have ", count,
                                   " words: rows of Lanes have 1, 2, 4 or 8"));
  }
  /// The program for one word. Always inline: a copy in memory for each word would take most of the
  /// time of a pass.
  [[gnu::always_inline]] EM_HOST_DEVICE P OfWord(uint32_t word) const {
    P one = program;
    auto move = [word](auto& field) __attribute__((always_inline)) {
      if constexpr (requires { field.OfWord(0); }) field.MoveToWord(word);
    };
    internal::VisitOwnFields(one, move);
    return one;
  }

  EM_HOST_DEVICE VertexId Emit(VertexId u) const { return u; }
  EM_HOST_DEVICE bool Cond(VertexId v) const {
    return !EachWord([v](const P& one, uint32_t) { return !CallCond(one, v); });
  }
  EM_HOST_DEVICE bool Relax(VertexId v, VertexId u) {
    bool changed = false;
    EachWord([&](P& one, uint32_t) {
      const Sum sent = CallEmit(one, u);
      if (WouldChange(one, v, sent)) changed |= CallRelax(one, v, sent);
      return true;
    });
    return changed;
  }

  // For pulls on the CPU, which combine the rows of a list's senders.
  struct Row {
    Row() { std::fill(word, word + kMaxLaneWords, P::Monoid::identity()); }
    Sum word[kMaxLaneWords];
  };
  void AddSent(VertexId u, Row* row) const {
    EachWord([&](P& one, uint32_t word) {
      row->word[word] = P::Monoid::Combine(row->word[word], CallEmit(one, u));
      return true;
    });
  }
  bool RelaxRow(VertexId v, const Row& row) const {
    bool changed = false;
    EachWord([&](P& one, uint32_t word) {
      if (WouldChange(one, v, row.word[word])) changed |= CallRelax(one, v, row.word[word]);
      return true;
    });
    return changed;
  }
  bool HasEnough(VertexId v, const Row& row) const {
    return EachWord(
        [&](const P& one, uint32_t word) { return CallEnough(one, v, row.word[word]); });
  }

  struct Tuning {
    EM_HOST_DEVICE static bool WouldRelax(const Lanes& program, VertexId v, VertexId u) {
      return !program.EachWord(
          [&](P& one, uint32_t) { return !WouldChange(one, v, Sum(CallEmit(one, u))); });
    }
  };

 private:
  /// Calls `call(program, word)` for the words in order, until it is false. Returns whether it
  /// never was.
  template <typename Call>
  EM_HOST_DEVICE bool EachWord(Call call) const {
    const uint32_t count = words();
    if (count == kMaxLaneWords) {  // so that compilers know the number, and use vectors
      bool all = true;
      for (uint32_t word = 0; word < kMaxLaneWords && all; ++word) {
        P one = OfWord(word);
        all = call(one, word);
      }
      return all;
    }
    for (uint32_t word = 0; word < count; ++word) {
      P one = OfWord(word);
      if (!call(one, word)) return false;
    }
    return true;
  }
  EM_HOST_DEVICE static bool WouldChange(const P& one, VertexId v, const Sum& sent) {
    using TuningOfWords = edgemill::Tuning<P>;
    if (sent == P::Monoid::identity()) return false;
    if constexpr (requires { TuningOfWords::WouldRelax(one, v, sent); }) {
      EM_ACCESS(v);
      return TuningOfWords::WouldRelax(one, v, sent);
    } else {
      return CallCond(one, v);
    }
  }
};

}  // namespace edgemill
