import type { HelpAnswer } from '@fucina/host';
import { HELP_UNKNOWN, type Language } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

interface HelpReply {
  /** Undefined when no page matches. */
  answer: HelpAnswer | undefined;
  language: Language;
}

export const helpReply = encoded(
  z
    .object({
      risposta: z.string(),
      fonti: z.array(z.object({ titolo: z.string(), sezione: z.string(), percorso: z.string() })),
    })
    .meta({ id: 'Help' }),
  ({ answer, language }: HelpReply) => ({
    risposta: answer?.text ?? HELP_UNKNOWN[language],
    fonti: (answer?.sources ?? []).map(({ title, section, path }) => ({
      titolo: title,
      sezione: section,
      percorso: path,
    })),
  }),
);
