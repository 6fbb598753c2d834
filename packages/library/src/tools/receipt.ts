import { type AppError, isAppError, type ToolResult, textStart } from '@fucina/shared';

/** The result of a change for the model and the conversation: the record's id and title. */
export function receipt(deed: string, record: { id: string; title: string }): ToolResult {
  return { content: `${deed}: "${record.title}" (id ${record.id})` };
}

/** Invalid or missing input becomes an answer that the model can act on; other errors are rethrown. */
export async function asToolResult(act: () => Promise<ToolResult> | ToolResult): Promise<ToolResult> {
  try {
    return await act();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const why = whyOf(error);
    return { content: `${error.code}: ${why}.`, isError: true };
  }
}

function whyOf({ code, reason, params }: AppError): string {
  if (code.endsWith('_NOT_FOUND')) return 'nothing has this id; list or search to see the ids that are there';
  if (reason === 'nothing-to-change') return 'say at least one field to change';
  if (params?.field !== undefined) return `the field ${String(params.field)} does not fit its limits`;
  return `it cannot be done (${reason ?? 'no reason is known'})`;
}

const LINE = 240;

/** One record of a list: its beginning on one line. */
export function recordLine(record: { id: string; title: string }, facts: string, body: string | null): string {
  const text = (body ?? '').replaceAll(/\s+/g, ' ');
  const start = text.length > LINE ? `${textStart(text, LINE)}…` : text;
  return `- ${record.title} [${facts}] (id ${record.id})${start && `\n  ${start}`}`;
}

/** Says when there are more than shown. */
export function listResult(lines: readonly string[], limit: number, empty: string): ToolResult {
  if (!lines.length) return { content: empty };
  const shown = lines.slice(0, limit);
  const rest = lines.length > limit ? `\nThere are more than these ${limit}: ask for a higher limit, or search.` : '';
  return { content: shown.join('\n') + rest };
}
