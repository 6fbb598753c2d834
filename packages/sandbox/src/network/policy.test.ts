import { describe, expect, test } from '@jest/globals';
import { createPermissionRules } from '../permission-rules/permission-rules.ts';
import type { NetworkMode } from '../rules/rule-store.ts';
import { BUILT_IN_HOSTS, isBuiltInHost } from './built-in-hosts.ts';
import { isRemoteAddress } from './connect.ts';
import { createNetworkRules } from './network-rules.ts';
import { decideNetwork, refusalSentence } from './policy.ts';

interface Texts {
  allow?: string[];
  ask?: string[];
  deny?: string[];
}

function verdictOf(
  host: string,
  port: number,
  { isGranted = false, mode, ...texts }: Texts & { isGranted?: boolean; mode?: NetworkMode },
): string {
  const rules = createNetworkRules({ allow: [], ask: [], deny: [], ...texts });
  const target = { host, port };
  const decision = decideNetwork({ target, mode, rule: rules.judge(target), isGranted, isPublic: isRemoteAddress });
  if (decision.verdict === 'deny') return `deny: ${decision.reason}`;
  return decision.opensPrivate ? `${decision.verdict}, private too` : decision.verdict;
}

describe('the network policy', () => {
  test.each<[string, number, Texts & { isGranted?: boolean; mode: NetworkMode }, string]>([
    ['github.com', 443, { mode: 'off' }, 'deny: off'],
    ['example.org', 443, { mode: 'off', isGranted: true, allow: ['Network(*)'] }, 'deny: off'],
    ['localhost', 3000, { mode: 'off', allow: ['Network(localhost:3000)'] }, 'deny: off'],
    ['example.org', 8443, { mode: 'open' }, 'allow'],
    ['example.org', 443, { mode: 'open', deny: ['Network(example.org)'] }, 'deny: rule'],
    ['example.org', 443, { mode: 'open', ask: ['Network(example.org)'] }, 'ask'],
    ['localhost', 3000, { mode: 'open' }, 'deny: private'],
    ['10.0.0.1', 80, { mode: 'open' }, 'deny: private'],
    ['localhost', 3000, { mode: 'open', allow: ['Network(localhost:3000)'] }, 'allow, private too'],
    ['example.org', 443, { mode: 'listed' }, 'ask'],
  ])('%s:%i in mode %j: %s', (host, port, facts, expected) => {
    expect(verdictOf(host, port, facts)).toBe(expected);
  });

  test.each<[string, number, Texts & { isGranted?: boolean }, string]>([
    ['github.com', 443, {}, 'allow'],
    ['github.com', 22, {}, 'ask'],
    ['github.com', 443, { deny: ['Network(github.com)'] }, 'deny: rule'],
    ['github.com', 443, { deny: ['Network(*)'] }, 'deny: rule'],
    ['github.com', 443, { deny: ['Network'] }, 'deny: rule'],
    ['github.com', 443, { deny: ['*'] }, 'deny: rule'],
    ['github.com', 443, { ask: ['Network(*)'] }, 'ask'],
    ['github.com', 443, { ask: ['Network(*)'], isGranted: true }, 'allow'],
    ['example.org', 443, {}, 'ask'],
    ['example.org', 443, { isGranted: true }, 'allow'],
    ['example.org', 443, { isGranted: true, deny: ['Network(*.org)'] }, 'deny: rule'],
    ['example.org', 443, { allow: ['Network(example.org)'] }, 'allow'],
    ['example.org', 443, { allow: ['Network(*.example.org)'] }, 'allow'],
    ['example.org', 443, { allow: ['Network(*)'] }, 'allow'],
    ['example.org', 443, { allow: ['Network'] }, 'allow'],
    ['example.org', 443, { allow: ['*'] }, 'ask'],
    ['example.org', 443, { allow: ['Network(*)'], deny: ['Network(example.org:443)'] }, 'deny: rule'],
    ['example.org', 8443, { allow: ['Network(example.org:8443)'] }, 'allow, private too'],
    ['example.org', 443, { allow: ['Network(example.org:8443)'] }, 'ask'],
    ['example.org', 443, { allow: ['Network(https://example.org)'] }, 'ask'],
    ['example.org', 443, { deny: ['Network(https://example.org)'] }, 'deny: rule'],
    ['localhost', 3000, {}, 'deny: private'],
    ['localhost', 3000, { isGranted: true }, 'deny: private'],
    ['localhost', 3000, { allow: ['Network(*)'] }, 'deny: private'],
    ['localhost', 3000, { allow: ['Network(*:3000)'] }, 'deny: private'],
    ['localhost', 3000, { allow: ['Network(localhost:3000)'] }, 'allow, private too'],
    ['localhost', 3001, { allow: ['Network(localhost:3000)'] }, 'deny: private'],
    ['localhost', 3001, { allow: ['Network(localhost:*)'] }, 'allow, private too'],
    ['app.localhost', 80, { allow: ['Network(*)'] }, 'deny: private'],
    ['127.0.0.1', 80, { allow: ['Network(*)'] }, 'deny: private'],
    ['10.0.0.1', 80, { allow: ['Network(10.0.0.1)'] }, 'allow, private too'],
    ['10.0.0.1', 80, { ask: ['Network(10.0.0.1)'] }, 'deny: private'],
    ['169.254.169.254', 80, { allow: ['Network(*)'] }, 'deny: private'],
    ['::1', 80, {}, 'deny: private'],
    ['0.0.0.0', 80, {}, 'deny: private'],
    ['fd00::1', 80, { allow: ['Network(*)'] }, 'deny: private'],
  ])('answers %s:%i under %j with %s', (host, port, texts, verdict) => {
    expect(verdictOf(host, port, texts)).toBe(verdict);
  });

  test.each<[string, Texts & { isGranted?: boolean; mode?: NetworkMode }, boolean]>([
    ['github.com', {}, true],
    ['example.org', { isGranted: true }, true],
    ['example.org', { allow: ['Network(example.org)'] }, true],
    ['www.example.org', { allow: ['Network(*.example.org)'] }, true],
    ['example.org', { allow: ['Network(*)'] }, false],
    ['example.org', { mode: 'open' }, false],
    ['github.com', { mode: 'open' }, true],
  ])('knows whether %s under %j was named: %j', (host, { isGranted = false, mode, ...texts }, isNamed) => {
    const target = { host, port: 443 };
    const rule = createNetworkRules({ allow: [], ask: [], deny: [], ...texts }).judge(target);
    const decision = decideNetwork({ target, mode, rule, isGranted, isPublic: isRemoteAddress });
    expect(decision).toMatchObject({ verdict: 'allow', isNamed });
  });

  test('names the ports of this computer that rules open one by one', () => {
    const rules = createNetworkRules({
      allow: ['Network(localhost:3000)', 'Network(127.0.0.1:5173)', 'Network(localhost:*)', 'Network(a.example:80)'],
      ask: [],
      deny: ['Network(127.0.0.1:5173)'],
    });
    expect(rules.localPorts).toEqual([3000]);
  });

  test('writes refusals in one ASCII line that fits a status line', () => {
    const reasons = [
      'rule',
      'not-allowed',
      'private',
      'own-port',
      'unresolved',
      'malformed',
      'unreachable',
      'proxy',
    ] as const;
    for (const reason of reasons) {
      expect(refusalSentence({ host: '::1', port: 8080 }, reason)).toMatch(/^[ -~]{10,200}$/);
    }
    expect(refusalSentence({ host: 'example.org', port: 443 }, 'not-allowed')).toBe(
      'Fucina blocks example.org for this session. Allow it with the rule Network(example.org).',
    );
  });
});

