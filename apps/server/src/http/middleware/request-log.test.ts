import { EventEmitter } from 'node:events';
import { systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import type { Call, Locals, Reply } from '../locals.ts';
import { requestLog } from './request-log.ts';

function arrived(): { locals: Locals; leave(): void } {
  const response = Object.assign(new EventEmitter(), { locals: {} as Locals, statusCode: 200 });
  requestLog(systemAmbient('silent'))({} as Call, response as unknown as Reply, () => undefined);
  return { locals: response.locals, leave: () => void response.emit('close') };
}

test('the signal of a request is one, and aborts when the client leaves', () => {
  const { locals, leave } = arrived();
  const signal = locals.signal();
  expect(locals.signal()).toBe(signal);
  expect(signal.aborted).toBe(false);
  leave();
  expect({ aborted: signal.aborted, reason: signal.reason }).toEqual({ aborted: true, reason: 'client gone' });
});

test('a signal that is asked for after the client has left is aborted', () => {
  const { locals, leave } = arrived();
  leave();
  expect(locals.signal().aborted).toBe(true);
});
