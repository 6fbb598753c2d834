import * as z from 'zod';

const endpoint = z.object({ provider_name: z.string(), tag: z.string().nullish() });
const answer = z.object({ data: z.object({ endpoints: z.array(endpoint) }) });

/** The hosts of a model, as the aggregator lists them. Throws SyntaxError for invalid data. */
export function parseEndpoints(text: string): { endpoints: z.infer<typeof endpoint>[] } {
  const parsed = answer.safeParse(JSON.parse(text));
  if (!parsed.success) throw new SyntaxError('no endpoints');
  return parsed.data.data;
}
