import type { SessionRow, Sessions } from '@fucina/sessions';
import type { Tool } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { createToolCatalog } from './tool-catalog.ts';

const tool = (fields: Partial<Tool>): Tool => ({
  name: 'leggi',
  description: 'Reads a file.',
  category: 'base',
  effect: 'read',
  gate: null,
  input: z.object({}),
  action: () => ({ tipo: 'leggi' }),
  run: async () => ({ content: '' }),
  ...fields,
});
const TOOLS = [
  tool({}),
  tool({ name: 'shell', gate: 'shell', dependency: async () => ({ state: 'missing', detail: 'no shell' }) }),
];
const specs = TOOLS.map(({ name, description }) => ({ name, description, inputSchema: {} }));
const sessions = (
  toolPermissions: object | null,
  tools = TOOLS,
): Pick<Sessions, 'read' | 'offered' | 'slashCommands'> => ({
  read: async () => ({ settings: { toolPermissions } }) as SessionRow,
  offered: async () => ({ tools, specs }),
  slashCommands: async () => [],
});
const list = { tools: async () => TOOLS, specs: async () => specs };

test('lists for each tool whether it is offered, its permission and whether its requirements are met', async () => {
  const catalog = createToolCatalog({ ambient: fakeAmbient(), list, sessions: () => sessions({ shell: 'ask' }) });
  const shell = { name: 'shell', gate: 'shell', dependency: { state: 'missing', detail: 'no shell' } };
  expect(await catalog.list()).toMatchObject([
    { name: 'leggi', category: 'base', gate: null, permission: null, dependency: null },
    { ...shell, permission: null },
  ]);
  expect(await catalog.ofSession('s')).toMatchObject({
    tools: [{ permission: null }, { ...shell, permission: 'ask' }],
    commands: [],
  });
  for (const { schemaTokens } of (await catalog.list()) ?? []) expect(schemaTokens).toBeGreaterThan(5);
});

test('tools that cannot be loaded are null, and the reason is logged', async () => {
  const ambient = fakeAmbient();
  const broken = { ...list, tools: () => Promise.reject(new Error('no engine')) };
  const catalog = createToolCatalog({ ambient, list: broken, sessions: () => sessions(null) });
  expect(await catalog.list()).toBeNull();
  expect(ambient.lines.join('')).toContain('no engine');
});
