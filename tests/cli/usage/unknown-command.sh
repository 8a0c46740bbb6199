# A mistyped command is misuse, and the most similar one is suggested.

"$PAWL" rnu
