import type { Words } from '../../words/index.ts';
import type { Candidate } from '../input/completion/candidate.ts';
import type { Workbench } from '../workbench.ts';

/** `/name`, typed in the composer. */
export interface SlashCommand {
  name: string;
  /** Its arguments: `[show|clear|run]`. Absent: none. */
  usage?: string;
  about: keyof Words;
  /** Completion values of its argument. */
  values?(workbench: Workbench): readonly Candidate[] | Promise<readonly Candidate[]>;
  /** Whether, with this argument, it is the session's command of the same name instead. */
  isOfSession?(argument: string): boolean;
  /** Throws UsageProblem for an invalid argument. */
  run(argument: string, workbench: Workbench): void | Promise<void>;
}

/** The argument is invalid: the usage is shown. */
export class UsageProblem extends Error {
  constructor() {
    super('usage');
  }
}