describe('the built-in hosts', () => {
  test('are unique and valid in a rule', () => {
    const { problems } = createPermissionRules({
      allow: BUILT_IN_HOSTS.map((name) => `Network(${name})`),
      ask: [],
      deny: [],
    });
    expect(problems).toEqual([]);
    expect(new Set(BUILT_IN_HOSTS).size).toBe(BUILT_IN_HOSTS.length);
  });

  test.each(['github.com', 'pypi.org', 'crates.io', 'proxy.golang.org', 'repo1.maven.org', 'github.com', 'ghcr.io'])(
    'contain %s',
    (host) => expect(isBuiltInHost({ host, port: 443 })).toBe(true),
  );

  test.each(['evil-github.com', 'github.com.evil.example', 'nodejs.org.example', 'gist.github.com', 'localhost'])(
    'do not contain %s',
    (host) => expect(isBuiltInHost({ host, port: 443 })).toBe(false),
  );
});

describe('a Network rule', () => {
  test('is judged like any other for the tool rete', async () => {
    const rules = createPermissionRules({ allow: ['Network(a.example)'], ask: [], deny: ['Network(b.example)'] });
    const judge = async (host: string) => (await rules.judge({ tipo: 'rete', host, porta: 443 }, '/'))?.verdict;
    expect([await judge('a.example'), await judge('b.example'), await judge('c.example')]).toEqual([
      'allow',
      'deny',
      undefined,
    ]);
  });
});
