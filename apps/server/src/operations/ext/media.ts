import * as z from 'zod';
import { bytes } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';

export const readMedia = operation({
  id: 'ext.media.read',
  tag: 'Extensions',
  summary: 'Audio or a PDF that a tool read',
  method: 'GET',
  path: '/ext/media/{mediaHash}',
  params: z.strictObject({ mediaHash: z.string() }),
  answer: bytes('*/*'),
  headers: { 'Cache-Control': 'private, no-store' },
  handle: async ({ params, services }) => {
    const { bytes: content, mimeType } = await services.sessions.images.readMedia(params.mediaHash);
    return { content, sizeBytes: content.length, mediaType: mimeType };
  },
});
