import type { Ambient, Tool } from '@fucina/shared';
import * as z from 'zod';

const input = z.strictObject({});

export function createTimeTool({ ambient }: { ambient: Pick<Ambient, 'now'> }): Tool<z.output<typeof input>> {
  return {
    name: 'time_now',
    description: "The date and time now, on the user's computer and in UTC.",
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: () => ({ tipo: 'time_now' }),
    async run() {
      const now = new Date(ambient.now());
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const local = now.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone });
      return { content: `${local} (${timeZone})\nUTC: ${now.toISOString()}` };
    },
  };
}
