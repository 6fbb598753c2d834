import type { Words } from '../../words/index.ts';
import type { Candidate } from '../input/completion/candidate.ts';
import type { Workbench } from '../workbench.ts';

/** `/name`, typed in the composer. */
export interface SlashCommand {
  name: string;
  /** What may follow it: `[show|clear|run]`. Absent: nothing may. */
  usage?: string;
  about: keyof Words;
  /** What its argument can be completed with. */
  values?(workbench: Workbench): readonly Candidate[] | Promise<readonly Candidate[]>;
  /** Whether with this argument it is the session's command of the same name, and goes to the agent's side. */
  isOfSession?(argument: string): boolean;
  /** Throws UsageProblem for an argument it cannot take. */
  run(argument: string, workbench: Workbench): void | Promise<void>;
}

/** The argument is none of the command: how it is written is said. */
export class UsageProblem extends Error {
  constructor() {
    super('usage');
  }
}
