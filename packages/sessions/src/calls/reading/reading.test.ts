import type { Tool } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { dialect } from '../../dialects/dialect.ts';
import { createCallReader, type ReadCall } from './call-reader.ts';
import { parsedInput } from './values.ts';

const OFFERED = new Set([
  'leggi',
  'scrivi',
  'file_edit',
  'cerca',
  'elenca',
  'shell',
  'processi',
  'todo_write',
  'use_tool',
  'mcp__files__stat',
  'mcp__one__twin',
  'mcp__two__twin',
]);

type Name = Parameters<typeof dialect>[0];
/** The call, what was streamed of it, and what came before its end. */
function read(name: string, text: string, in_: Name = 'default'): ReadCall & { streamed: string; early: string } {
  const reading = createCallReader(OFFERED, dialect(in_)).begin(name);
  // Piece by piece, so that every state between two characters is met.
  const early = [...text].map((char) => reading.push(char)).join('');
  const streamed = early + reading.end();
  return { ...reading.call('c1'), streamed, early };
}
const path = '{"percorso":"a.ts"}';

describe('a call under the names of its dialect', () => {
  test.each([
    ['default', 'read', '{"path": "a.ts", "offset": 3}', 'leggi', '{"percorso": "a.ts", "da": 3}'],
    ['claude', 'Read', '{"file_path":"a.ts","limit":9}', 'leggi', '{"percorso":"a.ts","righe":9}'],
    ['gpt', 'read_file', '{"path":"a.ts"}', 'leggi', path],
    ['claude', 'Bash', '{"command":"ls","run_in_background":true}', 'shell', '{"comando":"ls","sfondo":true}'],
    ['default', 'grep', '{"pattern":"a|b","glob":"*.ts"}', 'cerca', '{"regex":true,"testo":"a|b","nome":"*.ts"}'],
    ['claude', 'Glob', '{"pattern":"*.ts","path":"src"}', 'cerca', '{"nome":"*.ts","percorso":"src"}'],
    ['default', 'processes', '{"action":"stop","id":"x"}', 'processi', '{"azione":"ferma","id":"x"}'],
    [
      'gpt',
      'update_plan',
      '{"plan":[{"step":"plan","status":"pending"}]}',
      'todo_write',
      '{"items":[{"content":"plan","status":"pending"}]}',
    ],
    [
      'claude',
      'Edit',
      '{"file_path":"a","old_string":"path","new_string":"\\"new\\"","more_edits":[{"old_string":"x","new_string":"y"}]}',
      'file_edit',
      '{"percorso":"a","vecchio":"path","nuovo":"\\"new\\"","altre":[{"vecchio":"x","nuovo":"y"}]}',
    ],
  ] as const)('%s %s is the call of the wire, as it streams, without a remark', (...row) => {
    const [name, called, text, tool, wire] = row;
    const call = read(called, text, name);
    expect(call).toMatchObject({ name: tool, arguments: wire, streamed: wire, early: wire, remarks: [], isCut: false });
  });

  test('the names of the wire are understood without a remark in each dialect', () => {
    for (const name of ['default', 'claude', 'gpt'] as const) {
      expect(read('leggi', path, name)).toMatchObject({ name: 'leggi', arguments: path, early: path, remarks: [] });
    }
  });

  test('has no arguments where the model sent none', () => {
    expect(read('elenca', '')).toMatchObject({ arguments: '', remarks: [], isCut: false });
  });
});

