import { expect, test } from '@jest/globals';
import { harmlessGitConfig, withoutSecretLines } from './home-settings.ts';

test('settings of package managers keep everything but secrets', () => {
  const npmrc = [
    'registry=https://npm.example/',
    '@team:registry=https://user:word@npm.example/',
    '//npm.example/:_authToken=abc',
    '_auth = abc',
    'email=a@b.example',
    'save-exact=true',
  ];
  expect(withoutSecretLines(npmrc.join('\n'))).toBe(
    ['registry=https://npm.example/', 'email=a@b.example', 'save-exact=true'].join('\n'),
  );
  const pip = '[global]\nindex-url = https://me:word@pypi.example/simple\n  https://more.example\ntimeout = 5\n';
  expect(withoutSecretLines(pip)).toBe('[global]\ntimeout = 5\n');
  const cargo = '[registries.team]\nindex = "https://i.example"\ntoken = """\nabc\n"""\n[net]\nretry = 2\n';
  expect(withoutSecretLines(cargo)).toBe('[registries.team]\nindex = "https://i.example"\n[net]\nretry = 2\n');
});

test('copies git settings without secrets or programs', () => {
  const config = `[user]
	name = A
	signingkey = abc
[core]
	autocrlf = input
	hooksPath = /x
	sshCommand = evil
[credential]
	helper = store
[url "https://me:word@h.example/"]
	insteadOf = https://h.example/
[include]
	path = other
[commit]
	gpgsign = true
[pull]
	rebase = true
`;
  expect(harmlessGitConfig(config)).toBe('[user]\n\tname = A\n[core]\n\tautocrlf = input\n[pull]\n\trebase = true\n');
  expect(harmlessGitConfig('[core] fsmonitor = evil\n[user]\nname = "A \\\n B"\n')).toBe('[user]\n');
});
