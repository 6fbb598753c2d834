import { EMPTY, fold } from '@fucina/conversation';
import { readStored } from '@fucina/conversation/reader';
import { recordedSessions, saveRecorded } from '@fucina/conversation/testing';
import { describe, expect, test } from '@jest/globals';
import { record, SCENARIOS } from './recorded-sessions.ts';

const kindsOf = (items: readonly { kind: string }[]): string[] => items.map(({ kind }) => kind);

/** With FUCINA_RECORD=1 the recordings are replaced. */
describe('replaying a recorded session gives its recorded items', () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    const events = await record(scenario);
    if (process.env.FUCINA_RECORD) saveRecorded(name, events);
    const known = recordedSessions().find((session) => session.name === name);
    expect(kindsOf(fold(EMPTY, events.map(readStored)).items)).toEqual(kindsOf(known?.items as { kind: string }[]));
  });
});