describe('a name', () => {
  test.each([
    ['functions.read', 'leggi'],
    ['default_api:read', 'leggi'],
    ['functions.Read', 'leggi'],
    ['READ', 'leggi'],
    ['Read', 'leggi'],
    ['ReadFile', 'leggi'],
    ['view', 'leggi'],
    ['read<|channel|>commentary', 'leggi'],
    ['read<|end|>', 'leggi'],
    ['read\n', 'leggi'],
    ['"read"', 'leggi'],
    ['read(', 'leggi'],
    ['exec_command', 'shell'],
    ['run_terminal_cmd', 'shell'],
    ['str_replace', 'file_edit'],
    ['find_files', 'cerca'],
    ['LS', 'elenca'],
    ['stat', 'mcp__files__stat'],
    ['mcp__fucina__leggi', 'leggi'],
    ['Use_Tool', 'use_tool'],
  ])('%j means %s, which the model is told', (name, tool) => {
    const call = read(name, '{}');
    expect(call.name).toBe(tool);
    expect(call.remarks.join()).toMatch(/was read as/);
  });

  test.each(['nothing', '', 'twin', 'reader', 'read_all_files', 'constructor', 'naviga', 'web_fetch'])(
    '%j means no offered tool and stays as it is',
    (name) => {
      expect(read(name, '{"path":1}')).toMatchObject({ name, arguments: '{"path":1}', remarks: [] });
    },
  );

  test('of an offered tool is never taken for another one', () => {
    const reader = createCallReader(new Set(['leggi', 'read', 'grep']), dialect('gpt'));
    expect(reader.begin('read').name).toBe('read');
    expect(reader.begin('grep').name).toBe('grep');
  });
});

describe('a parameter', () => {
  test.each(['file_path', 'filePath', 'FilePath', 'filename', 'file', 'target_file'])('%s means path', (key) => {
    const call = read('read', `{"${key}":"a.ts"}`);
    expect(call.arguments).toBe(path);
    expect(call.remarks).toEqual([`${key} was read as path`]);
  });

  test('inside a value or of an unknown name stays as it is', () => {
    const text = '{"content":"{\\"file_path\\":1}","other":{"file_path":1},"path":"path"}';
    expect(read('write', text).arguments).toBe(
      '{"contenuto":"{\\"file_path\\":1}","other":{"file_path":1},"percorso":"path"}',
    );
  });

  test('of the edits of another program is understood', () => {
    const call = read('edit', '{"path":"a","edits":[{"oldText":"x","newText":"y"}]}');
    expect(call.arguments).toBe('{"percorso":"a","altre":[{"vecchio":"x","nuovo":"y"}]}');
  });
});

describe('arguments that are no JSON', () => {
  test.each([
    ['in a string', '"{\\"path\\":\\"a.ts\\"}"', path],
    ['with a comma too many', '{"path":"a.ts",}', path],
    ['a brace too few', '{"path":"a.ts"', path],
    ['two brackets too few', '{"items":[{"content":"x"', '{"items":[{"content":"x"}]}'],
    ['with a raw line break', '{"path":"a.ts","content":"one\ntwo"}', '{"percorso":"a.ts","contenuto":"one\\ntwo"}'],
    ['in a fence', '```json\n{"path":"a.ts"}\n```', path],
    ['in single quotes', "{'path': 'a.ts'}", '{"percorso": "a.ts"}'],
    ['sent twice', '{"path":"a.ts"}{"path":"a.ts"}', path],
    ['with a control token at the end', '{"path":"a.ts"}<|call|>', path],
    ['with single backslashes', '{"command":"grep \\d+ \\"a\\""}', '{"command":"grep \\\\d+ \\"a\\""}'],
    ['with a word of Python', '{"path":"a.ts","all":True}', '{"percorso":"a.ts","all":true}'],
  ])('%s are repaired, which the model is told', (_what, text, wire) => {
    const call = read('write', text);
    expect(JSON.parse(call.arguments)).toEqual(JSON.parse(wire));
    expect(call.remarks).not.toEqual([]);
  });

  test.each([
    ['end inside a string', '{"path":"a.ts","content":"half of the fi'],
    ['end inside a string with raw line breaks', '{"path":"a.ts","content":"one\ntwo {}'],
    ['end before a value', '{"path":"a.ts","content":'],
    ['end before a member', '{"path":"a.ts",'],
    ['end inside a number', '{"path":"a.ts","offset":12'],
    ['are two objects', '{"path":"a.ts"}{"path":"b.ts"}'],
    ['are prose', 'I would read a.ts now'],
  ])('and %s stay as the model wrote them', (_what, text) => {
    const { arguments: left, remarks } = read('nothing-renamed', text);
    expect([left, remarks]).toEqual([text, []]);
    expect(() => JSON.parse(read('write', text).arguments) as unknown).toThrow();
  });

  test('the journal gets them repaired where nothing else was streamed', () => {
    for (const text of ["{'path':'a.ts'}", '{"path":"a.ts",}', '{"path":"a.ts"']) {
      const { streamed, arguments: given } = read('read', text);
      expect(streamed).toBe(given);
    }
  });

  test('that lack their last brackets count as cut', () => {
    expect(read('read', '{"path":"a.ts"').isCut).toBe(true);
    expect(read('read', '{"path":"a.ts",}').isCut).toBe(false);
  });
});

