// Arrow's IPC file format, which is also Feather's second version:
// https://arrow.apache.org/docs/format/Columnar.html. The file is a list of messages: the schema,
// and a record batch for each part. A footer has their places.
#include <array>
#include <bit>
#include <utility>

#include "common/check.h"
#include "engine/output/tables/flat_buffer.h"
#include "engine/output/tables/table_encoder.h"

namespace edgemill {
namespace {

constexpr std::string_view kArrowMagic = "ARROW1";
/// Messages, and the buffers in them, begin at multiples of this, but the schema.
constexpr size_t kArrowAlignment = 64;
constexpr uint32_t kContinues = 0xffffffff;

/// Numbers of Arrow's definition (Message.fbs, Schema.fbs).
constexpr int16_t kVersion5 = 4;                                   // MetadataVersion
constexpr uint8_t kSchemaMessage = 1, kBatchMessage = 3;           // MessageHeader
constexpr uint8_t kIntType = 2, kFloatingType = 3, kUtf8Type = 5;  // Type
constexpr int16_t kDoublePrecision = 2;                            // Precision

void Pad(std::string* bytes) {
  bytes->resize((bytes->size() + kArrowAlignment - 1) / kArrowAlignment * kArrowAlignment, '\0');
}

template <typename T>
void AppendValue(T value, std::string* bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

FlatBuffer::Place PutField(const OutputColumn& column, FlatBuffer* buffer) {
  using Type = OutputColumn::Type;
  const FlatBuffer::Place name = buffer->Text(column.name);
  const FlatBuffer::Place children = buffer->List({});
  uint8_t number = kIntType;
  buffer->Begin();
  if (column.type == Type::kText) {
    number = kUtf8Type;
  } else if (column.type == Type::kReal) {
    number = kFloatingType;
    buffer->Number<int16_t>(0, kDoublePrecision);
  } else {
    buffer->Number<int32_t>(0, 64);
    buffer->Number<uint8_t>(1, column.type == Type::kInt64);  // is_signed
  }
  const FlatBuffer::Place type = buffer->End();
  buffer->Begin();
  buffer->Reference(0, name);
  buffer->Number<uint8_t>(1, 1);  // nullable
  buffer->Number<uint8_t>(2, number);
  buffer->Reference(3, type);
  buffer->Reference(5, children);
  return buffer->End();
}

FlatBuffer::Place PutSchema(const std::vector<OutputColumn>& columns, FlatBuffer* buffer) {
  std::vector<FlatBuffer::Place> fields;
  for (const OutputColumn& column : columns) fields.push_back(PutField(column, buffer));
  const FlatBuffer::Place list = buffer->List(fields);
  buffer->Begin();
  buffer->Reference(1, list);
  return buffer->End();
}

/// A message without its body, as it stands at `offset` of the file.
std::string MessageBytes(uint8_t type, FlatBuffer::Place header, uint64_t body_bytes,
                         uint64_t offset, FlatBuffer buffer) {
  buffer.Begin();
  buffer.Number<uint64_t>(3, body_bytes);
  buffer.Reference(2, header);
  buffer.Number<int16_t>(0, kVersion5);
  buffer.Number<uint8_t>(1, type);
  std::string metadata = buffer.Finish(buffer.End());
  constexpr size_t kPrefix = 2 * sizeof(uint32_t);
  while ((offset + kPrefix + metadata.size()) % kArrowAlignment != 0) metadata += '\0';
  std::string message;
  AppendValue(kContinues, &message);
  AppendValue(static_cast<uint32_t>(metadata.size()), &message);
  return message + metadata;
}

class ArrowEncoder : public TableEncoder {
 public:
  explicit ArrowEncoder(const std::vector<OutputColumn>& columns) : columns_(columns) {}

  std::string Begin() override {
    std::string bytes(kArrowMagic);
    bytes += std::string(2, '\0');
    FlatBuffer buffer;
    const FlatBuffer::Place schema = PutSchema(columns_, &buffer);
    bytes += MessageBytes(kSchemaMessage, schema, 0, bytes.size(), std::move(buffer));
    offset_ = bytes.size();
    return bytes;
  }

  void Encode(const OutputRows& rows, TablePart* part) const override {
    // The body's size is known by its layout, so that the message comes first.
    std::vector<uint64_t> buffers;
    uint64_t body_bytes = 0;
    const auto add = [&](uint64_t bytes) {
      buffers.insert(buffers.end(), {body_bytes, bytes});
      body_bytes += (bytes + kArrowAlignment - 1) / kArrowAlignment * kArrowAlignment;
    };
    std::vector<uint64_t> nodes;
    const size_t num_rows = rows.num_rows();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const ColumnValues& values = rows.column(i);
      nodes.insert(nodes.end(), {num_rows, values.num_missing});
      add(values.num_missing == 0 ? 0 : (num_rows + 7) / 8);
      if (columns_[i].type == OutputColumn::Type::kText) {
        add((num_rows + 1) * sizeof(uint32_t));
        add(values.bytes.size());
      } else {
        add(num_rows * sizeof(uint64_t));
      }
    }
    FlatBuffer buffer;
    const FlatBuffer::Place node_list = buffer.Structs(nodes, 2);
    const FlatBuffer::Place buffer_list = buffer.Structs(buffers, 2);
    buffer.Begin();
    buffer.Number<uint64_t>(0, num_rows);
    buffer.Reference(1, node_list);
    buffer.Reference(2, buffer_list);
    const FlatBuffer::Place batch = buffer.End();
    part->bytes += MessageBytes(kBatchMessage, batch, body_bytes, 0, std::move(buffer));
    const size_t message_bytes = part->bytes.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      AppendBuffers(columns_[i].type, rows.column(i), num_rows, &part->bytes);
    }
    CHECK_EQ(part->bytes.size(), message_bytes + body_bytes);
    part->sizes = {message_bytes, body_bytes};
  }

