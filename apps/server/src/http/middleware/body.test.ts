import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fakeAmbient } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
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
