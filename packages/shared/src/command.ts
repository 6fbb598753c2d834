/** A slash command that a domain offers to every client (`/notes`, `/model` …); sessions runs it. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly usage: string;
  /** Returns Markdown for the user. `signal` aborts it. */
  run(argument: string, context: CommandContext): Promise<string>;
}

export interface CommandContext {
  sessionId: string | null;
  /** The text for the user. */
  language: 'it' | 'en';
  signal: AbortSignal;
}
