/** Program and arguments that start this command line again, from any folder. */
export function ownCommand(args: readonly string[]): [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...args];
}
