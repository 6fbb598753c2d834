import { expect, test } from '@jest/globals';
import { parseHostPattern } from '../permission-rules/host-pattern.ts';
import type { RuleTexts } from '../permission-rules/permission-rules.ts';
import { createNetworkRules } from './network-rules.ts';
import { type OpenHostsInput, openHosts } from './open-hosts.ts';

const patterns = (...texts: string[]) => texts.flatMap((text) => parseHostPattern(text) ?? []);
const of = (texts: Partial<RuleTexts>, input: Partial<OpenHostsInput> = {}) => {
  const rules = createNetworkRules({ allow: [], ask: [], deny: [], ...texts });
  const found = openHosts({ mode: 'listed', rules, granted: [], asksNothing: false, ...input });
  if (found === 'any') return 'any';
  return { named: found.named, hasPackages: found.builtIn.some(({ host }) => host === 'unpkg.com') };
};

test('lists what the user named or allowed, and the hosts of packages', () => {
  expect(of({})).toEqual({ named: [], hasPackages: true });
  expect(of({ allow: ['Network(a.example)', 'Bash(ls)'] }, { granted: patterns('*.b.example:443') })).toMatchObject({
    named: patterns('a.example', '*.b.example:443'),
    hasPackages: true,
  });
});

test('lists nothing with the network off, whatever is allowed', () => {
  const off = { mode: 'off', asksNothing: true, granted: patterns('a.example') } as const;
  expect(of({ allow: ['Network(*)'] }, off)).toEqual({ named: [], hasPackages: false });
});

test('names no host where all are open', () => {
  expect(of({}, { mode: 'open' })).toBe('any');
  expect(of({}, { asksNothing: true })).toBe('any');
  expect(of({ ask: ['Network(a.example)'] }, { asksNothing: true })).toBe('any');
  expect(of({ allow: ['Network(*)'] })).toBe('any');
  expect(of({ allow: ['Network(*:8443)'] })).toMatchObject({ named: [{ host: '*', port: 8443 }] });
});

test.each([
  ['Network(a.example)', 'a.example'],
  ['Network(*.a.example)', 'a.example'],
  ['Network(x.a.example)', '*.a.example'],
  ['Network(*.x.a.example)', '*.a.example'],
  ['Network(a.example:443)', 'a.example'],
  ['Network(*)', 'a.example'],
])('leaves out what the denied or asked %s is a part of, or the whole of %s', (rule, host) => {
  const granted = patterns(host, 'kept.example');
  for (const kind of ['deny', 'ask'] as const) {
    const found = of({ [kind]: [rule] }, { granted });
    expect(found).toMatchObject({ named: rule === 'Network(*)' ? [] : patterns('kept.example') });
  }
  const open = of({ deny: [rule] }, { granted, mode: 'open' });
  expect(open).toMatchObject({ named: rule === 'Network(*)' ? [] : patterns('kept.example') });
});

test('keeps a neighbor of a denied host, and another port of it', () => {
  const granted = patterns('ba.example', 'a.example:8443');
  expect(of({ deny: ['Network(a.example:443)'] }, { granted })).toMatchObject({ named: granted });
  expect(of({ deny: ['Network(unpkg.com)'] })).toEqual({ named: [], hasPackages: false });
});
