# Compiles FILE for GPUs too, into TARGET, a target of this folder: by a source that the build writes, which includes it
# (engine/compile/for_gpu.cuh). NAME is what the host finds the kernels by (GpuSetup::file): several files of a
# target may have one name. Nothing happens in a build without CUDA. Installed as well, for edgemill_add_algorithm, which
# sets edgemill_for_gpu_header and edgemill_for_gpu_options.
function(edgemill_compile_for_gpu target name file)
  if(NOT EDGEMILL_CUDA_FOUND)
    return()
  endif()
  if(NOT edgemill_for_gpu_header)
    set(edgemill_for_gpu_header "engine/compile/for_gpu.cuh")
  endif()
  get_filename_component(path ${file} ABSOLUTE)
  get_filename_component(stem ${file} NAME_WE)
  set(for_gpu ${CMAKE_CURRENT_BINARY_DIR}/${stem}_for_gpu.cu)
  file(CONFIGURE OUTPUT ${for_gpu} CONTENT "#define EDGEMILL_GPU_FILE \"${name}\"
#include \"${edgemill_for_gpu_header}\"
#include \"${path}\"
" @ONLY)
  set_source_files_properties(${for_gpu} PROPERTIES OBJECT_DEPENDS ${path}
                              COMPILE_OPTIONS "-diag-suppress=177;${edgemill_for_gpu_options}")
  target_sources(${target} PRIVATE ${for_gpu})
endfunction()
