/**
 * An attack of a hostile command. Its script runs in the project folder with bash. It succeeded if it printed the secret or
 * `escaped`, or changed a protected file. Variables: HOME, BASE (contains the home, the data folder and sockets), DATA,
 * RUN, PORT, MODEL, FREE and LOW (ports), LAN, VICTIM (a process of the user), ABSTRACT (a socket's name), MAIN.
 */
export interface Attack {
  title: string;
  script: string;
  /** What an unpacked archive left in the folder before the command, by a script that runs there unprotected. */
  before?: string;
  /** Runs in a linked worktree of the repository MAIN, instead of the project. */
  isInWorktree?: boolean;
  /** A script that runs in the background from before the other until after its end. */
  beside?: string;
  /** A control file that the user allows meanwhile, with the original content. */
  allowed?: string;
  /** The variable of a port of this computer: the attack succeeded if `escaped` comes from there. */
  serves?: string;
}
