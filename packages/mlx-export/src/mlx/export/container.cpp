// The safetensors container: writing it whole or not at all, reading it without trusting it.
#include "mlx/export/container.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "mlx/array/error.h"
#include "mlx/ops/strided.h"

namespace mlx::core {
namespace {

constexpr std::string_view op = "import_function";
constexpr std::uint64_t header_limit = 100'000'000;  // what other readers accept
constexpr std::size_t alignment = 64;                // of the data in the file, and so when mapped

struct DtypeName {
  Dtype dtype;
  std::string_view name;
};
constexpr std::array<DtypeName, 13> dtype_names = {{{Dtype::bool_, "BOOL"},
                                                    {Dtype::uint8, "U8"},
                                                    {Dtype::uint16, "U16"},
                                                    {Dtype::uint32, "U32"},
                                                    {Dtype::uint64, "U64"},
                                                    {Dtype::int8, "I8"},
                                                    {Dtype::int16, "I16"},
                                                    {Dtype::int32, "I32"},
                                                    {Dtype::int64, "I64"},
                                                    {Dtype::float16, "F16"},
                                                    {Dtype::bfloat16, "BF16"},
                                                    {Dtype::float32, "F32"},
                                                    {Dtype::float64, "F64"}}};

std::string_view stored_name(Dtype dtype) {
  for (const DtypeName& entry : dtype_names) {
    if (entry.dtype == real_of(dtype)) return entry.name;
  }
  __builtin_unreachable();
}

// --- writing -------------------------------------------------------------------------------------

[[noreturn]] void raise_errno(std::string_view what, const std::string& path) {
  raise<RuntimeError>("export_function", what, " ", path, ": ", std::strerror(errno));
}

// A file under a temporary name that becomes `path` at the end, or goes.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path)
      : path_(std::move(path)), temporary_(path_ + ".part" + std::to_string(getpid())) {
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) raise_errno("cannot create", temporary_);
  }
  ~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!committed_) ::unlink(temporary_.c_str());
  }
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes) {
    auto* at = static_cast<const char*>(data);
    while (bytes > 0) {
      ssize_t written = ::write(descriptor_, at, std::min<std::size_t>(bytes, 1 << 30));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) raise_errno("cannot write", temporary_);
      at += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }
  void commit() {
    if (::fsync(descriptor_) != 0) raise_errno("cannot write", temporary_);
    if (::close(std::exchange(descriptor_, -1)) != 0) raise_errno("cannot write", temporary_);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) raise_errno("cannot rename to", path_);
    committed_ = true;
  }

 private:
  std::string path_, temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
};

// --- reading -------------------------------------------------------------------------------------

template <class... Parts>
[[noreturn]] void damaged(const std::string& path, const Parts&... parts) {
  raise<ValueError>(op, path, " is damaged or no safetensors file: ", parts...);
}

// Collects the header without a document in between: nothing is kept that the file does not hold.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  HeaderReader(Metadata& metadata, std::vector<StoredTensor>& tensors, std::string& problem)
      : metadata_(metadata), tensors_(tensors), problem_(problem) {}

  bool null() override { return fail("null where a value is needed"); }
  bool boolean(bool) override { return fail("a truth value where none belongs"); }
  bool number_float(double, const std::string&) override {
    return fail("a fraction where a count is needed");
  }
  bool binary(binary_t&) override { return fail("binary data"); }
  bool number_integer(std::int64_t value) override {
    if (value < 0) return fail("a negative number");
    return number_unsigned(static_cast<std::uint64_t>(value));
  }
  bool number_unsigned(std::uint64_t value) override {
    if (depth_ != 3 || list_ == List::none) return fail("a number where none belongs");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return fail("a number beyond 2**63");
    }
    if (list_ == List::shape) {
      if (current_.shape.size() == 64) return fail("more than 64 axes");
      current_.shape.push_back(static_cast<std::int64_t>(value));
    } else {
      if (offsets_ == 2) return fail("more than two offsets");
      (offsets_ == 0 ? current_.begin : current_.end) = value;
      ++offsets_;
    }
    return true;
  }
  bool string(std::string& value) override {
    if (depth_ == 2 && in_metadata_) {
      return metadata_.emplace(key_, value).second || fail("a metadata key twice");
    }
    if (depth_ != 2 || key_ != "dtype") return fail("a string where none belongs");
    for (const DtypeName& entry : dtype_names) {
      if (entry.name != value) continue;
      current_.dtype = entry.dtype;
      has_dtype_ = true;
      return true;
    }
    return fail("unknown dtype '" + value.substr(0, 40) + "'");
  }
  bool start_object(std::size_t) override {
    if (++depth_ > 2) return fail("nested too deep");
    if (depth_ == 2) {
      in_metadata_ = key_ == "__metadata__";
      current_ = StoredTensor{key_, Dtype::uint8, {}, 0, 0};
      has_dtype_ = has_shape_ = false;
      offsets_ = 0;
    }
    return true;
  }
  bool key(std::string& value) override {
    key_ = value;
    return true;
  }
  bool end_object() override {
    if (depth_-- != 2 || in_metadata_) return true;
    if (!has_dtype_ || !has_shape_ || offsets_ != 2) {
      return fail("tensor '" + current_.name + "' lacks dtype, shape or data_offsets");
    }
    tensors_.push_back(std::move(current_));
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_++ != 2 || in_metadata_) return fail("a list where none belongs");
    if (key_ == "shape" && !has_shape_) {
      list_ = List::shape;
      has_shape_ = true;
    } else if (key_ == "data_offsets" && offsets_ == 0) {
      list_ = List::offsets;
    } else {
      return fail("unknown or repeated field '" + key_.substr(0, 40) + "'");
    }
    return true;
  }
  bool end_array() override {
    --depth_;
    list_ = List::none;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return fail("the header is no JSON at byte " + std::to_string(position));
  }

 private:
  enum class List : std::uint8_t { none, shape, offsets };
  bool fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }

  Metadata& metadata_;
  std::vector<StoredTensor>& tensors_;
  std::string& problem_;
  StoredTensor current_{};
  std::string key_;
  int depth_ = 0;
  int offsets_ = 0;
  List list_ = List::none;
  bool in_metadata_ = false, has_dtype_ = false, has_shape_ = false;
};

