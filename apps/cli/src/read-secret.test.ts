import { PassThrough, Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Io } from './io.ts';
import { readSecret } from './read-secret.ts';

test('asks for a secret once the terminal echoes nothing', async () => {
  const happened: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void happened.push(isRaw ? 'echo off' : 'echo on'),
  });
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      happened.push(String(chunk));
      if (String(chunk) === 'Key: ') stdin.write('kept-7\r');
      done();
    },
  });
  expect(await readSecret({ stdin, stderr } as unknown as Io, 'Key: ')).toBe('kept-7');
  expect(happened).toEqual(['echo off', 'Key: ', 'echo on', '\n']);
});
