-- The program of the application: macOS sends links and folders as events, which a shell script cannot receive.
on run
	openFucina("")
end run

on open location theLink
	openFucina(quoted form of theLink)
end open location

on open theItems
	openFucina(quoted form of POSIX path of item 1 of theItems)
end open

-- In a login shell: agents need the programs that the user has.
on openFucina(target)
	set program to quoted form of (POSIX path of (path to me) & "Contents/Resources/program/bin/fucina")
	do shell script "\"${SHELL:-/bin/zsh}\" -l -c " & quoted form of (program & " app " & target)
end openFucina
