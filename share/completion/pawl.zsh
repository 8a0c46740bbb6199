#compdef pawl
# zsh completion for pawl. `pawl __complete WORDS...` prints what can stand for the last word, a candidate a line
# with a tab and its description behind it, or what the shell lists itself, such as ":files".

_pawl() {
	local line ret=1
	local -a found
	for line in "${(@f)$(pawl __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
		case $line in
		:*) compset -P '--*=' ;|
		:folders) _files -/ && ret=0 ;;
		:files) _files && ret=0 ;;
		:scenarios) _files -g '*.(yaml|yml)' && ret=0 ;;
		?*) found+=("${line/$'\t'/:}") ;;
		esac
	done
	_describe argument found && ret=0
	return ret
}

# Found on fpath, this file is the function; sourced, it registers it.
if [[ $funcstack[1] == _pawl ]]; then _pawl "$@"; else compdef _pawl pawl; fi
