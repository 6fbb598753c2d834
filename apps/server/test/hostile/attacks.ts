import type { ScriptedToolCall } from '@fucina/testkit';

const call = (name: string, args: ScriptedToolCall['arguments']): ScriptedToolCall => ({ name, arguments: args });

/** Every notation of an outside path that some system or careless code accepts. */
export function pathsThatEscape(base: string): string[] {
  const target = 'outside/secret.txt';
  const absolute = `${base}/${target}`;
  return [
    `../${target}`,
    `./../${target}`,
    `src/../../${target}`,
    `src/up/../../${target}`,
    `ok/../../project/../${target}`,
    `../project-neighbour/secret.txt`,
    `../project/../${target}`,
    `..//${target}`,
    `../../../../../../../../../..${absolute}`,
    absolute,
    `/${absolute}`,
    `//${absolute}`,
    `///${absolute}`,
    `${base}/project/../${target}`,
    `${base}/./${target}`,
    `${base}/project-neighbour/secret.txt`,
    `/proc/self/root${absolute}`,
    `/proc/self/cwd/../${target}`,
    `/dev/fd/../../..${absolute}`,
    `out/secret.txt`,
    `out/./secret.txt`,
    `out/../out/secret.txt`,
    `out-file`,
    `./out-file`,
    `root${absolute}`,
    `root/..${absolute}`,
    `hop/secret.txt`,
    `src/up/out/secret.txt`,
    `src/up/up/out/secret.txt`,
    `out/.git/config`,
    `out/none.txt`,
    `out-none`,
    `out`,
    `root`,
    `..\\outside\\secret.txt`,
    `..\\..\\outside`,
    `C:\\outside\\secret.txt`,
    `C:outside`,
    `\\\\host\\share\\x`,
    `//host/share/x`,
    `\\\\?\\C:\\x`,
    `\\\\.\\pipe\\x`,
    `~/.ssh/id_rsa`,
    `~root/x`,
    `$HOME/x`,
    `%2e%2e/${target}`,
    `..%2f${target}`,
    `..%5c${target}`,
    `%2e%2e%2f${target}`,
    `..;/${target}`,
    `.../${target}`,
    `....//${target}`,
    `..\u0000/${target}`,
    `../${target}\u0000.txt`,
    `..\u2215${target}`,
    `\u2025/${target}`,
    `\uff0e\uff0e/${target}`,
    `file://${absolute}`,
    `file:${absolute}`,
    `.. /${target}`,
    `../ ${target}`,
    `..\n/${target}`,
    `..\t/${target}`,
    `NUL`,
    `con.txt`,
    `COM1.txt`,
    `a:b`,
    `notes.txt::$DATA`,
    `notes.txt.`,
    `notes.txt `,
    `/dev/null`,
    `/dev/stdin`,
    `/proc/self/environ`,
    `/proc/1/environ`,
    `/etc/passwd`,
    `root/etc/passwd`,
    `root/proc/self/environ`,
    `/proc/self/mem`,
    '.',
    './',
    '/',
    '..',
    '../',
    '../..',
    'src/../..',
    `${'../'.repeat(200)}etc/passwd`,
    'a/'.repeat(2_049),
    'n'.repeat(300),
  ];
}

/** Ways to name files that other programs run or trust without the user noticing. */
export function controlNames(base: string): string[] {
  return [
    '.git/config',
    '.GIT/config',
    '.Git/Config',
    '.git/hooks/pre-commit',
    './.git/config',
    './/.git//config',
    'ok/../.git/config',
    'src/../.git/hooks/post-checkout',
    `${base}/project/.git/config`,
    `${base}/project/ok/../.git/config`,
    '.g\u200cit/config',
    '.gi\u00adt/config',
    '.ｇｉｔ/config',
    'git~1/config',
    'GIT~1/hooks/x',
    'sub/.git/config',
    'sub/deep/.git/hooks/x',
    '.git',
    '.gitmodules',
    '.gitattributes',
    'sub/.gitattributes',
    '.vscode/tasks.json',
    '.VSCODE/Tasks.JSON',
    '.vscode/settings.json',
    '.vscode/launch.json',
    'x.code-workspace',
    '.github/workflows/x.yml',
    '.GitHub/Workflows/x.yml',
    '.github/actions/a/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    '.husky/pre-push',
    '.githooks/pre-commit',
    '.idea/workspace.xml',
    '.mcp.json',
    '.svc/hooks.json',
    '.cursor/mcp.json',
    '.claude/settings.json',
    '.npmrc',
    'sub/.npmrc',
    '.yarnrc.yml',
    '.envrc',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.bashrc',
    '.ssh/authorized_keys',
    '.cargo/config.toml',
    '.devcontainer/devcontainer.json',
    'hooks/pre-commit',
    'hooks/deep/x',
    'config',
    './config',
    'src/up/.git/config',
    'src/up/hooks/x',
    'src/up/config',
  ];
}

