import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { extensionPlace as place } from '../../wire/extension-place.ts';
import { formatter, formatterParams, formatterSwitch } from '../../wire/language.ts';

const tag = 'Extensions';

export const listFormatters = operation({
  id: 'ext.formatters.list',
  tag,
  summary: 'Formatters that are installed for a project, and which are on',
  method: 'GET',
  path: '/ext/formatters',
  query: place,
  answer: json(z.object({ formattatori: z.array(formatter) })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => ({ formattatori: await services.language.formatters(query) }),
});

export const turnFormatter = operation({
  id: 'ext.formatters.turn',
  tag,
  summary: 'Whether a formatter formats the files that agents edit; turning it on trusts it as it is now',
  method: 'POST',
  path: '/ext/formatters/{formatterId}/choices',
  params: formatterParams,
  body: formatterSwitch,
  answer: json(z.object({ formattatore: formatter })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards: ['token', 'from-window:ORIGIN_FORBIDDEN'],
  handle: async ({ params, body, services }) => ({
    formattatore: await services.language.turnFormatter({ ...body, id: params.formatterId }),
  }),
});
