import type { ToolCallResult } from './events.ts';

type Facts = Pick<ToolCallResult, 'interrotto' | 'fallito' | 'comando' | 'exitCode'>;

/**
 * Whether a call was stopped, and did not fail by itself: before it ran, or its command, which then has no exit code. A
 * command that continues in the background did not fail.
 */
export function wasStopped({ interrotto, fallito, comando, exitCode }: Facts): boolean {
  return interrotto === true || (fallito === true && comando !== undefined && exitCode === undefined);
}

/** How the agent of a call ended, if not by finishing, from the report that is the call's result. */
export function agentEnd(report: string): 'stopped' | 'failed' | undefined {
  // Quotes inside its texts are escaped, so this is the field itself.
  const outcome = /"outcome":"([\w-]+)"/.exec(report)?.[1];
  if (outcome === 'stopped' || outcome === 'interrupted') return 'stopped';
  return outcome === 'error' ? 'failed' : undefined;
}
