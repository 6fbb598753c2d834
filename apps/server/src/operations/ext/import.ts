import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { text } from '../../wire/common.ts';

const IMPORT_BYTES = 32 * 1024 * 1024;

export const importSession = operation({
  id: 'ext.sessions.import',
  tag: 'Extensions',
  summary: 'Import an exported session into a folder',
  method: 'POST',
  path: '/ext/sessions/import',
  bodyLimit: IMPORT_BYTES,
  body: renamed(
    z
      .strictObject({
        cartellaId: text.optional(),
        cartellaLibera: z.string().min(1).max(4_096).optional(),
        documento: z.unknown(),
      })
      .refine((body) => (body.cartellaId === undefined) !== (body.cartellaLibera === undefined), 'exactly one folder'),
    { cartellaId: 'projectId', cartellaLibera: 'folder', documento: 'document' },
  ),
  answer: json(z.object({ sessionId: z.string() })),
  errors: [
    'WORKSPACE_NOT_AVAILABLE',
    'SESSION_STORE_HEADER_FAILED',
    'SESSION_STORE_WRITE_FAILED',
    'SERVER_SHUTTING_DOWN',
  ],
  handle: ({ body, services }) => services.importSession(body),
});
