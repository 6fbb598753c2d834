import { describe, expect, test } from '@jest/globals';
import { type Choices, nameOf, readChoices, requestOf } from './choices.ts';

const choices: Choices = { model: '', level: 'Workspace write', tools: {}, testCommand: '' };

describe('requestOf', () => {
  test('omits fields left to the server', () => {
    expect(
      requestOf({ ...choices, folder: { path: '/home/ada/rates' } }, { assignment: 'Fix it', language: 'en' }),
    ).toEqual({
      cartellaLibera: '/home/ada/rates',
      consegna: 'Fix it',
      linguaInterfaccia: 'en',
      permessi: 'Workspace write',
    });
  });

  test('sends the project id and every chosen field', () => {
    const folder = { projectId: 'p1', name: 'rates', path: '/home/ada/rates' };
    const made: Choices & { folder: typeof folder } = {
      folder,
      model: 'openai:gpt-5',
      level: 'On request',
      tools: { shell: 'nega' },
      effort: 'high',
      testCommand: ' npm test ',
      isPlanning: true,
    };
    expect(requestOf(made, { assignment: 'Fix it', language: 'en', images: [{ id: 'a', nome: 'a.png' }] })).toEqual({
      cartellaId: 'p1',
      consegna: 'Fix it',
      linguaInterfaccia: 'en',
      permessi: 'On request',
      modello: 'openai:gpt-5',
      comandoProva: 'npm test',
      reasoning: { effort: 'high' },
      permessiPerAttrezzo: { shell: 'nega' },
      modalitaOperativa: 'piano',
      immagini: [{ id: 'a', nome: 'a.png' }],
    });
  });
});

describe('readChoices', () => {
  test('restores stored choices', () => {
    const kept = { ...choices, folder: { path: '/a' }, model: 'm:x', level: 'Read only', effort: 'low' };
    expect(readChoices(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  test('never restores full access', () => {
    expect(readChoices({ level: 'Full access' }).level).toBe('Workspace write');
  });

  test('ignores invalid values', () => {
    const kept = { level: 'god', effort: 7, tools: { shell: 'maybe', rm: 'sempre', prova: 'chiedi' }, folder: 3 };
    expect(readChoices(kept)).toEqual({ ...choices, tools: { prova: 'chiedi' } });
    expect(readChoices(undefined)).toEqual(choices);
  });
});

describe('nameOf', () => {
  test('returns the last part of a path with either separator', () => {
    expect([nameOf({ path: '/home/ada/rates/' }), nameOf({ path: 'C:\\work\\rates' }), nameOf({ path: '/' })]).toEqual([
      'rates',
      'rates',
      '/',
    ]);
  });
});
