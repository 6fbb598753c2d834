import { operations, places } from '@fucina/wire-types/names';
import { fromWire, toWire } from '@fucina/wire-types/rename';
import { describe, expect, test } from '@jest/globals';
import { parseEvent, readAction, readEvent, readStored, writeAction } from './reader.ts';

describe('an event of the wire', () => {
  test('has English names and values at every depth', () => {
    const queue = { voci: [{ id: '1', testo: 'in-attesa' }], inPausa: true };
    expect(readEvent({ type: 'CUSTOM', name: 'svc.coda', value: queue, _sequenza: 3 })).toEqual({
      type: 'CUSTOM',
      name: 'svc.queue',
      value: { entries: [{ id: '1', text: 'in-attesa' }], isPaused: true },
      sequence: 3,
    });
  });

  test('keeps fields, types and values that the tables do not have', () => {
    const event = { type: 'SomethingNew', inAttesa: 1, value: { voci: 7, other: ['errore'] } };
    expect(readEvent(event)).toMatchObject({ type: 'SomethingNew', inAttesa: 1 });
    expect(readEvent({ type: 'RunError', message: 'errore', classe: 'unheard-of' })).toEqual({
      type: 'RunError',
      message: 'errore',
      errorClass: 'unheard-of',
    });
  });

  test('keeps answers, whose keys are ids of questions', () => {
    const answers = { titolo: 'stato', nome: ['fallita'] };
    const event = { type: 'UserQuestionResolved', requestId: 'r', status: 'answered', answers };
    expect(readEvent(event)).toEqual(event);
  });

  test('is the same from the journal and from the stream', () => {
    const json = JSON.stringify({ type: 'RunError', message: 'm', code: 'giri-esauriti', _sequenza: 9 });
    expect(readStored({ seq: 9, at: 5, json })).toEqual({ ...parseEvent(json), storedAt: 5 });
    expect(parseEvent(json)).toMatchObject({ code: 'step-limit', sequence: 9 });
    expect(parseEvent('{"no":"type"}')).toBeUndefined();
  });
});

describe('an action', () => {
  test('is stored as it came after it was read in English', () => {
    const action = {
      tipo: 'automation_create',
      nome: 'Nightly',
      pianificazione: { tipo: 'giornaliera', ora: '09:00' },
      avvisi: { minacce: ['esfiltra'] },
    };
    expect(readAction(action)).toMatchObject({ kind: 'automation_create', schedule: { kind: 'daily', time: '09:00' } });
    expect(writeAction(readAction(action))).toEqual(action);
  });

  test('keeps the arguments of a tool of a server', () => {
    const action = { tipo: 'mcp__a__b', server: 'a', attrezzo: 'b', argomenti: { titolo: 'x', stato: 'fallita' } };
    expect(readAction(action)).toEqual({
      kind: 'mcp__a__b',
      server: 'a',
      tool: 'b',
      arguments: { titolo: 'x', stato: 'fallita' },
    });
  });
});

describe('a body', () => {
  const place = operations['post /me/notes']?.body ?? -1;

  test('keeps texts that are words of the interface, and unknown fields', () => {
    const note = { title: 'errore', content: 'in-attesa', other: 'fallita' };
    const wire = { titolo: 'errore', contenuto: 'in-attesa', other: 'fallita' };
    expect([toWire(places, place, note), fromWire(places, place, wire)]).toEqual([wire, note]);
  });

  test('has no fields named like members of every object', () => {
    const odd = { constructor: 'a', toString: 'b', title: 'c' };
    expect(Object.entries(toWire(places, place, odd) as object)).toEqual([
      ['constructor', 'a'],
      ['toString', 'b'],
      ['titolo', 'c'],
    ]);
  });
});
