import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { placeAt, placeInString, readJson } from './json-file.ts';

const schema = z.object({
  servers: z
    .record(
      z.string().regex(/^[a-z]+$/, 'expected small letters'),
      z.strictObject({
        command: z.string().max(5),
        args: z.array(z.string()).optional(),
        mode: z.enum(['ask', 'allow']).optional(),
      }),
    )
    .optional(),
});
const problemOf = async (text: string): Promise<unknown> => readJson(text, 'mcp.json', schema);

test('reads what fits', async () => {
  const text = '{"servers":{"a":{"command":"x"}}}';
  expect(await problemOf(text)).toEqual({ value: JSON.parse(text) });
});

test.each([
  ['a wrong kind', '{\n  "servers": {\n    "a": { "command": 7 }\n  }\n}', '3:23: servers.a.command: expected string'],
  [
    'a wrong element',
    '{"servers":{"a":{"command":"x","args":["y",\n\t null]}}}',
    '2:3: servers.a.args.1: expected string',
  ],
  ['a choice', '{"servers":{"a":{"command":"x","mode":"deny"}}}', '1:39: servers.a.mode: expected "ask", "allow"'],
  [
    'a long text',
    '{"servers":{"a":{"command":"123456"}}}',
    '1:28: servers.a.command: expected string to have <=5 characters',
  ],
  ['a missing key', '{"servers":{\n"a":{}}}', '2:5: servers.a.command: expected string'],
  ['an unknown key', '{"servers":{"a":{"command":"x",\n "comand":"y"}}}', '2:2: servers.a.comand: unknown key'],
  ['a wrong name', '{"servers":{"b":{"command":"x"},\n  "B":{}}}', '2:3: servers.B: expected small letters'],
  [
    'a key that is there twice',
    '{"servers":{"a":{"command":"x","command":\n1}}}',
    '2:1: servers.a.command: expected string',
  ],
  ['another kind of file', '[]', '1:1: expected object'],
  ['a missing comma', '{"servers":{"a":{"command":"x"\n"args":[]}}}', '2:1: servers.a.args: expected ","'],
  ['a comma too many', '{"servers":{},\n}', '2:1: expected a key in double quotes'],
  ['a comment', '{\n  // servers\n}', '2:3: comments are not allowed'],
  [
    'a text without its end',
    '{"servers":{"a":{"command":"x',
    '1:28: servers.a.command: expected the end of the text, a double quote',
  ],
  ['nothing', '', '1:1: expected a value'],
])('names the place, the key and what is allowed: %s', async (_what, text, problem) => {
  expect(await problemOf(text)).toEqual({ problem: `mcp.json:${problem}` });
});

test('says of a file nested too deeply that it cannot be read, and cuts a long sentence', async () => {
  expect(await problemOf('['.repeat(200_000))).toEqual({ problem: expect.stringMatching(/^mcp\.json:1:1: ./) });
  const { problem } = (await problemOf(`{"servers":{"${'A'.repeat(1_000)}":{}}}`)) as { problem: string };
  expect(problem).toHaveLength(500);
  expect(problem.endsWith('…')).toBe(true);
});

test('counts lines and columns from 1', () => {
  expect([placeAt('ab\ncd', 0), placeAt('ab\ncd', 1), placeAt('ab\ncd', 3), placeAt('ab\ncd', 4)]).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
    { line: 2, column: 2 },
  ]);
});

test.each([
  ['"abc"', 0, 1],
  ['"abc"', 2, 3],
  ['"a\\"b\\\\c"', 2, 4],
  ['"a\\"b\\\\c"', 4, 7],
  ['"\\u00e8x"', 1, 7],
  ['"\\ud83d\\ude00x"', 2, 13],
  ['"😀x"', 2, 3],
])('the place in the text %s of its character %i is %i characters behind its quote', (literal, at, behind) => {
  expect(placeInString(`{\n  "a": ${literal}`, 9, at)).toEqual({ line: 2, column: 8 + behind });
});
