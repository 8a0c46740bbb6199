# Prints docs/reference/action.md from action.yml and comment/action.yml: descriptions and defaults of inputs and
# outputs. Inputs that have gone (deprecationMessage) are left out.
#
#   awk -f reference.awk action.yml comment/action.yml

function plain(text) {
  sub(/^ */, "", text)
  if (text ~ /^'.*'$/) text = substr(text, 2, length(text) - 2)
  return text
}
function row(   value) {
  if (name != "" && !gone) {
    gsub(/\|/, "\\|", about)
    printf "| `%s` | %s. |", name, about
    if (part == "inputs") printf " %s |", initial == "" ? "" : "`" initial "`"
    print ""
  }
  name = about = initial = ""
  gone = folded = 0
}

BEGIN { print "# The GitHub actions\n\nHow to use them: [On GitHub](../how-to/github.md)." }
FNR == 1 {
  row()
  part = ""
  printf "\n## OWNER/pawl%s\n", FILENAME ~ /comment\// ? "/comment" : ""
}
/^description: / && part == "" { print "\n" plain(substr($0, 14)) "." }
/^[a-z]+:/ {
  row()
  part = $1
  sub(/:.*/, "", part)
  if (part == "inputs") print "\n| input | is | default |\n|---|---|---|"
  if (part == "outputs") print "\n| output | is |\n|---|---|"
}
part != "inputs" && part != "outputs" { next }
/^  [a-z-]+:$/ { row(); name = plain($0); sub(/:$/, "", name); next }
/^    description: *>-/ { folded = 1; next }
/^    description:/ { about = plain(substr($0, 17)); next }
/^    default:/ { folded = 0; initial = plain(substr($0, 13)); next }
/^    deprecationMessage:/ { folded = 0; gone = 1; next }
/^    value:/ { folded = 0; next }
folded { about = about (about == "" ? "" : " ") plain($0) }
