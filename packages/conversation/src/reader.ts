import { event as place, places } from '@fucina/wire-types/event-names';
import { fromWire, toWire } from '@fucina/wire-types/rename';
import type { StoredEvent, StreamEvent, ToolAction } from './events.ts';

/** An event of the journal, in English. */
export function readStored({ at, json }: StoredEvent): StreamEvent {
  return { ...readEvent(JSON.parse(json)), storedAt: at };
}

/** Parses one `data:` line of the stream; undefined when it is not an event. */
export function parseEvent(line: string): StreamEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEvent =
      typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
    return isEvent ? readEvent(value) : undefined;
  } catch {
    // Not valid JSON: skipped. The next event carries its own sequence.
    return undefined;
  }
}

/** The one reader of events: what the wire and the journal have becomes English here. */
export function readEvent(value: unknown): StreamEvent {
  return fromWire(places, place, value) as StreamEvent;
}

/** The events of an exported session, which other programs import as it is. */
export const readExported = ({ eventi }: { eventi: readonly unknown[] }): StreamEvent[] => eventi.map(readEvent);

/** The reference of a message, by the number of the event that began its turn. */
export function messageReference(sequence: number): string;
export function messageReference(sequence: number | undefined): string | undefined;
export function messageReference(sequence: number | undefined): string | undefined {
  return sequence === undefined ? undefined : `giro:${sequence}`;
}

/** An action that waits for approval, in English, as its event has it. */
export function readAction(action: Readonly<Record<string, unknown>>): ToolAction {
  const event = readEvent({ type: 'ApprovalRequested', requestId: '', azione: action });
  return { kind: '', ...(event.type === 'ApprovalRequested' && event.action) };
}

/** The stored form of an action: what rules and approvals are about. */
export const writeAction = (action: Readonly<Record<string, unknown>>): { tipo: string; [fact: string]: unknown } => {
  const { azione } = toWire(places, place, { type: 'ApprovalRequested', action }) as { azione: { tipo: string } };
  return azione;
};
