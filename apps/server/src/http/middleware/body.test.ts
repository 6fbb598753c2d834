import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fakeAmbient } from '@fucina/shared/testing';
import { describe, expect, test } from '@jest/globals';
import { readJsonBody } from './body.ts';

/** A request whose body arrives as the test writes it. */
function arriving() {
  const body = new PassThrough();
  const headers = { 'content-type': 'application/json', 'content-length': '9' };
  return { body, request: Object.assign(body, { headers }) as unknown as IncomingMessage };
}

test('a body that has not arrived after 15 s is refused', async () => {
  const ambient = fakeAmbient();
  const { body, request } = arriving();
  const refusals: unknown[] = [];
  readJsonBody(request, { ambient, limit: 100 }).catch(({ code, reason }) => refusals.push(code, reason));
  body.write('{"a"');
  await ambient.advance(14_999);
  await nextTurn();
  expect(refusals).toEqual([]);
  await ambient.advance(1);
  expect(refusals).toEqual(['QUERY_INVALID', 'body-too-slow']);
});

test('a body that arrived in time is the answer, and its timer is stopped', async () => {
  const ambient = fakeAmbient();
  const stopped: number[] = [];
  const { timer } = ambient;
  ambient.timer = (ms, callback) => {
    const stop = timer(ms, callback);
    return () => void (stop(), stopped.push(ms));
  };
  const { body, request } = arriving();
  const read = readJsonBody(request, { ambient, limit: 100 });
  body.end('{"a":[1]}');
  expect([await read, stopped]).toEqual([{ a: [1] }, [15_000]]);
});

describe('the keys of a body', () => {
  const object = (keys: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at])));
  const reasonOf = async (text: string): Promise<unknown> => {
    const { body, request } = arriving();
    const read = readJsonBody(request, { ambient: fakeAmbient(), limit: 1_000_000 });
    body.end(text);
    return read.then(
      () => 'accepted',
      ({ code, reason }) => `${code} ${reason}`,
    );
  };

  test('are limited for one object, not for the whole body', async () => {
    expect(await reasonOf(object(1_000))).toBe('accepted');
    expect(await reasonOf(object(1_001))).toBe('QUERY_INVALID json-keys');
    expect(await reasonOf(`{"a":[${object(1_000)},${object(1_000)}]}`)).toBe('accepted');
    expect(await reasonOf(`{"a":[${object(1)},${object(1_001)}]}`)).toBe('QUERY_INVALID json-keys');
  });

  test('are still limited in depth', async () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(await reasonOf(nested(64))).toBe('accepted');
    expect(await reasonOf(nested(65))).toBe('QUERY_INVALID json-depth');
  });
});