/** Calls on each place; none may have an effect, whatever is allowed, without an approved card. */
export function forbiddenCalls(base: string): ScriptedToolCall[] {
  const outside = pathsThatEscape(base).flatMap((percorso) => [
    call('leggi', { percorso }),
    call('cerca', { testo: 'canary', percorso }),
    call('scrivi', { percorso, contenuto: 'hostile' }),
    call('file_edit', { percorso, vecchio: 'o', nuovo: 'hostile', tutte: true }),
  ]);
  const control = controlNames(base).flatMap((percorso) => [
    call('scrivi', { percorso, contenuto: 'hostile' }),
    call('file_edit', { percorso, vecchio: '\n', nuovo: 'hostile\n', tutte: true }),
  ]);
  return [...outside, ...control, ...malformed()];
}

function malformed(): ScriptedToolCall[] {
  const names = ['__proto__', 'constructor', 'toString', 'shell\u0000', 'n'.repeat(5_000)];
  const shells = [
    'null',
    '[]',
    '"touch hostile"',
    '1',
    '',
    '{',
    '{"comando":',
    '{"comando":{"toString":"touch hostile"}}',
    '{"comando":"touch hostile","secondi":1e99}',
    '{"comando":"touch hostile","secondi":-1}',
    '{"__proto__":{"comando":"touch hostile"}}',
    '{"comando":null}',
    '{"comando":""}',
    '{"comando":"touch hostile"}{"comando":"touch hostile-2"}',
    `{"comando":"${'a'.repeat(100_001)}"}`,
  ];
  return [
    ...names.map((name) => call(name, { comando: 'touch hostile', percorso: 'hostile', contenuto: 'x' })),
    ...shells.map((text) => call('shell', text)),
    call('scrivi', '{"percorso":"ok/twice.txt","percorso":".git/config","contenuto":"hostile"}'),
    call('scrivi', '{"percorso":"../outside/new.txt","contenuto":"hostile","__proto__":{"isWholeDisk":true}}'),
    call('scrivi', { percorso: 'hostile.txt', contenuto: 5 as unknown as string }),
    call('prova', { comando: 'touch hostile' }),
  ];
}

/** Calls that are read although they are not quite right: what the session allows of them is the same as of others. */
function understood(): ScriptedToolCall[] {
  const touch = (index: number): string => `touch ok/shell-${index}`;
  return [
    ...['SHELL', 'Shell', ' shell', 'shell ', 'bash'].map((name, at) =>
      call(name, { comando: touch(16 + at), x: 'x' }),
    ),
    call('shell', '{"comando":["touch","ok/shell-21"]}'),
    call('shell', `{"comando":"${touch(22)}","extra":1}`),
    call('shell', `{"comando":"${touch(23)}","secondi":"9"}`),
    call('shell', `{"comando":"${touch(24)}"}{"comando":"${touch(24)}"}`),
    call('shell', `{'comando':'${touch(25)}'}`),
    call('shell', `{"COMANDO":"${touch(26)}"}`),
    call('shell', `{"comando":"${touch(27)}","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  ];
}

/** What a session that allows them may do, by tool: shows that the attack would have had an effect. */
export const ALLOWED: Readonly<Record<'scrivi' | 'file_edit' | 'shell', readonly ScriptedToolCall[]>> = {
  scrivi: [call('scrivi', { percorso: 'ok/written.txt', contenuto: 'written' })],
  file_edit: [call('file_edit', { percorso: 'ok/keep.txt', vecchio: 'kept', nuovo: 'edited' })],
  shell: [
    'true; touch ok/shell-1',
    'false || touch ok/shell-2',
    'true && touch ok/shell-3',
    'echo x | tee ok/shell-4',
    'echo $(touch ok/shell-5)',
    'echo `touch ok/shell-6`',
    'true & touch ok/shell-7',
    'true\ntouch ok/shell-8',
    'eval "touch ok/shell-9"',
    'ls #\ntouch ok/shell-10',
    'cat <(touch ok/shell-11)',
    'X=1 touch ok/shell-12',
    'exec touch ok/shell-13',
    'env touch ok/shell-14',
    '(touch ok/shell-15)',
  ]
    .map((comando) => call('shell', { comando }))
    .concat(understood()),
};

export const EXPECTED_EFFECTS: Readonly<Record<keyof typeof ALLOWED, readonly string[]>> = {
  scrivi: ['project/ok/written.txt'],
  file_edit: ['project/ok/keep.txt'],
  shell: ALLOWED.shell.map((_, index) => `project/ok/shell-${index + 1}`),
};
