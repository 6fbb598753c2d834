import type { FrameVerdict, LocalPage, PageReading } from '@fucina/host';
import * as z from 'zod';
import type { Bytes } from '../http/answers.ts';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { iso, sessionId } from './common.ts';
import { pagePolicy } from './page-policy.ts';

export const pageQuery = z.strictObject({ url: z.string().min(1).max(2_048) });

export const localPageQuery = renamed(
  z.strictObject({
    ...pageQuery.shape,
    sessione: sessionId
      .optional()
      .describe(
        'The session in whose window the page is shown: its network policy holds for what the page loads and sends',
      ),
  }),
  { sessione: 'sessionId' },
);

export const frameVerdict = renamed(
  z.object({
    incorniciabile: z.boolean(),
    motivo: z.enum([
      'allowed',
      'frame-ancestors',
      'x-frame-options',
      'own-address',
      'not-secure',
      'unreachable',
      'download',
    ]),
    url: z.string(),
    via: mapped({ frame: 'frame', proxy: 'proxy', vivo: 'live' }),
    percheVia: z.enum(['public-page', 'local-server', 'own-address', 'refuses-frames']),
  }),
  { incorniciabile: 'canBeFramed', motivo: 'reason', percheVia: 'viaReason' } satisfies Record<
    string,
    keyof FrameVerdict
  >,
).meta({ id: 'FrameVerdict' });

export const pageReading = encoded(
  z.object({
    url: z.string(),
    stato: z.number().int(),
    corpo: z.string(),
    lettoAlle: z.iso.datetime(),
    lunghezza: z.number().int(),
  }),
  ({ url, status, text, readAt }: PageReading) => ({
    url,
    stato: status,
    corpo: text,
    lettoAlle: iso(readAt),
    lunghezza: text.length,
  }),
).meta({ id: 'PageReading' });

/**
 * A page of a development server for a frame of the window. Its own policy sandboxes it wherever a browser shows it, as
 * the frame does: otherwise it would run as this server's page.
 */
export function proxiedPage({ html, hosts }: LocalPage): Bytes {
  const headers = { 'Content-Security-Policy': pagePolicy(hosts) };
  return { content: html, sizeBytes: html.length, isFramed: true, headers };
}
