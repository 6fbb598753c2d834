import { describe, expect, test } from '@jest/globals';
import { type Choices, nameOf, readChoices, requestOf } from './choices.ts';

const choices: Choices = { model: '', level: 'Workspace write', tools: {}, testCommand: '' };

describe('requestOf', () => {
  test('omits fields left to the server', () => {
    expect(
      requestOf({ ...choices, folder: { path: '/home/ada/rates' } }, { assignment: 'Fix it', language: 'en' }),
    ).toEqual({
      freeFolder: '/home/ada/rates',
      message: 'Fix it',
      language: 'en',
      permissions: 'Workspace write',
    });
  });

  test('sends the project id and every chosen field', () => {
    const folder = { projectId: 'p1', name: 'rates', path: '/home/ada/rates' };
    const made: Choices & { folder: typeof folder } = {
      folder,
      model: 'openai:gpt-5',
      level: 'On request',
      tools: { shell: 'deny' },
      effort: 'high',
      testCommand: ' npm test ',
      isPlanning: true,
    };
    expect(requestOf(made, { assignment: 'Fix it', language: 'en', images: [{ id: 'a', name: 'a.png' }] })).toEqual({
      projectId: 'p1',
      message: 'Fix it',
      language: 'en',
      permissions: 'On request',
      model: 'openai:gpt-5',
      testCommand: 'npm test',
      reasoning: { effort: 'high' },
      toolPermissions: { shell: 'deny' },
      mode: 'plan',
      images: [{ id: 'a', name: 'a.png' }],
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
    const kept = {
      level: 'god',
      effort: 7,
      tools: { shell: 'maybe', rm: 'always', prova: 'ask', scrivi: 'nega' },
      folder: 3,
    };
    expect(readChoices(kept)).toEqual({ ...choices, tools: { prova: 'ask', scrivi: 'deny' } });
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
