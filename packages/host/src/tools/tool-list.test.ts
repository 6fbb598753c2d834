import type { Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { describe as describeTools } from './tool-list.ts';

test('sends the model each tool’s schema without bounds that are only validated', async () => {
  const input = z.strictObject({
    id: z.string().min(1).max(200),
    code: z.string().min(4).max(8),
    at: z.iso.datetime().optional(),
    time: z.string().regex(/^\d\d:\d\d$/),
    count: z.int().min(1).default(1).describe('how many'),
    list: z.array(z.string()).min(1),
    table: z.record(z.string(), z.int()),
    mode: z.union([z.strictObject({ kind: z.literal('a') }), z.null()]),
  });
  const [spec] = await describeTools([{ name: 'leggi', description: 'Reads.', input } as unknown as Tool]);
  expect(spec).toEqual({
    name: 'leggi',
    description: 'Reads.',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        code: { type: 'string', minLength: 4 },
        at: { type: 'string', format: 'date-time' },
        time: { type: 'string', pattern: String.raw`^\d\d:\d\d$` },
        count: { type: 'integer', minimum: 1, default: 1, description: 'how many' },
        list: { type: 'array', items: { type: 'string' } },
        table: { type: 'object', additionalProperties: { type: 'integer' } },
        mode: {
          anyOf: [
            { type: 'object', properties: { kind: { type: 'string', const: 'a' } }, required: ['kind'] },
            { type: 'null' },
          ],
        },
      },
      required: ['id', 'code', 'time', 'list', 'table', 'mode'],
    },
  });
});
