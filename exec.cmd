@rem The script "start" begins with exec, which cmd.exe does not have: npm on Windows finds this file instead.
@%*
