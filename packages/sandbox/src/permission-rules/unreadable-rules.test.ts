import { type TempDir, tempDir } from '@fucina/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { createPermissionRules, type PermissionRules, type RuleTexts } from './permission-rules.ts';

let folder: TempDir;
beforeAll(async () => {
  folder = await tempDir();
});

const rules = (texts: Partial<RuleTexts>): PermissionRules =>
  createPermissionRules({ allow: [], ask: [], deny: [], ...texts });
const shell = async (texts: Partial<RuleTexts>, comando: string) =>
  (await rules(texts).judge({ tipo: 'shell', comando }, folder.path))?.verdict;

test.each([
  ['Bash(rm *', 'shell'],
  ['Bash (rm *)', 'shell'],
  ['Bash(rm *) x', 'shell'],
  ['Bash rm *', 'shell'],
  ['Bash:rm', 'shell'],
  ['Bash(rm "x)', 'shell'],
  ["Bash(rm 'x)", 'shell'],
  ['Bash(rm)(x)', 'shell'],
  ['Bash()', 'shell'],
  ['Read(.env', 'leggi'],
  ['Read([.env)', 'leggi'],
  ['Read(*.{pem,key)', 'leggi'],
  [`Read({a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b})`, 'leggi'],
  ['Edit(src/a))', 'scrivi'],
  ['WebFetch(https://example.org/)', 'naviga'],
  ['WebFetch(exa mple)', 'naviga'],
  ['WebFetch(domain:)', 'naviga'],
  ['mcp__git__push (x)', 'mcp__git__push'],
])('the malformed rule %s denies, or asks for, the whole tool and allows nothing', async (rule, tool) => {
  const of = async (texts: Partial<RuleTexts>, tipo = tool) => {
    const subject = tipo === 'shell' ? { comando: 'ls' } : { percorso: 'other.ts', url: 'https://other.example/' };
    return (await rules(texts).judge({ tipo, ...subject }, folder.path))?.verdict;
  };
  expect(rules({ deny: [rule] }).problems).toHaveLength(1);
  expect(await of({ deny: [rule] })).toBe('deny');
  expect(await of({ ask: [rule] })).toBe('ask');
  expect(await of({ allow: [rule] })).toBeUndefined();
  expect(await of({ deny: [rule] }, 'notes_create')).toBeUndefined();
});

test.each([
  'Bash(echo "(")',
  'Bash(echo (a))',
  'Bash([ -f x ])',
  'Bash([ *)',
  "Bash(git commit -m 'a b')",
  'Read(app/[id]/page.tsx)',
  'Read(*.{pem,key})',
  'Read({a,{b,c}})',
  'Edit(app/(group)/page.tsx)',
  'WebFetch(*.example.org)',
  'WebFetch(domain:example.org)',
  'mcp__git__*',
  'Read',
])('the rule %s is well-formed', (rule) => expect(rules({ deny: [rule] }).problems).toEqual([]));

test('braces stand for alternatives, brackets for themselves', async () => {
  const of = async (deny: string, percorso: string) =>
    (await rules({ deny: [deny] }).judge({ tipo: 'leggi', percorso }, folder.path))?.verdict;
  expect(await of('Read(*.{pem,key})', 'a/b.pem')).toBe('deny');
  expect(await of('Read(*.{pem,key})', 'a/b.key')).toBe('deny');
  expect(await of('Read(*.{pem,key})', 'a/b.kex')).toBeUndefined();
  expect(await of('Read({a,{b,c}}/x)', 'c/x')).toBe('deny');
  expect(await of('Read(app/[id]/x)', 'app/[id]/x')).toBe('deny');
  expect(await of('Read(app/[id]/x)', 'app/i/x')).toBeUndefined();
});

test('a rule with a colon before its star denies as in other tools, and does not allow more', async () => {
  expect(await shell({ deny: ['Bash(git push:*)'] }, 'git push origin')).toBe('deny');
  expect(await shell({ deny: ['Bash(rm:*)'] }, 'rm -rf x')).toBe('deny');
  expect(await shell({ deny: ['Bash(npm run test:*)'] }, 'npm run test:unit')).toBe('deny');
  expect(await shell({ deny: ['Bash(git push:*)'] }, 'git pull')).toBeUndefined();
  expect(await shell({ allow: ['Bash(git push:*)'] }, 'git push origin')).toBeUndefined();
});

test.each([
  ['Bash(rm *', 4],
  ['Bash (rm *)', 4],
  ['  Bash:rm', 6],
  ['Bash(rm *) x', 10],
  ['Bash(rm)(x)', 8],
  ['Bash(echo ")" (a)', 4],
  ['Bash(rm "x)', 8],
  ["Bash(rm 'x' 'y)", 12],
  ['Bash(  )', 7],
  ['Edit(src/a))', 11],
  ['Read(.env', 4],
  ['Read( [.env)', 6],
  ['Read(a].env)', 6],
  ['Read(*.{pem,key)', 7],
  ['Read({a}[b]c})', 12],
  ['Network(exa mple)', 8],
  ['😀(x)', 0],
  ['Nope(x)', 0],
  ['  Nope(x)', 2],
  ['task_create( x)', 13],
])('the problem of %s is at %i', (rule, at) => {
  expect(rules({ deny: [rule] }).problems.map((found) => found.at)).toEqual([at]);
});
