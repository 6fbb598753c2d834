/** A slash command offered by a domain to every client (`/notes`, `/model` …); sessions runs it, no client reimplements it. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly usage: string;
  /** Answers Markdown for the user. `signal` aborts it. */
  run(argument: string, context: CommandContext): Promise<string>;
}

export interface CommandContext {
  sessionId: string | null;
  /** What the user reads. */
  language: 'it' | 'en';
  signal: AbortSignal;
}
