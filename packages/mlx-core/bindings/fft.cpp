// The submodule mlx.core.fft.
#include "mlx/ops/fft.h"

#include "docs.h"
#include "families.h"
#include "support.h"

namespace mlx::core::python {
namespace {

FFTNorm norm_of(std::string_view op, std::string_view name) {
  for (std::size_t i = 0; i < fft_norm_names.size(); ++i) {
    if (fft_norm_names[i] == name) return static_cast<FFTNorm>(i);
  }
  raise<ValueError>(op, "unknown norm: got '", name,
                    "'; expected 'backward', 'ortho' or 'forward'");
}

// --- docstrings ----------------------------------------------------------------------------------

constexpr std::string_view norm_doc =
    "    norm: What is divided by the number of elements: \"backward\" the inverse transform,\n"
    "        \"forward\" the other one, \"ortho\" both by its square root.\n";

constexpr std::string_view raises_doc =
    "\nRaises:\n"
    "    IndexError: An axis is out of range.\n"
    "    ValueError: A length is less than 1, axes are repeated or do not fit the lengths, or\n"
    "        the norm is unknown.\n";

struct OneAxis {
  const char* name;
  array (*function)(const array&, std::optional<std::int64_t>, std::int64_t, FFTNorm,
                    const StreamOrDevice&);
  std::string_view doc, input, length, example;
};

constexpr std::string_view cut_or_padded =
    "The length of the signal: the input is cut or padded with zeros to it; None for its own.";
constexpr std::string_view output_length =
    "The length of the result; None for ``2 * (m - 1)`` of ``m`` numbers.";
constexpr std::string_view any_input = "Array; what is not complex becomes so.";
constexpr std::string_view real_input = "Array of a real dtype.";
constexpr std::string_view half_input =
    "The first ``n // 2 + 1`` numbers of a conjugate-symmetric array.";

constexpr OneAxis one_axis[] = {
    {"fft", fft::fft, "Discrete Fourier transform.", any_input, cut_or_padded,
     ">>> mx.fft.fft(mx.array([1.0, 2.0, 3.0, 4.0]))\n"
     "array([10+0j, -2+2j, -2+0j, -2-2j], dtype=complex64)"},
    {"ifft", fft::ifft, "Inverse of :func:`fft`.", any_input, cut_or_padded,
     ">>> mx.fft.ifft(mx.array([4.0, 0.0, 0.0, 0.0]))\n"
     "array([1+0j, 1+0j, 1+0j, 1+0j], dtype=complex64)"},
    {"rfft", fft::rfft,
     "Discrete Fourier transform of reals: its first ``n // 2 + 1`` numbers, which tell the rest.",
     real_input, cut_or_padded,
     ">>> mx.fft.rfft(mx.array([1.0, 2.0, 3.0, 4.0]))\n"
     "array([10+0j, -2+2j, -2+0j], dtype=complex64)"},
    {"irfft", fft::irfft, "Inverse of :func:`rfft`.", half_input, output_length,
     ">>> mx.fft.irfft(mx.array([10, -2 + 2j, -2]))\n"
     "array([1, 2, 3, 4], dtype=float32)"},
    {"hfft", fft::hfft,
     "Discrete Fourier transform of a conjugate-symmetric signal, whose spectrum is real.",
     half_input, output_length,
     ">>> mx.fft.hfft(mx.array([1, 1j, 2]))\n"
     "array([3, 1, 3, -3], dtype=float32)"},
    {"ihfft", fft::ihfft, "Inverse of :func:`hfft`.", real_input, cut_or_padded,
     ">>> mx.fft.ihfft(mx.array([4.0, 0.0, 0.0, 0.0]))\n"
     "array([1-0j, 1-0j, 1-0j], dtype=complex64)"},
};

struct SeveralAxes {
  const char* name;
  array (*function)(const array&, const std::optional<Shape>&, const std::optional<Axes>&, FFTNorm,
                    const StreamOrDevice&);
  array (*two)(const array&, const std::optional<Shape>&, const Axes&, FFTNorm,
               const StreamOrDevice&);
  std::string_view doc, input, example;
};

constexpr SeveralAxes several_axes[] = {
    {"fftn", fft::fftn, fft::fft2, "Discrete Fourier transform along several axes.", any_input,
     ">>> mx.fft.fftn(mx.array([[1.0, 2.0], [3.0, 4.0]]))\n"
     "array([[10+0j, -2+0j],\n"
     "       [-4+0j, 0+0j]], dtype=complex64)"},
    {"ifftn", fft::ifftn, fft::ifft2, "Inverse of :func:`fftn`.", any_input,
     ">>> mx.fft.ifftn(mx.array([[4.0, 0.0], [0.0, 0.0]]))\n"
     "array([[1+0j, 1+0j],\n"
     "       [1+0j, 1+0j]], dtype=complex64)"},
    {"rfftn", fft::rfftn, fft::rfft2,
     "Discrete Fourier transform of reals along several axes; the last one is cut to half.",
     real_input,
     ">>> mx.fft.rfftn(mx.ones((2, 4))).shape\n"
     "(2, 3)"},
    {"irfftn", fft::irfftn, fft::irfft2, "Inverse of :func:`rfftn`.",
     "Array whose last transformed axis has the first ``n // 2 + 1`` numbers.",
     ">>> mx.fft.irfftn(mx.fft.rfftn(mx.ones((2, 4))))\n"
     "array([[1, 1, 1, 1],\n"
     "       [1, 1, 1, 1]], dtype=float32)"},
};

constexpr std::string_view lengths_doc =
    "    s: The lengths of the signal along the axes, to which the input is cut or padded with\n"
    "        zeros; -1 keeps an axis as it is, None all.\n";

// The functions of two axes share all but the default with those of several.
std::string two_axes_doc(const SeveralAxes& row) {
  std::string name = std::string(row.name, std::string_view(row.name).size() - 1);
  std::string doc = ":func:`" + std::string(row.name) + "` along two axes, by default the last.\n";
  doc += "\nArgs:\n    a: " + std::string(row.input) + "\n";
  doc += lengths_doc;
  doc += "    axes: The two axes.\n";
  doc += norm_doc;
  doc += stream_doc;
  doc += raises_doc;
  return doc + "\n>>> mx.fft." + name + "2(mx.ones((3, 2, 4))).shape\n" +
         (name == "rfft"    ? "(3, 2, 3)"
          : name == "irfft" ? "(3, 2, 6)"
                            : "(3, 2, 4)");
}

std::string several_axes_doc(const SeveralAxes& row) {
  std::string doc = std::string(row.doc) + "\n\nArgs:\n    a: " + std::string(row.input) + "\n";
  doc += lengths_doc;
  doc += "    axes: The axes; None for all, or for the last ones that ``s`` has lengths for.\n";
  doc += norm_doc;
  doc += stream_doc;
  doc += raises_doc;
  return doc + "\n" + std::string(row.example);
}

std::string one_axis_doc(const OneAxis& row) {
  std::string doc = std::string(row.doc) + "\n\nArgs:\n    a: " + std::string(row.input) + "\n";
  doc += "    n: " + std::string(row.length) + "\n";
  doc += "    axis: The axis to transform.\n";
  doc += norm_doc;
  doc += stream_doc;
  doc += raises_doc;
  return doc + "\n" + std::string(row.example);
}

// --- functions -----------------------------------------------------------------------------------

constexpr std::string_view after_axes = ", norm: str = 'backward', stream: StreamOrDevice = None";

void bind_one_axis(nb::module_& m, const OneAxis& row) {
  std::string op = row.name;
  std::string signature = "def " + op + "(a: ArrayLike, n: int | None = None, axis: int = -1" +
                          std::string(after_axes) + ") -> array";
  m.def(
      row.name,
      [op, function = row.function](const ArrayLike& a, std::optional<std::int64_t> n,
                                    std::int64_t axis, const std::string& norm,
                                    const StreamOrDevice& stream) {
        return function(to_array(op, a), n, axis, norm_of(op, norm), stream);
      },
      nb::arg("a").none(), nb::arg("n") = nb::none(), nb::arg("axis") = -1,
      nb::arg("norm") = "backward", nb::arg("stream") = nb::none(), nb::sig(signature.c_str()),
      one_axis_doc(row).c_str());
}

std::optional<Shape> lengths_of(const AxesArg& s) {
  if (!s.axes) return std::nullopt;
  return Shape(s.axes->begin(), s.axes->end());
}

template <class Function>
void bind_axes(nb::module_& m, const std::string& op, Function&& function,
               const nb::object& default_axes, const std::string& doc) {
  std::string signature = "def " + op +
                          "(a: ArrayLike, s: Sequence[int] | None = None, axes: Sequence[int]" +
                          (default_axes.is_none() ? " | None = None" : " = (-2, -1)") +
                          std::string(after_axes) + ") -> array";
  m.def(
      op.c_str(),
      [op, function](const ArrayLike& a, const AxesArg& s, const AxesArg& axes,
                     const std::string& norm, const StreamOrDevice& stream) {
        return function(to_array(op, a), lengths_of(s), axes.axes, norm_of(op, norm), stream);
      },
      nb::arg("a").none(), nb::arg("s") = nb::none(), nb::arg("axes").none() = default_axes,
      nb::arg("norm") = "backward", nb::arg("stream") = nb::none(), nb::sig(signature.c_str()),
      doc.c_str());
}

void bind_several_axes(nb::module_& m, const SeveralAxes& row) {
  std::string name = row.name;
  bind_axes(m, name, row.function, nb::none(), several_axes_doc(row));
  name.back() = '2';
  bind_axes(
      m, name,
      [two = row.two](const array& a, const std::optional<Shape>& s,
                      const std::optional<Axes>& axes, FFTNorm norm, const StreamOrDevice& stream) {
        return two(a, s, axes.value_or(Axes{-2, -1}), norm, stream);
      },
      nb::make_tuple(-2, -1), two_axes_doc(row));
}

using Frequencies = array (*)(std::int64_t, double, Dtype, const StreamOrDevice&);

void bind_frequencies(nb::module_& m, const char* name, Frequencies function, const std::string& of,
                      const std::string& example) {
  std::string signature = "def " + std::string(name) +
                          "(n: int, d: float = 1.0, stream: StreamOrDevice = None, *, "
                          "dtype: Dtype = float32) -> array";
  std::string doc = "Frequencies of the elements that :func:`" + of + "` returns." + R"(

Args:
    n: The number of samples.
    d: The time between two samples.
    stream: The stream or device to compute on; None for the default.
    dtype: A floating dtype.

Raises:
    ValueError: ``n`` is less than 1, or ``d`` is zero.
    TypeError: The dtype is not a floating one.

)" + example;
  m.def(
      name,
      [function](std::int64_t n, double d, const StreamOrDevice& stream, Dtype dtype) {
        return function(n, d, dtype, stream);
      },
      nb::arg("n"), nb::arg("d") = 1.0, nb::arg("stream") = nb::none(), nb::kw_only(),
      nb::arg("dtype") = dtype_object(Dtype::float32), nb::sig(signature.c_str()), doc.c_str());
}

using Shift = array (*)(const array&, const std::optional<Axes>&, const StreamOrDevice&);

void bind_shift(nb::module_& m, const char* name, Shift function, const std::string& first_line,
                const std::string& example) {
  std::string op = name;
  std::string signature = "def " + op +
                          "(a: ArrayLike, axes: int | Sequence[int] | None = None, "
                          "stream: StreamOrDevice = None) -> array";
  std::string doc = first_line + R"(

Args:
    a: Array.
    axes: The axes to shift; None for all.
    stream: The stream or device to compute on; None for the default.

Raises:
    IndexError: An axis is out of range.

)" + example;
  m.def(
      name,
      [op, function](const ArrayLike& a, const AxesArg& axes, const StreamOrDevice& stream) {
        return function(to_array(op, a), axes.axes, stream);
      },
      nb::arg("a").none(), nb::arg("axes") = nb::none(), nb::arg("stream") = nb::none(),
      nb::sig(signature.c_str()), doc.c_str());
}

}  // namespace

void bind_fft(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("fft", "Discrete Fourier transforms.");
  for (const OneAxis& row : one_axis) bind_one_axis(m, row);
  for (const SeveralAxes& row : several_axes) bind_several_axes(m, row);
  bind_frequencies(m, "fftfreq", fft::fftfreq, "fft",
                   ">>> mx.fft.fftfreq(4)\narray([0, 0.25, -0.5, -0.25], dtype=float32)");
  bind_frequencies(m, "rfftfreq", fft::rfftfreq, "rfft",
                   ">>> mx.fft.rfftfreq(4)\narray([0, 0.25, 0.5], dtype=float32)");
  bind_shift(m, "fftshift", fft::fftshift, "Moves frequency zero to the middle.",
             ">>> mx.fft.fftshift(mx.array([0, 1, 2, -2, -1]))\n"
             "array([-2, -1, 0, 1, 2], dtype=int32)");
  bind_shift(m, "ifftshift", fft::ifftshift, "Inverse of :func:`fftshift`.",
             ">>> mx.fft.ifftshift(mx.array([-2, -1, 0, 1, 2]))\n"
             "array([0, 1, 2, -2, -1], dtype=int32)");
}

}  // namespace mlx::core::python
