#!/bin/sh
# Installs Wharf for one user: see `install.sh --help`. The last line calls what the others define, so that a script that arrives
# in part does nothing.
set -eu

repository="@REPOSITORY@"
targets="@TARGETS@"
experimental="@EXPERIMENTAL@"
bun="@BUN@"

usage() {
  cat <<END
Usage: install.sh [options]

Installs Wharf: takes the archive for this machine from a release, checks it against SHA256SUMS, and puts the program into a
folder. It needs no root, and it changes nothing but DIR/wharf.

  --version V    this version, such as 1.2.3 (default: the newest)            or WHARF_VERSION
  --to DIR       into this folder (default: ~/.local/bin)                     or WHARF_INSTALL_DIR
  --from PLACE   a folder or an address with the files of a release           or WHARF_DOWNLOAD_URL
                 (default: $repository/releases)
  --help         print this help

It needs tar and gzip; sha256sum, shasum or openssl; and curl or wget, if PLACE is an address.
To update Wharf, run it again. To remove Wharf, delete DIR/wharf.
END
}

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# No release has a build for this machine.
unsupported() {
  fail "there is no build for $system on $machine. To build Wharf from source where Bun runs (it needs git and Node):
  git clone $repository && cd wharf && npx -y $bun run build"
}

is_musl() {
  case $(ldd --version 2>&1 || :) in
    *musl*) return 0 ;;
    *GLIBC* | *"GNU libc"*) return 1 ;;
  esac
  # A machine without ldd. Where both loaders are, the system is one of glibc.
  for loader in /lib*/ld-linux-* /lib/ld-musl-*; do
    [ -e "$loader" ] || continue
    case $loader in *musl*) return 0 ;; *) return 1 ;; esac
  done
  return 1
}

# Sets `target` to the name of the build for this machine.
find_target() {
  system=$(uname -s) machine=$(uname -m)
  case $system in
    Linux) target=linux ;;
    Darwin) target=darwin ;;
    MINGW* | MSYS* | CYGWIN*)
      fail "this script is for Linux and macOS. For Windows take wharf-windows-x64.zip from $repository/releases/latest" ;;
    *) unsupported ;;
  esac
  case $machine in
    x86_64 | amd64) target=$target-x64 ;;
    aarch64 | arm64) target=$target-arm64 ;;
    *) unsupported ;;
  esac
  case $target in
    linux-*)
      # A system of 32 bits can run on a kernel of 64.
      if [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" != 64 ]; then
        machine="$machine with 32 bits"
        unsupported
      fi
      if is_musl; then target=$target-musl; fi
      ;;
    darwin-x64)
      # To a program that Rosetta translates, a Mac with an ARM CPU looks like one with an Intel CPU.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then target=darwin-arm64; fi
      ;;
  esac
  case " $targets " in
    *" $target "*) ;;
    *) unsupported ;;
  esac
  case $target in
    linux-x64*)
      if [ -r /proc/cpuinfo ] && ! grep -qw sse4_2 /proc/cpuinfo; then
        fail "the CPU of this machine lacks SSE4.2, without which Wharf does not run."
      fi
      ;;
  esac
}

# Copies the file $1 of the release to the file $2. Fails if that is not possible.
take() {
  case $place in
    https://*) protocols='=https' ;;
    http://*) protocols='=http,https' ;;
    *)
      cp -- "$place/$1" "$2"
      return
      ;;
  esac
  if has curl; then
    curl -fsSL --proto "$protocols" --retry 2 -o "$2" "$place/$1"
  elif has wget; then
    wget -q -O "$2" "$place/$1"
  else
    fail "it needs curl or wget."
  fi
}

# Prints the SHA-256 of the file $1 in hexadecimal.
sha256() {
  if has sha256sum; then
    sum=$(sha256sum <"$1")
  elif has shasum; then
    sum=$(shasum -a 256 <"$1")
  elif has openssl; then
    sum=$(openssl dgst -sha256 -r <"$1")
  else
    fail "it needs sha256sum, shasum or openssl."
  fi
  printf '%s\n' "${sum%% *}"
}

# Fails if the archive is not the one that SHA256SUMS names.
check_archive() {
  expected=
  while read -r sum name; do
    if [ "$name" = "$archive" ]; then expected=$sum; fi
  done <"$work/SHA256SUMS"
  [ -n "$expected" ] || fail "$place has no $archive in its SHA256SUMS. Nothing is installed."
  actual=$(sha256 "$work/$archive")
  [ "$actual" = "$expected" ] || fail "$place/$archive is not the file that SHA256SUMS names. Nothing is installed.
  SHA-256 expected: $expected
  SHA-256 found:    $actual"
}

