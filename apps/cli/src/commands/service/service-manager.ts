/** What keeps a user's programs running: systemd, or launchd. */
export interface ServiceManager {
  /** The file that describes the service. Absolute. */
  file: string;
  text: string;
  /** Commands, in order; the first that fails ends them. */
  commands: Record<'install' | 'uninstall' | 'start' | 'stop', readonly Argv[]>;
  /** Prints its state in one word; the exit code means nothing. */
  state: Argv;
  /** Prints the last lines of the log. */
  log(follows: boolean): Argv;
}

export type Argv = readonly [string, ...string[]];

export interface ServiceNeeds {
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  home: string;
  uid: number;
  /** Program and arguments of the server. */
  command: readonly string[];
}
