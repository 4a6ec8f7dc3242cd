// Answers as Arrow streams: https://arrow.apache.org/docs/format/CStreamInterface.html.
#include <cerrno>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "edgemill/c/answer.h"
#include "edgemill/c/caller.h"

namespace edgemill::c {
namespace {

/// A column as Arrow has it. What its buffers point to is kept by `owners`.
struct ArrowColumn {
  std::string name;
  const char* format;  // of Arrow
  int64_t flags = 0;
  int64_t null_count = 0;
  std::vector<const void*> buffers;
  std::vector<std::shared_ptr<const void>> owners;
};

/// A batch of columns, which a stream gives once.
struct ArrowBatch {
  int64_t length = 0;
  std::vector<ArrowColumn> columns;
};

/// A bit for each of `length` values, of whether there is a value; null where all have one.
template <typename Has>
std::shared_ptr<const std::vector<uint8_t>> ValidBits(uint64_t length, const Has& has,
                                                      int64_t* null_count) {
  std::shared_ptr<std::vector<uint8_t>> bits;
  for (uint64_t i = 0; i < length; ++i) {
    if (has(i)) continue;
    if (bits == nullptr) bits = std::make_shared<std::vector<uint8_t>>((length + 7) / 8, 0xff);
    (*bits)[i / 8] &= static_cast<uint8_t>(~(1u << (i % 8)));
    ++*null_count;
  }
  return bits;
}

template <typename Has>
void AddValidity(uint64_t length, const Has& has, ArrowColumn* column) {
  const auto bits = ValidBits(length, has, &column->null_count);
  column->flags = ARROW_FLAG_NULLABLE;
  column->buffers.push_back(bits == nullptr ? nullptr : bits->data());
  column->owners.push_back(bits);
}

ArrowColumn ColumnOfNames(std::string name, std::shared_ptr<const Names> names) {
  return {.name = std::move(name),
          .format = "U",
          .buffers = {nullptr, names->offsets.data(), names->text.data()},
          .owners = {names}};
}

/// The vertices: their ids, or their names where `names` has some.
ArrowColumn ColumnOfVertices(const std::shared_ptr<const HeldAnswer>& held,
                             const std::shared_ptr<const Names>& names) {
  if (names != nullptr) return ColumnOfNames("vertex", names);
  const RunAnswer& answer = held->answer();
  if (!answer.ids.empty()) {
    return {
        .name = "vertex", .format = "L", .buffers = {nullptr, answer.ids.data()}, .owners = {held}};
  }
  const auto ids = std::make_shared<std::vector<uint64_t>>(answer.num_vertices);
  std::iota(ids->begin(), ids->end(), uint64_t{0});
  return {.name = "vertex", .format = "L", .buffers = {nullptr, ids->data()}, .owners = {ids}};
}

/// The values by a heading. Where they are vertices with names, the names.
ArrowColumn ColumnOfValues(const std::shared_ptr<const HeldAnswer>& held, size_t heading,
                           const std::shared_ptr<const Names>& names) {
  const RunAnswer& answer = held->answer();
  const uint64_t length = answer.num_vertices;
  ArrowColumn column{.name = answer.headings[heading], .format = "g", .owners = {held}};
  if (answer.type == ResultType::kReal) {
    const double* const reals = answer.reals.data() + heading * length;
    AddValidity(
        length, [&](uint64_t i) { return !std::isinf(reals[i]); }, &column);
    column.buffers.push_back(reals);
    return column;
  }
  const uint64_t* const wholes = answer.integers.data() + heading * length;
  const auto has = [&](uint64_t i) { return wholes[i] != kUnreachedInteger; };
  AddValidity(length, has, &column);
  if (answer.type == ResultType::kId && names != nullptr) {
    const auto values = std::make_shared<Names>();
    for (uint64_t i = 0; i < length; ++i) values->Add(has(i) ? names->Of(wholes[i]) : "");
    column.format = "U";
    column.buffers.push_back(values->offsets.data());
    column.buffers.push_back(values->text.data());
    column.owners.push_back(values);
    return column;
  }
  column.format = answer.type == ResultType::kCount ? "l" : "L";
  column.buffers.push_back(wholes);
  return column;
}

// What a consumer gets belongs to it until it calls `release`. It may move children away and
// release them later: their `release` is then null here.

/// An ArrowSchema's or ArrowArray's contents, with its children.
template <typename Arrow>
struct Exported {
  ArrowColumn column;
  std::vector<Arrow> children;
  std::vector<Arrow*> pointers;