// Tensors must cover the data one after the other, each with as many bytes as its shape needs.
void check_tensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                   std::uint64_t data_size) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : tensors) order.push_back(&tensor);
  auto before = [](const StoredTensor* a, const StoredTensor* b) {
    return std::tie(a->begin, a->end) < std::tie(b->begin, b->end);
  };
  std::sort(order.begin(), order.end(), before);
  std::uint64_t position = 0;
  for (const StoredTensor* tensor : order) {
    std::uint64_t bytes = static_cast<std::uint64_t>(size_of(tensor->dtype));
    bool overflows = false;
    for (std::int64_t size : tensor->shape) {
      overflows |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
    }
    if (std::find(tensor->shape.begin(), tensor->shape.end(), 0) != tensor->shape.end()) {
      bytes = 0;
      overflows = false;
    }
    if (overflows || tensor->begin > tensor->end || tensor->end > data_size ||
        tensor->end - tensor->begin != bytes) {
      damaged(path, "tensor '", tensor->name, "' of shape ", to_string(tensor->shape),
              " claims bytes ", tensor->begin, " to ", tensor->end, " of ", data_size);
    }
    if (tensor->begin != position) {
      damaged(path, "tensor '", tensor->name, "' begins at ", tensor->begin, "; expected ",
              position, " (no gaps, no overlaps)");
    }
    position = tensor->end;
  }
  if (position != data_size) {
    damaged(path, "there are ", data_size, " bytes of data; expected ", position);
  }
}

}  // namespace

void write_container(const std::string& path,
                     const std::vector<std::pair<std::string, array>>& tensors,
                     const Metadata& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  header["__metadata__"] = metadata;
  std::vector<array> ready;
  std::uint64_t offset = 0;
  // The widest elements first: every tensor's place is then a multiple of its element's size.
  std::vector<std::size_t> order(tensors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return size_of(real_of(tensors[a].second.dtype())) >
           size_of(real_of(tensors[b].second.dtype()));
  });
  for (std::size_t i : order) {
    const auto& [name, value] = tensors[i];
    std::vector<std::int64_t> shape(value.shape().begin(), value.shape().end());
    if (is_complex(value.dtype())) shape.push_back(2);
    auto bytes = static_cast<std::uint64_t>(value.nbytes());
    header[name] = {{"dtype", stored_name(value.dtype())},
                    {"shape", shape},
                    {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
    ready.push_back(contiguous(value));
  }
  eval(ready);
  std::string text = header.dump();
  text.resize((text.size() + 8 + alignment - 1) / alignment * alignment - 8, ' ');
  AtomicFile file(path);
  std::uint64_t size = text.size();
  file.write(&size, sizeof size);
  file.write(text.data(), text.size());
  for (const array& value : ready) {
    file.write(value.tensor().data, static_cast<std::size_t>(value.nbytes()));
  }
  file.commit();
}

Container Container::open(const std::string& path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) raise<RuntimeError>(op, "cannot open ", path, ": ", std::strerror(errno));
  std::shared_ptr<void> closes(nullptr, [descriptor](void*) { ::close(descriptor); });
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    damaged(path, "it is no regular file");
  }
  auto file_size = static_cast<std::uint64_t>(status.st_size);
  if (file_size < 8) damaged(path, "it has ", file_size, " bytes; expected at least 8");
  void* base = ::mmap(nullptr, file_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (base == MAP_FAILED) raise<RuntimeError>(op, "cannot map ", path, ": ", std::strerror(errno));

  Container container;
  container.mapping_ = {base, [file_size](void* mapped) { ::munmap(mapped, file_size); }};
  auto* bytes = static_cast<const std::byte*>(base);
  std::uint64_t header_size = 0;
  std::memcpy(&header_size, bytes, 8);
  if (header_size > header_limit || header_size > file_size - 8) {
    damaged(path, "the header claims ", header_size, " bytes of ", file_size);
  }
  const char* text = reinterpret_cast<const char*>(bytes + 8);
  std::string problem;
  HeaderReader reader(container.metadata_, container.tensors_, problem);
  bool parsed = header_size > 0 && text[0] == '{' &&
                nlohmann::json::sax_parse(text, text + header_size, &reader);
  if (!parsed) damaged(path, problem.empty() ? "the header is no JSON object" : problem);
  container.data_ = bytes + 8 + header_size;
  container.size_ = file_size - 8 - header_size;
  check_tensors(path, container.tensors_, container.size_);
  return container;
}

array Container::tensor(std::size_t index) const {
  const StoredTensor& tensor = tensors_[index];
  std::byte* data = const_cast<std::byte*>(data_) + tensor.begin;  // borrowed memory is not written
  std::size_t bytes = tensor.end - tensor.begin;
  bool is_aligned =
      reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size_of(tensor.dtype)) ==
      0;
  if (is_aligned) return array(borrow(data, bytes, mapping_), tensor.shape, tensor.dtype);
  BufferRef copy = allocate(bytes);
  std::memcpy(copy->data(), data, bytes);
  return array(std::move(copy), tensor.shape, tensor.dtype);
}

}  // namespace mlx::core
