# bash completion for pawl. `pawl __complete WORDS...` prints what can stand for the last word, a candidate a line
# with a tab and its description behind it, or what the shell lists itself, such as ":files".

_pawl() {
	local cur=${COMP_WORDS[COMP_CWORD]} words=() word
	# Bash splits words at '=', so that "--color=al" arrives as three.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == '=' ]] || words+=("$word")
	done
	[[ $cur != '=' ]] || cur=
	mapfile -t COMPREPLY < <("$1" __complete "${words[@]}" "$cur" 2>/dev/null | while IFS=$'\t' read -r word _; do
		case $word in
		:folders) compgen -d -- "$cur" ;;
		:files) compgen -f -- "$cur" ;;
		:scenarios)
			[[ $cur != */* ]] || compgen -f -X '!*.y*ml' -- "$cur"
			compgen -d -- "$cur"
			;;
		*) printf '%s\n' "$word" ;;
		esac
	done)
	[[ $cur == -* ]] || compopt -o filenames 2>/dev/null
}

complete -F _pawl pawl
