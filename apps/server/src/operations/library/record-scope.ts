import type { Services } from '@fucina/host';
import * as z from 'zod';
import { sessionId } from '../../wire/common.ts';

export const tag = 'Library, notes, tasks, memory, research';

/** A path through a session leads to the same records as the one without. */
export const inSession = z.strictObject({ sessionId });

/** Throws NOT_FOUND for an unknown session. */
export async function libraryOf(
  { sessionId: session }: { sessionId: string },
  { sessions, library }: Services,
): Promise<Services['library']> {
  await sessions.read(session);
  return library;
}
