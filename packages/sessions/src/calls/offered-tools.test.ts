import type { Tool, ToolSpec } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import type { SessionRecord } from '../store/store.ts';
import { offerOf } from './offered-tools.ts';

const tool = (name: string, effect: Tool['effect'] = 'write'): Tool => ({ name, effect }) as Tool;
const spec = ({ name }: Tool): ToolSpec => ({ name, description: '', inputSchema: {} });
const OWN = [tool('leggi', 'read'), tool('shell'), tool('present_plan', 'read'), tool('delega_sottotask')];
const SPECS = OWN.map(spec);

function sessionIn({ mode = 'work', depth = 0, agentTools }: Situation = {}): SessionRecord {
  const agent = agentTools && { tools: { allowed: agentTools, denied: [] } };
  const header = { workflowStep: null, parentId: null, delegationDepth: depth, ...(agent && { agent }) };
  return { settings: { mode }, header } as unknown as SessionRecord;
}

interface Situation {
  mode?: string;
  depth?: number;
  agentTools?: readonly string[];
}

const namesOf = ({ specs }: { specs: readonly ToolSpec[] }): string[] => specs.map(({ name }) => name);

test('sessions in the same situation are offered the same object', async () => {
  const offer = offerOf({ tools: async () => OWN, toolSpecs: async () => SPECS });
  const [one, other] = [await offer(sessionIn()), await offer(sessionIn())];
  expect(other).toBe(one);
  expect(namesOf(one)).toEqual(['leggi', 'shell', 'present_plan', 'delega_sottotask']);
  expect(namesOf(await offer(sessionIn({ mode: 'plan' })))).toEqual(namesOf(one));
  expect(namesOf(await offer(sessionIn({ depth: 9 })))).toEqual(['leggi', 'shell', 'present_plan']);
  expect(namesOf(await offer(sessionIn({ agentTools: ['leggi'] })))).toEqual(['leggi']);
  expect(await offer(sessionIn())).toBe(one);
});

test('other own tools are offered from the next request on', async () => {
  let own = OWN;
  let specs = SPECS;
  const offer = offerOf({ tools: async () => own, toolSpecs: async () => specs });
  await offer(sessionIn());
  own = OWN.slice(0, 1);
  specs = SPECS.slice(0, 1);
  expect(namesOf(await offer(sessionIn()))).toEqual(['leggi']);
});

test('of several brought tools with one name, the first is offered', async () => {
  const brought = [tool('mcp__notes__read', 'read'), tool('mcp__notes__read', 'write')];
  const offer = offerOf({
    tools: async () => OWN,
    toolSpecs: async () => SPECS,
    projectOffer: async () => ({ tools: brought, specs: brought.map(spec) }),
  });
  const offered = await offer(sessionIn());
  expect(namesOf(offered).filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__notes__read']);
  expect(offered.tools.filter(({ name }) => name.startsWith('mcp__'))).toEqual([brought[0]]);
});

test('what an extension brings comes after the own tools, and replaces none', async () => {
  const brought = [tool('mcp__notes__read', 'read'), tool('shell', 'read')];
  let tools = brought;
  const offer = offerOf({
    tools: async () => OWN,
    toolSpecs: async () => SPECS,
    projectOffer: async () => ({ tools, specs: tools.map(spec) }),
  });
  const offered = await offer(sessionIn());
  expect(namesOf(offered)).toEqual(['leggi', 'shell', 'present_plan', 'delega_sottotask', 'mcp__notes__read']);
  expect(offered.tools.find(({ name }) => name === 'shell')?.effect).toBe('write');
  tools = [];
  expect(namesOf(await offer(sessionIn()))).toEqual(['leggi', 'shell', 'present_plan', 'delega_sottotask']);
});