  void Note(const TablePart& part) override {
    CHECK_EQ(part.sizes.size(), 2u);
    blocks_.insert(blocks_.end(), {offset_, part.sizes[0], part.sizes[1]});
    offset_ += part.bytes.size();
  }

  std::string End() override {
    std::string bytes;
    AppendValue(kContinues, &bytes);
    AppendValue(uint32_t{0}, &bytes);  // no further message
    FlatBuffer buffer;
    const FlatBuffer::Place schema = PutSchema(columns_, &buffer);
    const FlatBuffer::Place dictionaries = buffer.Structs({}, 3);
    // Block: the place, the size of the message in 32 bits and as many zeros, the body's size.
    const FlatBuffer::Place batches = buffer.Structs(blocks_, 3);
    buffer.Begin();
    buffer.Reference(1, schema);
    buffer.Reference(2, dictionaries);
    buffer.Reference(3, batches);
    buffer.Number<int16_t>(0, kVersion5);
    const std::string footer = buffer.Finish(buffer.End());
    bytes += footer;
    AppendValue(static_cast<uint32_t>(footer.size()), &bytes);
    return bytes + std::string(kArrowMagic);
  }

 private:
  static void AppendBuffers(OutputColumn::Type type, const ColumnValues& values, size_t num_rows,
                            std::string* bytes) {
    if (values.num_missing > 0) {
      const size_t end = bytes->size() + (num_rows + 7) / 8;
      bytes->append(values.there.begin(), values.there.end());
      bytes->resize(end, '\xff');
      Pad(bytes);
    }
    if (type == OutputColumn::Type::kText) {
      AppendValue(uint32_t{0}, bytes);
      bytes->append(reinterpret_cast<const char*>(values.ends.data()),
                    values.ends.size() * sizeof(uint32_t));
      Pad(bytes);
      *bytes += values.bytes;
    } else {
      bytes->append(reinterpret_cast<const char*>(values.words.data()),
                    values.words.size() * sizeof(uint64_t));
    }
    Pad(bytes);
  }

  const std::vector<OutputColumn> columns_;
  std::vector<uint64_t> blocks_;  // three numbers for each part
  uint64_t offset_ = 0;           // bytes of the file so far
};

}  // namespace

std::unique_ptr<TableEncoder> MakeArrowEncoder(const std::vector<OutputColumn>& columns) {
  return std::make_unique<ArrowEncoder>(columns);
}

}  // namespace edgemill
