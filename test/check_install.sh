#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_install.sh SOURCE_DIR BUILD_DIR - what is installed can be used from
# outside: a program builds with what pkg-config says, shared and static, runs,
# and loads a policy plug-in that was built against the installed headers.
set -eu

source_dir=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}

step() {
	echo "check_install: $*"
}

step install
meson install -C "$build" --no-rebuild --destdir "$work/root" >"$work/log" ||
	{ cat "$work/log" >&2; exit 1; }
pc=$(find "$work/root" -name troupe.pc)
lib=${pc%/pkgconfig/troupe.pc}
PKG_CONFIG_SYSROOT_DIR=$work/root
PKG_CONFIG_PATH=${pc%/troupe.pc}
LD_LIBRARY_PATH=$lib
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH

step all public headers and no others
(cd "$source_dir" && ls -- */troupe*.h) | sed '/^build/d;s|.*/||' |
	sort >"$work/public"
find "$work/root" -name '*.h' | sed 's|.*/||' | sort >"$work/installed"
diff "$work/public" "$work/installed"

step build programs and a plug-in
cp "$source_dir/demos/readme_example.c" "$work/app.c"
cp "$source_dir/demos/lottery_policy.c" "$work/outside.c"
cd "$work"
cflags=$(pkg-config --cflags troupe)
# shellcheck disable=SC2046,SC2086 # lists of words
$cc -o app app.c $cflags $(pkg-config --libs troupe)
# The archive needs what the library itself is linked with.
needs=$(pkg-config --print-requires-private troupe | sed 's/[ >].*//')
# shellcheck disable=SC2046,SC2086
$cc -o app_static app.c $cflags "$lib/libtroupe.a" \
	$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --libs $needs) \
	$(sed -n 's/^Libs.private: //p' "$pc")
# A plug-in links nothing.
# shellcheck disable=SC2086
$cc -o outside.so -shared -fPIC outside.c $cflags

step run them
for program in ./app ./app_static; do
	$program | grep -qx 'the sum is 5050, reason 0'
done
TROUPE_SCHEDULER_POLICY=./outside.so ./app |
	grep -qx 'the sum is 5050, reason 0'
if TROUPE_SCHEDULER_POLICY=./nowhere.so ./app; then
	echo 'check_install: a missing plug-in went unnoticed' >&2
	exit 1
fi
echo 'check_install: fine'