# Sets `said` to what the new program prints as its version. Fails, with advice, if it does not run here.
try_program() {
  if said=$("$new" --version 2>&1 </dev/null); then
    case $version in
      "" | latest | "$said" | "v$said") return ;;
      *) fail "$place has version $said, not $version. Nothing is installed." ;;
    esac
  fi
  case $said in
    *libstdc++* | *libgcc*) advice="Install libstdc++ first, which this build needs. On Alpine: apk add libstdc++" ;;
    *GLIBC*) advice="The C library of this system is too old." ;;
    *) advice="Build Wharf from source: see $repository" ;;
  esac
  # A loader prints a line for each symbol that it misses.
  fail "the program does not run on this machine ($target). Nothing is installed. It printed:
  ${said%%
*}
$advice"
}

# Prints where the program is and how to start it.
report() {
  printf 'Wharf %s (%s) is installed: %s/wharf\n' "$said" "$target" "$folder"
  case " $experimental " in
    *" $target "*) echo "This build is experimental: it is built, but nobody has tried it yet." ;;
  esac
  start=wharf
  case ":$PATH:" in
    *":$folder:"*)
      first=$(command -v wharf || :)
      if [ "$first" != "$folder/wharf" ]; then
        start=$folder/wharf
        echo "The command wharf runs another program, which comes first on the PATH: $first"
      fi
      ;;
    *)
      start=$folder/wharf profile=
      shell=${SHELL:-}
      case ${shell##*/} in
        fish) echo "This folder is not on the PATH. To add it: fish_add_path '$folder'" ;;
        zsh) profile=.zshrc ;;
        bash) profile=.bashrc ;;
        *) profile=.profile ;;
      esac
      if [ -n "$profile" ]; then
        echo "This folder is not on the PATH. To add it, put this line at the end of ~/$profile and open a new terminal:"
        # shellcheck disable=SC2016 # The shell of the reader replaces it.
        printf '  export PATH="%s:$PATH"\n' "$folder"
      fi
      ;;
  esac
  printf 'Start it: %s\n' "$start"
}

main() {
  version=${WHARF_VERSION:-} folder=${WHARF_INSTALL_DIR:-} place=${WHARF_DOWNLOAD_URL:-}
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        usage
        exit 0
        ;;
      --version | --to | --from)
        [ $# -gt 1 ] || fail "$1 needs a value. See install.sh --help"
        case $1 in
          --version) version=$2 ;;
          --to) folder=$2 ;;
          --from) place=$2 ;;
        esac
        shift 2
        ;;
      *) fail "there is no option $1. See install.sh --help" ;;
    esac
  done
  if [ -z "$folder" ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set. Name a folder: --to DIR"
    folder=$HOME/.local/bin
  fi
  if [ -z "$place" ]; then
    case $version in
      "" | latest) place=$repository/releases/latest/download ;;
      *) place=$repository/releases/download/v${version#v} ;;
    esac
  fi
  for program in tar gzip; do
    has $program || fail "it needs $program."
  done
  find_target
  archive=wharf-$target.tar.gz

  new=
  work=$(mktemp -d)
  trap 'rm -rf "$work"; [ -z "$new" ] || rm -f "$new"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 141' PIPE
  trap 'exit 143' TERM
  echo "Taking $archive from $place"
  for file in SHA256SUMS "$archive"; do
    take "$file" "$work/$file" || fail "it could not get $place/$file. Nothing is installed."
  done
  check_archive

  mkdir -p -- "$folder" || fail "it cannot make $folder. Name another folder: --to DIR"
  folder=$(CDPATH='' cd -- "$folder" && pwd)
  [ ! -d "$folder/wharf" ] || fail "$folder/wharf is a folder. Name another place: --to DIR"
  # A file beside the old program replaces it in one step, also while the old one runs.
  new=$(mktemp "$folder/.wharf.XXXXXX") || fail "it cannot write to $folder. Name another folder: --to DIR"
  tar -xzOf "$work/$archive" "wharf-$target/wharf" >"$new"
  chmod 755 "$new"
  try_program
  mv -f -- "$new" "$folder/wharf"
  new=
  report
}

{ main "$@"; }
