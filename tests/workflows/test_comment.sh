#!/bin/bash
# tools/github/comment.py, with a test server that answers as GitHub does.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo 'python3 is not installed (tools/setup.sh test)'; exit 77; }
exec python3 "$here/comment_cases.py" "${PAWL:-$here/../../build/pawl}"
