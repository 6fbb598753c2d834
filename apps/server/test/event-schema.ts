import * as z from 'zod';
import { sessionEvent } from '../src/wire/session-event.ts';

/** What the schema of events does not say about this event: wrong fields, and fields that it does not declare. */
export function undescribed(event: unknown): string[] {
  const parsed = sessionEvent.safeParse(event);
  if (!parsed.success) return [`${nameOf(event)}: ${z.prettifyError(parsed.error)}`];
  // Parsing drops what is not declared.
  return droppedFields(event, parsed.data).map((path) => `${nameOf(event)}: ${path} is not declared`);
}

function nameOf(event: unknown): string {
  const { type, name } = event as { type?: string; name?: string };
  return name ?? type ?? 'event';
}

function droppedFields(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before !== 'object' || before === null) return [];
  return Object.entries(before).flatMap(([field, value]) => {
    const here = path ? `${path}.${field}` : field;
    const kept = after as Record<string, unknown>;
    return Object.hasOwn(kept, field) ? droppedFields(value, kept[field], here) : [here];
  });
}
