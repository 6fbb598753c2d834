import { describe, expect, test } from '@jest/globals';
import { en } from '../words/en.ts';
import { callSummary, toolLabels } from './tool-words.ts';

describe('tool labels', () => {
  test.each([
    ['library_search', 'tool.library.look'],
    ['library_file_origin', 'tool.library.look'],
    ['library_context_policy_update', 'tool.library.change'],
    ['library_delete', 'tool.library.delete'],
    ['notes_create', 'tool.notes.change'],
    ['notes_delete', 'tool.notes.delete'],
    ['tasks_complete', 'tool.tasks.change'],
    ['memory_search', 'tool.memory.look'],
    ['memory_write', 'tool.memory.change'],
    ['research_start', 'tool.research_start'],
    ['research_pause', 'tool.research.change'],
    ['toString', 'tool.other'],
    ['notes', 'tool.other'],
  ])('names %s with the label %s', (name, key) => {
    const { name: named, now, done, ask } = toolLabels(name);
    expect(named).toBe(key);
    expect([named, now, done, ask].filter((word) => !(word in en))).toEqual([]);
  });

  test('name the subject of a call, and an unknown tool by its name', () => {
    expect(callSummary('notes_update', { id: '1', title: 'Heat' })).toBe('Heat');
    expect(callSummary('library_delete', { id: '1' })).toBe('');
    expect(callSummary('mcp_search', { query: 'x' })).toBe('mcp_search');
  });
});
