import type { ToolContext } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
import { createArtifacts } from '../artifacts.ts';
import { createArtifactTool } from './artifact-create.ts';
import { createTimeTool } from './time-now.ts';

const context = { sessionId: 's' } as ToolContext;

test('a page is stored with its session, announced by an event, and deleted with the session', async () => {
  const ambient = fakeAmbient();
  const artifacts = createArtifacts(ambient);
  const tool = createArtifactTool({ ambient, artifacts });
  const input = tool.input.parse({ titolo: ' Chart ', html: '<h1>1</h1>' });
  const { events = [], content } = await tool.run(input, context);
  expect(events).toMatchObject([{ type: 'ArtifactCreated', titolo: 'Chart' }]);
  const [made] = events;
  const id = made?.type === 'ArtifactCreated' ? made.id : '';
  expect(content).toContain(id);
  expect(artifacts.read(id)).toEqual({ sessionId: 's', title: 'Chart', html: '<h1>1</h1>' });
  artifacts.forget('other');
  expect(artifacts.read(id)).toBeDefined();
  artifacts.forget('s');
  expect(artifacts.read(id)).toBeUndefined();
  for (const bad of [{ titolo: '', html: 'x' }, { titolo: 'x', html: '' }, { titolo: 'x' }])
    expect(tool.input.safeParse(bad).success).toBe(false);
});

test('pages have limits in number and size, and the oldest are deleted', () => {
  const artifacts = createArtifacts(fakeAmbient());
  const keep = (chars: number): string => artifacts.keep({ sessionId: 's', title: 't', html: 'x'.repeat(chars) });
  const small = Array.from({ length: 201 }, () => keep(10));
  expect(small.map((id) => artifacts.read(id) !== undefined).filter((isKept) => !isKept)).toHaveLength(1);
  const large = Array.from({ length: 17 }, () => keep(2 * 1024 * 1024));
  expect(large.filter((id) => artifacts.read(id))).toHaveLength(16);
  expect(artifacts.read(large.at(-1) ?? '')).toBeDefined();
  expect(small.some((id) => artifacts.read(id))).toBe(false);
});

test('the time is given in local time and UTC', async () => {
  const ambient = fakeAmbient(Date.UTC(2026, 10, 21, 4, 5, 6));
  const { content } = await createTimeTool({ ambient }).run({}, context);
  expect(content).toContain('UTC: 2026-11-21T04:05:06.000Z');
  expect(content).toMatch(/November 2026/);
});
