import type { PageFile, PagePass } from '@fucina/host';
import * as z from 'zod';
import type { Bytes } from '../http/answers.ts';
import { encoded } from '../http/renamed.ts';
import { fileBytes } from './file-bytes.ts';

const folderOf = (pass: string): string => `/api/v1/pagine/${pass}/`;

export const pageAddress = encoded(z.object({ indirizzo: z.string() }), ({ pass, fileName }: PagePass) => ({
  indirizzo: `${folderOf(pass)}${encodeURIComponent(fileName)}`,
}));

/**
 * The page runs in its own sandbox, can access only the files of its access token, and only the window may frame it.
 */
export function pageFile({ mediaType, ...file }: PageFile, { pass, origin }: { pass: string; origin: string }): Bytes {
  const own = `${origin}${folderOf(pass)}`;
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'unsafe-inline' ${own}`,
    `style-src 'unsafe-inline' ${own}`,
    `img-src data: ${own}`,
    `font-src data: ${own}`,
    `media-src ${own}`,
    `connect-src ${own}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
  const { name: _shown, ...shown } = fileBytes(file);
  return {
    ...shown,
    mediaType,
    headers: { 'Content-Security-Policy': policy, 'Allow-CSP-From': origin, 'Cache-Control': 'private, no-store' },
  };
}
