/** Exit codes, from sysexits where it has one. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Something needed approval and did not get it. */
  denied: 3,
  stepsUsedUp: 4,
  /** The model did not finish its answer: cut, refused or empty. */
  noAnswer: 5,
  busy: 75,
  configuration: 78,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
