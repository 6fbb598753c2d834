import { recordedSessions } from '@fucina/conversation/testing';
import type { SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import type * as z from 'zod';
import type { sessionEvent } from '../src/wire/session-event.ts';
import { undescribed } from './event-schema.ts';

type Described = z.output<typeof sessionEvent>;
type FieldsOf<Union extends { type: string }> = {
  [Type in Union['type']]: Exclude<keyof Extract<Union, { type: Type }>, '_sequenza'>;
};
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const isAssignable: Described extends SessionEvent ? true : false = true;
const hasSameFields: Same<FieldsOf<Described>, FieldsOf<SessionEvent>> = true;

test('the schema of events and the type of events have the same fields', () => {
  // The compiler compares them: a field in only one of the two makes these constants a type error.
  expect([isAssignable, hasSameFields]).toEqual([true, true]);
});

test.each(recordedSessions().map(({ name, events }) => [name, events] as const))(
  'the schema declares every field of every event of the recorded session %s',
  (_name, events) => {
    expect(events.length).toBeGreaterThan(0);
    expect(events.flatMap(({ json }) => undescribed(JSON.parse(json)))).toEqual([]);
  },
);

test('the schema finds a wrong field, an undeclared one and an unknown name', () => {
  expect(undescribed({ type: 'WorkspaceChanged', percorsi: 'a' })[0]).toContain('percorsi');
  expect(undescribed({ type: 'StateDelta', delta: [{ op: 'add', path: '/file/a', più: 1 }] })).toEqual([
    'StateDelta: delta.0.più is not declared',
  ]);
  expect(undescribed({ type: 'CUSTOM', name: 'svc.unknown', value: null })).toHaveLength(1);
});
