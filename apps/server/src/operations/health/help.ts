import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { helpReply } from '../../wire/help.ts';

export const askHelp = operation({
  id: 'help.ask',
  tag: 'Sessions',
  summary: 'Search the built-in help pages; no model involved',
  method: 'POST',
  path: '/assistenza',
  body: z.strictObject({ domanda: z.string().min(1).max(500) }),
  answer: json(helpReply),
  handle: async ({ body, services, language }) => ({
    answer: await services.diagnostics.help.ask(body.domanda, language),
    language,
  }),
});
