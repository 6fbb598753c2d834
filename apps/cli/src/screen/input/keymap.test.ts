import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { key } from './input.ts';
import { ACTION_NAMES, createKeymap, keymapProblems } from './keymap.ts';

const up = key('up');
const ctrlT = key('t', { isCtrl: true });

describe('key bindings', () => {
  test('every action has a key, and no key has two actions in one place', () => {
    const map = createKeymap();
    for (const action of ACTION_NAMES) expect(map.keysOf(action)).not.toEqual([]);
    expect(ACTION_NAMES.flatMap((action) => map.keysOf(action)).length).toBeGreaterThan(ACTION_NAMES.length);
  });

  test('the README lists every action', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    expect(ACTION_NAMES.filter((action) => !readme.includes(`\`${action}\``))).toEqual([]);
  });

  test('a key can have one action in the composer and another in a list', () => {
    const map = createKeymap();
    expect(map.actionOf(up, 'composer')).toBe('history-previous');
    expect(map.actionOf(up, 'list')).toBe('list-up');
    expect(map.actionOf(up, 'approval')).toBeUndefined();
    expect(map.actionOf(ctrlT, 'composer')).toBe('reasoning');
    expect(map.actionOf(ctrlT, 'list')).toBeUndefined();
    expect(map.actionOf(key('z', { isCtrl: true, isShift: true }), 'composer')).toBe('redo');
    expect(map.actionOf(key('?', { text: '?' }), 'composer')).toBe('help');
  });

  test('Ctrl+Z suspends, Alt+Z and Ctrl+_ undo, and a user’s undo on Ctrl+Z wins', () => {
    const ctrlZ = key('z', { isCtrl: true });
    const map = createKeymap();
    expect(map.actionOf(ctrlZ, 'composer')).toBe('suspend');
    expect(map.actionOf(ctrlZ, 'app')).toBe('suspend');
    expect(map.actionOf(key('z', { isAlt: true }), 'composer')).toBe('undo');
    expect(map.actionOf(key('_', { isCtrl: true }), 'composer')).toBe('undo');
    expect(createKeymap({ undo: ['ctrl+z'] }).actionOf(ctrlZ, 'composer')).toBe('undo');
    expect(createKeymap({ suspend: [] }).actionOf(ctrlZ, 'composer')).toBeUndefined();
  });

  test('a user’s key is removed from its default action, and an empty list unbinds an action', () => {
    const map = createKeymap({ 'tool-details': ['Control+T'], copy: [] });
    expect(map.actionOf(ctrlT, 'composer')).toBe('tool-details');
    expect(map.keysOf('reasoning')).toEqual([]);
    expect(map.actionOf(key('o', { isCtrl: true }), 'app')).toBeUndefined();
    expect(map.keysOf('copy')).toEqual([]);
  });

  test('an invalid binding is reported and the default stays', () => {
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