  static void Release(Arrow* arrow) {
    const std::unique_ptr<Exported> owned(static_cast<Exported*>(arrow->private_data));
    for (Arrow& child : owned->children) {
      if (child.release != nullptr) child.release(&child);
    }
    arrow->release = nullptr;
  }
};

/// Gives `exported` to the consumer of `arrow`, whose other fields are set.
template <typename Arrow>
void Give(std::unique_ptr<Exported<Arrow>> exported, Arrow* arrow) {
  for (Arrow& child : exported->children) exported->pointers.push_back(&child);
  arrow->n_children = static_cast<int64_t>(exported->children.size());
  arrow->children = exported->pointers.empty() ? nullptr : exported->pointers.data();
  arrow->release = Exported<Arrow>::Release;
  arrow->private_data = exported.release();
}

void GiveSchema(ArrowColumn column, std::vector<ArrowSchema> children, ArrowSchema* schema) {
  auto exported = std::make_unique<Exported<ArrowSchema>>();
  exported->column = std::move(column);
  exported->children = std::move(children);
  *schema = {.format = exported->column.format,
             .name = exported->column.name.c_str(),
             .flags = exported->column.flags};
  Give(std::move(exported), schema);
}

void GiveArray(int64_t length, ArrowColumn column, std::vector<ArrowArray> children,
               ArrowArray* array) {
  auto exported = std::make_unique<Exported<ArrowArray>>();
  exported->column = std::move(column);
  exported->children = std::move(children);
  *array = {.length = length,
            .null_count = exported->column.null_count,
            .n_buffers = static_cast<int64_t>(exported->column.buffers.size()),
            .buffers = exported->column.buffers.data()};
  Give(std::move(exported), array);
}

/// The stream of one batch.
struct BatchStream {
  ArrowBatch batch;
  bool is_given = false;

  static BatchStream& Of(ArrowArrayStream* stream) {
    return *static_cast<BatchStream*>(stream->private_data);
  }
  static int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
    const Status status = Guard([&] {
      std::vector<ArrowSchema> children;
      for (const ArrowColumn& column : Of(stream).batch.columns) {
        GiveSchema(column, {}, &children.emplace_back());
      }
      GiveSchema({.format = "+s"}, std::move(children), out);
      return OkStatus();
    });
    return status.ok() ? 0 : ENOMEM;
  }
  static int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
    *out = {};  // released: the end
    BatchStream& of = Of(stream);
    if (of.is_given) return 0;
    const Status status = Guard([&] {
      std::vector<ArrowArray> children;
      for (const ArrowColumn& column : of.batch.columns) {
        GiveArray(of.batch.length, column, {}, &children.emplace_back());
      }
      GiveArray(of.batch.length, {.format = "+s", .buffers = {nullptr}}, std::move(children), out);
      of.is_given = true;
      return OkStatus();
    });
    return status.ok() ? 0 : ENOMEM;
  }
  static const char* GetLastError(ArrowArrayStream* /*stream*/) {
    return "Edgemill: the system refused memory for an answer";
  }
  static void Release(ArrowArrayStream* stream) {
    const std::unique_ptr<BatchStream> owned(&Of(stream));
    stream->release = nullptr;
  }
};

}  // namespace
}  // namespace edgemill::c

edgemill_error* edgemill_answer_export_stream(const edgemill_answer* answer,
                                              ArrowArrayStream* stream) {
  using edgemill::c::BatchStream;
  return edgemill::c::Guarded([&]() -> edgemill::Status {
    const auto& held = answer->held;
    std::shared_ptr<const edgemill::c::Names> names;
    if (held->graph().info().has_names != 0) {
      ASSIGN_OR_RETURN(names, held->graph().AllNames());
    }
    auto exported = std::make_unique<BatchStream>();
    exported->batch.length = static_cast<int64_t>(held->answer().num_vertices);
    exported->batch.columns.push_back(edgemill::c::ColumnOfVertices(held, names));
    for (size_t i = 0; i < held->answer().headings.size(); ++i) {
      exported->batch.columns.push_back(edgemill::c::ColumnOfValues(held, i, names));
    }
    *stream = {.get_schema = BatchStream::GetSchema,
               .get_next = BatchStream::GetNext,
               .get_last_error = BatchStream::GetLastError,
               .release = BatchStream::Release,
               .private_data = exported.release()};
    return edgemill::OkStatus();
  });
}
