#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_files.sh SOURCE_DIR - each file opens with its licence, no C file has
# more than 500 lines, and no preprocessor condition is inside a function.
set -u

cd "$1" || exit 1
status=0

complain() {
	echo "check_files: $1: $2" >&2
	status=1
}

files=$(find . -name '.?*' -prune -o -name 'build*' -prune -o -type f \( \
	-name '*.[ch]' -o -name '*.sh' -o -name dev \) \
	-print | sort)
for file in $files; do
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' ||
		complain "$file" 'no SPDX line at its top'
	case $file in
	*.[ch])
		lines=$(wc -l <"$file")
		[ "$lines" -le 500 ] ||
			complain "$file" "$lines lines; split it by idea"
		awk '
		/^{/ { inside = 1 }
		/^}/ { inside = 0 }
		inside && /^[ \t]*#[ \t]*(if|el|endif)/ { bad = FNR }
		END { if (bad) print "line " bad; exit bad != 0 }' "$file" ||
			complain "$file" 'an #if inside a function'
		;;
	esac
done
exit "$status"
