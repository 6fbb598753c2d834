import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import { textWrite, writtenFile } from '../../wire/text-write.ts';

export const writeFile = operation({
  id: 'ext.files.write',
  tag: 'Extensions',
  summary: 'Save the text of a file that did not change since it was read',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/files',
  params: sessionParams,
  body: textWrite,
  answer: json(writtenFile),
  errors: ['FILE_NOT_FOUND', 'FILE_EXISTS', 'FILE_TOO_LARGE'],
  handle: ({ params, body, services }) => services.sessionFiles.write(params.sessionId, body),
});
