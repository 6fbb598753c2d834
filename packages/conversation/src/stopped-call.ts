import { AGENT_TOOL } from './events.ts';
import type { ToolItem } from './items.ts';

/** As in the event of a result. */
interface Facts {
  isInterrupted?: boolean | undefined;
  isFailed?: boolean | undefined;
  command?: string | undefined;
  exitCode?: number | undefined;
}

/**
 * Whether a call was stopped, and did not fail by itself: before it ran, or its command, which then has no exit code. A
 * command that continues in the background did not fail.
 */
export function wasStopped({ isInterrupted, isFailed, command, exitCode }: Facts): boolean {
  return isInterrupted === true || (isFailed === true && command !== undefined && exitCode === undefined);
}

/** How the agent of a call ended, if not by finishing, from the report that is the call's result. */
export function agentEnd(report: string): 'stopped' | 'failed' | undefined {
  // Quotes inside its texts are escaped, so this is the field itself.
  const outcome = /"outcome":"([\w-]+)"/.exec(report)?.[1];
  if (outcome === 'stopped' || outcome === 'interrupted') return 'stopped';
  return outcome === 'error' ? 'failed' : undefined;
}

/** The same of a call in the conversation. */
export function endOfAgent({ name, outcome }: ToolItem): 'stopped' | 'failed' | undefined {
  return name === AGENT_TOOL && outcome ? agentEnd(outcome.content) : undefined;
}

/** Whether a call of the conversation was stopped: its turn ended first, or it, its command or its agent was stopped. */
export function isStopped(call: ToolItem): boolean {
  const { isOver, outcome, background } = call;
  if (!isOver || !outcome) return isOver;
  const isKilled = outcome.command !== undefined && outcome.exitCode === undefined && !background;
  return outcome.isInterrupted || isKilled || endOfAgent(call) === 'stopped';
}