describe('values that the schema refuses', () => {
  const tool = (name: string, input: z.ZodType): Tool =>
    ({ name, input, description: '', category: 'base', effect: 'read', gate: null }) as unknown as Tool;
  const some = tool(
    'leggi',
    z.strictObject({
      percorso: z.string(),
      da: z.int().min(1).optional(),
      tutte: z.boolean().optional(),
      elenco: z.array(z.strictObject({ nome: z.string() })).optional(),
    }),
  );
  const shell = tool('shell', z.strictObject({ comando: z.string(), secondi: z.int().max(600).optional() }));
  const write = tool('scrivi', z.strictObject({ percorso: z.string(), contenuto: z.string() }));
  const edit = tool(
    'file_edit',
    z.strictObject({ percorso: z.string(), vecchio: z.string(), nuovo: z.string(), altre: z.array(z.looseObject({})) }),
  );

  test.each([
    [some, { percorso: 'a', da: null }, { percorso: 'a' }],
    [some, { percorso: 'a', da: '12' }, { percorso: 'a', da: 12 }],
    [some, { percorso: 'a', tutte: 'False' }, { percorso: 'a', tutte: false }],
    [some, { percorso: 'a', why: 'x', elenco: [{ nome: 'y', z: 1 }] }, { percorso: 'a', elenco: [{ nome: 'y' }] }],
    [some, { percorso: 'a', elenco: '[{"nome":"y"}]' }, { percorso: 'a', elenco: [{ nome: 'y' }] }],
    [some, { percorso: 'a', elenco: { nome: 'y' } }, { percorso: 'a', elenco: [{ nome: 'y' }] }],
    [shell, { comando: 'ls', secondi: 120_000 }, { comando: 'ls', secondi: 120 }],
    [shell, { comando: ['bash', '-lc', 'ls | wc'] }, { comando: 'ls | wc' }],
    [shell, { comando: ['git', 'log', "it's"] }, { comando: "git log 'it'\\''s'" }],
    [shell, { comando: 'ls', workdir: "a 'b" }, { comando: "cd -- 'a '\\''b' && ls" }],
    [shell, { comando: 'ls', cwd: '.' }, { comando: 'ls' }],
    [write, { percorso: 'a.json', contenuto: { a: 1 } }, { percorso: 'a.json', contenuto: '{\n  "a": 1\n}\n' }],
    [
      edit,
      { percorso: 'a', altre: [{ vecchio: 'x', nuovo: 'y' }, { vecchio: 'z' }] },
      { percorso: 'a', vecchio: 'x', nuovo: 'y', altre: [{ vecchio: 'z' }] },
    ],
  ])('are repaired: %#', (of, sent, meant) => {
    const { parsed, remarks } = parsedInput(of, sent);
    expect(parsed.data).toEqual(meant);
    expect(remarks).not.toEqual([]);
  });

  test.each([
    [some, { percorso: null }],
    [some, { percorso: 'a', da: 'twelve' }],
    [some, { percorso: 'a', da: 0 }],
    [shell, { comando: 'ls', secondi: 601 }],
    [shell, { comando: 'ls', secondi: 600_001 }],
    [write, { percorso: { a: 1 }, contenuto: 'x' }],
    [some, 'a.ts'],
  ])('stay refused where no one meaning is certain: %#', (of, sent) => {
    expect(parsedInput(of, sent)).toMatchObject({ parsed: { success: false }, remarks: [] });
  });

  test('may be nested as deep as they like', () => {
    const deep = JSON.parse(`{"comando":"ls","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`) as unknown;
    expect(parsedInput(shell, deep).parsed).toMatchObject({ data: { comando: 'ls' } });
  });

  test('that fit are not touched', () => {
    const sent = { percorso: 'a', da: 1 };
    expect(parsedInput(some, sent)).toMatchObject({ parsed: { data: sent }, remarks: [] });
  });
});
