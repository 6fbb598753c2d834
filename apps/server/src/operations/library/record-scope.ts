import type { Services } from '@fucina/host';
import * as z from 'zod';
import { renamed } from '../../http/renamed.ts';
import { sessionId } from '../../wire/common.ts';
import { recordId } from '../../wire/record-fields.ts';

export const tag = 'Library, notes, tasks, memory, research';

interface PlaceParams {
  /** Absent where nothing but the user is asked. */
  sessionId?: string;
}

/** The two ways to the same records: by oneself, or from a session, which then has to be there. */
export interface RecordScope {
  /** Of operation ids. */
  prefix: '' | 'session-';
  path: '/me' | '/sessions/{sessionId}';
  params: z.ZodType<PlaceParams>;
  /** With the id of a record, which the path calls `name`. */
  paramsOf(name: string): z.ZodType<PlaceParams & { id: string }>;
  /** Throws NOT_FOUND for a session that is not there. */
  enter(services: Services, params: PlaceParams): Promise<Services['library']>;
  /** Where a record can be read. */
  addressOf(params: PlaceParams, collection: string, id: string): string;
}

function place(
  prefix: RecordScope['prefix'],
  path: RecordScope['path'],
  shape: { sessionId?: typeof sessionId },
): RecordScope {
  return {
    prefix,
    path,
    params: z.strictObject(shape) as unknown as z.ZodType<PlaceParams>,
    paramsOf: (name) =>
      renamed(z.strictObject({ ...shape, [name]: recordId }), { [name]: 'id' }) as unknown as z.ZodType<
        PlaceParams & { id: string }
      >,
    async enter({ sessions, library }, { sessionId: asked }) {
      if (asked !== undefined) await sessions.read(asked);
      return library;
    },
    addressOf: ({ sessionId: asked = '' }, collection, id) =>
      `${path.replace('{sessionId}', encodeURIComponent(asked))}/${collection}/${id}`,
  };
}

export const withoutSession = place('', '/me', {});
export const inSession = place('session-', '/sessions/{sessionId}', { sessionId });
