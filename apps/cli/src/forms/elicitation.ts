import type { ElicitationAnswer } from '@fucina/host';
import type { SessionEvent } from '@fucina/shared';

/** What a server of the project asks the person in the middle of a call. Its words are its own. */
export interface Elicitation {
  requestId: string;
  server: string;
  message: string;
  /** A form with this JSON schema, or a page to open. */
  form?: Readonly<Record<string, unknown>>;
  url?: string;
}

/** It asks, or it was answered: by the person, by the end of its call. */
export type ElicitationStep =
  | { asked: Elicitation }
  | { answered: { requestId: string; action: ElicitationAnswer['action'] } };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for every other event. */
export function elicitationOf(event: SessionEvent): ElicitationStep | undefined {
  return event.type === 'CUSTOM' && event.name === 'svc.mcp-elicitation' ? stepOf(event.value) : undefined;
}

function stepOf(value: unknown): ElicitationStep | undefined {
  if (!isRecord(value) || typeof value.requestId !== 'string') return undefined;
  const { requestId, stato, server, messaggio, schema, url, azione } = value;
  if (stato !== 'in-attesa') {
    const action = azione === 'accept' || azione === 'decline' ? azione : 'cancel';
    return { answered: { requestId, action } };
  }
  const shown = typeof url === 'string' ? { url } : { form: isRecord(schema) ? schema : {} };
  return { asked: { requestId, server: String(server), message: String(messaggio), ...shown } };
}

/** Where an address leads, as the network has it: what looks alike in another alphabet does not here. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
