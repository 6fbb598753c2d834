import type { Attachment } from '@fucina/host';
import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { encoded } from '../../http/renamed.ts';
import { fileUpload } from '../../http/upload.ts';
import { sessionParams } from '../../wire/common.ts';

const attachment = encoded(
  z
    .object({
      tipo: z.literal('file'),
      nome: z.string(),
      percorso: z.string(),
      bytes: z.number().int(),
      sha256: z.string(),
    })
    .meta({ id: 'ChatFile' }),
  ({ name, path, sizeBytes, sha256 }: Attachment) => ({
    tipo: 'file' as const,
    nome: name,
    percorso: path,
    bytes: sizeBytes,
    sha256,
  }),
);

export const uploadFile = operation({
  id: 'chat-files.upload',
  tag: 'Sessions',
  summary: 'Upload a file into the session folder',
  method: 'POST',
  path: '/sessions/{sessionId}/chat-files',
  params: sessionParams,
  body: fileUpload,
  guards: ['token', 'from-window:CHAT_FILE_ORIGIN_FORBIDDEN'],
  answer: json(attachment),
  errors: ['CHAT_FILE_ORIGIN_FORBIDDEN', 'FILE_EXISTS', 'PAYLOAD_LIMIT'],
  handle: ({ params, body, services }) => services.sessionFiles.attach(params.sessionId, body),
});
