import { expect, test } from '@jest/globals';
import type { NetworkMode } from '../rules/rule-store.ts';
import { type AddressInput, decideAddress } from './address-policy.ts';
import { createNetworkRules } from './network-rules.ts';

interface Facts {
  mode?: NetworkMode;
  isFree?: boolean;
  allow?: string[];
  ask?: string[];
  deny?: string[];
}

async function decide(url: string, { mode = 'listed', isFree = false, ...texts }: Facts = {}): Promise<string> {
  const rules = createNetworkRules({ allow: [], ask: [], deny: [], ...texts });
  const rule: AddressInput['rule'] = async (target) => rules.judge(target);
  const decision = await decideAddress({ url, mode, rule, isFree });
  if (decision.verdict === 'ask') return `ask for ${decision.host}:${decision.port}`;
  return decision.verdict === 'deny' ? `deny: ${decision.reason}` : 'allow';
}

test.each<[string, Facts, string]>([
  ['https://docs.example.co.uk/x?q=1', {}, 'ask for *.example.co.uk:443'],
  ['http://docs.example.co.uk/', {}, 'ask for *.example.co.uk:80'],
  ['https://example.org:8443/', {}, 'ask for *.example.org:8443'],
  ['https://one.github.io/', {}, 'ask for *.one.github.io:443'],
  ['https://93.184.216.34/', {}, 'ask for 93.184.216.34:443'],
  ['https://api.github.com/gists', {}, 'ask for *.github.com:443'],
  ['https://github.com/a/b', {}, 'allow'],
  ['https://registry.npmjs.org/left-pad', {}, 'allow'],
  ['https://github.com:8443/', {}, 'ask for *.github.com:8443'],
  ['https://example.org/', { isFree: true }, 'allow'],
  ['https://example.org/', { isFree: true, ask: ['Network(*)'] }, 'allow'],
  ['https://example.org/', { isFree: true, deny: ['Network(*.org)'] }, 'deny: rule'],
  ['https://example.org/', { isFree: true, mode: 'off' }, 'deny: off'],
  ['https://example.org/', { mode: 'open' }, 'allow'],
  ['https://example.org/', { mode: 'open', ask: ['Network(example.org)'] }, 'ask for *.example.org:443'],
  ['https://a.example.org/', { allow: ['Network(*.example.org)'] }, 'allow'],
  ['https://notexample.org/', { allow: ['Network(*.example.org)'] }, 'ask for *.notexample.org:443'],
  ['https://EXAMPLE.org./', { deny: ['Network(example.org)'] }, 'deny: rule'],
  ['http://0x5db8d822/', { deny: ['Network(93.184.216.34)'] }, 'deny: rule'],
  ['http://localhost:5173/', { mode: 'off' }, 'allow'],
  ['http://localhost:5173/', { deny: ['Network(localhost:5173)'] }, 'deny: rule'],
  ['http://localhost:5174/', { deny: ['Network(localhost:5173)'] }, 'allow'],
  ['http://localhost:5173/', { isFree: true, deny: ['Network(localhost)'] }, 'deny: rule'],
  ['not an address', { isFree: true }, 'deny: rule'],
])('decides %s under %j: %s', async (url, facts, expected) => {
  expect(await decide(url, facts)).toBe(expected);
});
