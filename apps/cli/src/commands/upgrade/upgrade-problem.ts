import type { Words } from '../../words/index.ts';

type ProblemKey = Extract<keyof Words, `upgrade.problem-${string}`>;

/** An upgrade that cannot be done: the sentence that says why. */
export class UpgradeProblem extends Error {
  readonly key: ProblemKey;
  readonly params: Readonly<Record<string, string>>;

  constructor(key: ProblemKey, { params = {}, cause }: { params?: Record<string, string>; cause?: unknown } = {}) {
    super(key, { cause });
    this.key = key;
    this.params = params;
  }
}
