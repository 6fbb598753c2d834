import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];
export type ForgedTool = Schemas['ForgedTool'];

/** Rows, or why the project's file cannot be read. */
export interface Declared<Row> {
  rows: readonly Row[] | null;
  problem: string | null;
}

/** A project's files may change at any time: polled while visible. */
const POLL_MS = 10_000;
const at = (sessionId: string, ...parts: string[]) => ['sessions', sessionId, ...parts];
const keyOf = (sessionId: string, name: string) => ['extensions', sessionId, name] as const;

function declaredQuery<Row>(sessionId: string, place: string, name: string) {
  return queryOptions({
    queryKey: keyOf(sessionId, place),
    queryFn: async ({ signal }): Promise<Declared<Row>> => {
      const answer = await read<Record<string, unknown>>(address(at(sessionId, place)), signal);
      return { rows: answer[name] as Row[] | null, problem: answer.errore as string | null };
    },
    refetchInterval: POLL_MS,
  });
}

export const forgedQuery = (sessionId: string) => declaredQuery<ForgedTool>(sessionId, 'tool-forge', 'strumenti');

export const refreshExtensions = (client: QueryClient, sessionId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: ['extensions', sessionId] });

export type Trusted = 'hooks' | 'mcp' | 'plugins';

/** Throws WireError. */
export const enableForged = (sessionId: string, id: string, abilitato: boolean): Promise<unknown> =>
  send(address(at(sessionId, 'tool-forge', id, 'enable')), { abilitato });

export interface ElicitationAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
}

/** Throws WireError. */
export const answerElicitation = (
  sessionId: string,
  requestId: string,
  risposta: ElicitationAnswer,
): Promise<unknown> => send(address(at(sessionId, 'mcp-elicitation')), { requestId, risposta });
