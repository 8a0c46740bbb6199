# fish completion for pawl. `pawl __complete WORDS...` prints what can stand for the last word, a candidate a line
# with a tab and its description behind it, or what the shell lists itself, such as ":files".

function __pawl_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	# Of "--out=some", the path and what stands before it.
	set -l path (string replace -r -- '^--[^=]*=' '' $current)
	set -l option (string match -r -- '^--[^=]*=' $current)
	for line in (pawl __complete $words[2..-1] "$current" 2>/dev/null)
		switch $line
			case :folders
				printf '%s\n' "$option"(__fish_complete_directories "$path" '')
			case :files :scenarios
				printf '%s\n' "$option"(__fish_complete_path "$path")
			case '*'
				printf '%s\n' $line
		end
	end
end

complete -c pawl -f -a '(__pawl_complete)'
