import type { Automation } from './records.ts';

const SUMMARY_CHARS = 4_000;
const SILENCE = /^[\s*_`'"“”«».!]*(?:nothing to report|nothing|niente da segnalare|niente)[\s*_`'"“”«».!]*$/i;

/** The message that the model reads at the start of a run. */
export function runMessage({ name, instructions }: Automation, context: string | undefined): string {
  const more = context?.trim() ? `\n\nFor this run the user adds:\n${context.trim()}` : '';
  return (
    `${instructions}${more}\n\n---\nThis is a run of the automation “${name}”. Nobody is there to answer questions. ` +
    'End with a short summary of what the user should know; where there is nothing, answer only: Nothing to report.'
  );
}

/** The agent's last message, truncated; null if there was none. */
export function summaryOf(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || SILENCE.test(trimmed)) return null;
  return trimmed.length > SUMMARY_CHARS ? `${trimmed.slice(0, SUMMARY_CHARS - 1)}…` : trimmed;
}
