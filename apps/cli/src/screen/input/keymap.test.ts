import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { key } from './input.ts';
import { ACTION_NAMES, createKeymap, keymapProblems } from './keymap.ts';

const up = key('up');
const ctrlT = key('t', { isCtrl: true });

describe('keys and what they do', () => {
  test('every action has a key, and no key two meanings in one place', () => {
    const map = createKeymap();
    for (const action of ACTION_NAMES) expect(map.keysOf(action)).not.toEqual([]);
    expect(ACTION_NAMES.flatMap((action) => map.keysOf(action)).length).toBeGreaterThan(ACTION_NAMES.length);
  });

  test('every action is told in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    expect(ACTION_NAMES.filter((action) => !readme.includes(`\`${action}\``))).toEqual([]);
  });

  test('a key means one thing in the composer, another in a list', () => {
    const map = createKeymap();
    expect(map.actionOf(up, 'composer')).toBe('history-previous');
    expect(map.actionOf(up, 'list')).toBe('list-up');
    expect(map.actionOf(up, 'approval')).toBeUndefined();
    expect(map.actionOf(ctrlT, 'composer')).toBe('reasoning');
    expect(map.actionOf(ctrlT, 'list')).toBeUndefined();
    expect(map.actionOf(key('z', { isCtrl: true, isShift: true }), 'composer')).toBe('redo');
    expect(map.actionOf(key('?', { text: '?' }), 'composer')).toBe('help');
  });

  test('a key of the person leaves the action it had; an empty list leaves none', () => {
    const map = createKeymap({ 'tool-details': ['Control+T'], copy: [] });
    expect(map.actionOf(ctrlT, 'composer')).toBe('tool-details');
    expect(map.keysOf('reasoning')).toEqual([]);
    expect(map.actionOf(key('o', { isCtrl: true }), 'app')).toBeUndefined();
    expect(map.keysOf('copy')).toEqual([]);
  });

  test('what cannot be understood is told, and the default stays', () => {
    const chosen = { copy: ['hyper+q', 'alt+'], nonsense: ['a'], undo: ['ctrl++', 'esc', 'bogus'] };
    expect(keymapProblems(chosen)).toEqual([
      { action: 'copy', key: 'hyper+q' },
      { action: 'copy', key: 'alt+' },
      { action: 'nonsense' },
      { action: 'undo', key: 'bogus' },
    ]);
    const map = createKeymap(chosen);
    expect(map.keysOf('copy')).toEqual(['alt+w']);
    expect(map.keysOf('undo')).toEqual(['ctrl++', 'escape']);
  });
});
