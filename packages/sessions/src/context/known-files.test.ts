import { createHash } from 'node:crypto';
import type { SessionEvent, StatePatch } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createKnownFiles, learning } from './known-files.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const result = (percorso: string, sha256: string): SessionEvent => ({
  type: 'ToolCallResult',
  messageId: 'm',
  toolCallId: 'c',
  content: '',
  role: 'tool',
  versioni: [{ percorso, sha256 }],
});
const changed = (giro: number | undefined, ...delta: StatePatch[]): SessionEvent => ({
  type: 'StateDelta',
  delta,
  ...(giro !== undefined && { giro }),
});

function knowing(...events: SessionEvent[]) {
  const files = createKnownFiles();
  for (const event of events) files.learn(event);
  return files;
}

test('knows the last version that a call read or wrote, and no neighbor', () => {
  const files = knowing(result('a.txt', 'one'), result('a.txt', 'two'), { type: 'WorkspaceChanged' } as SessionEvent);
  expect([files.get('a.txt'), files.get('a.txt.old'), files.get('a')]).toEqual(['two', undefined, undefined]);
});

test('knows a file that a command of a turn made, by its text or its hash', () => {
  const files = knowing(
    changed(
      1,
      { op: 'add', path: '/file/a.txt', value: 'made' },
      { op: 'add', path: '/file/a.bin', value: null, dopoBlob: 'bytes' },
      { op: 'add', path: '/file/large', value: null },
      { op: 'replace', path: '/file/there', value: 'appended', prima: 'x' },
      { op: 'remove', path: '/file/gone' },
      { op: 'add', path: '/todo/1', value: 'made' },
    ),
    changed(undefined, { op: 'add', path: '/file/restored', value: 'by the user' }),
  );
  const known = (...paths: string[]) => paths.map((path) => files.get(path));
  expect(known('a.txt', 'a.bin')).toEqual([hash('made'), 'bytes']);
  expect(known('large', 'there', 'gone', '1', 'restored')).toEqual(Array.from({ length: 5 }, () => undefined));
});

test('keeps what it knows when the changes of a command come later', () => {
  const files = knowing(result('a.txt', 'read'), changed(1, { op: 'add', path: '/file/a.txt', value: 'made' }));
  expect(files.get('a.txt')).toBe('read');
});

test('collects what one call learns', () => {
  const files = knowing(result('a.txt', 'one'));
  const { seen, versions } = learning(files);
  seen.set('b.txt', 'two');
  expect([seen.get('a.txt'), files.get('b.txt'), [...versions]]).toEqual(['one', 'two', [['b.txt', 'two']]]);
});
