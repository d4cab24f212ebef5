# Flags that every target of ours shares; linked as tactelier_options.
add_library(tactelier_options INTERFACE)
target_compile_features(tactelier_options INTERFACE cxx_std_20)
target_compile_options(tactelier_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror)
target_include_directories(tactelier_options INTERFACE ${PROJECT_SOURCE_DIR})
# fmt takes char8_t-free literals only; the same text in every locale.
target_compile_definitions(tactelier_options INTERFACE TACTELIER_VERSION="${PROJECT_VERSION}")

# The Python module is a shared object of the libraries that the programs are made of. Their calls and
# data stay their own (no symbol of theirs may be put in place from outside), so that inlining is that
# of a program; linked into one, what is left of the indirection is taken out by the linker.
target_compile_options(tactelier_options INTERFACE
  $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,STATIC_LIBRARY>:-fPIC;-fno-semantic-interposition>)

if(TACTELIER_SANITIZE)
  target_compile_options(tactelier_options INTERFACE -fsanitize=${TACTELIER_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(TACTELIER_SANITIZE MATCHES "undefined")
    # A null pointer ends at address zero in any case, and these double the time to compile.
    target_compile_options(tactelier_options INTERFACE
      -fno-sanitize=null,vptr,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute)
  endif()
  target_link_options(tactelier_options INTERFACE -fsanitize=${TACTELIER_SANITIZE})
  # Debian's Ceres was built without the sanitizer: both sides must agree on how Eigen aligns.
  target_compile_definitions(tactelier_options INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()
