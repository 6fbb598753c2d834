import type { Attack } from './attack.ts';

/**
 * Attacks on what is watched while commands run and after them: control files, and ports of this computer. `beside` runs
 * in the background from before the script until after its end; `allowed` are files that the user allowed meanwhile, with
 * the original content; `serves` is answered from the port of this name if the attack succeeds.
 */
const attacks = (table: Readonly<Record<string, string>>): Attack[] =>
  Object.entries(table).map(([title, script]) => ({ title, script }));

const NAMES = attacks({
  'adds a workflow of Forgejo': 'mkdir -p .forgejo/workflows; echo x > .forgejo/workflows/ci.yml',
  'adds a workflow of Gitea in other case': 'mkdir -p .GITEA/Workflows; echo x > .GITEA/Workflows/CI.yml',
  'adds a pipeline of Woodpecker': 'echo x > .woodpecker.yaml',
  'adds a pipeline of Drone': 'echo x > .drone.star',
  'adds a pipeline of Azure': 'echo x > azure-pipelines.yaml',
  'adds a hook of Mercurial': 'mkdir -p .hg; echo x > .hg/hgrc',
  'adds tasks of mise': 'mkdir -p .mise/tasks; echo x > .mise/tasks/x; echo x > mise.toml',
  'adds a plugin of opencode': 'mkdir -p .opencode/plugin; echo x > .opencode/plugin/x.ts; echo x > opencode.json',
  'adds a hook of Kiro': 'mkdir -p .kiro/hooks; echo x > .kiro/hooks/x.kiro.hook',
  'adds settings of Qwen, Continue, Goose and Cline':
    'for d in .qwen .continue .goose .cline; do mkdir -p $d; echo x > $d/settings.json; done',
  'adds settings of aider': 'echo x > .aider.conf.yml',
  'adds language servers of Helix': 'mkdir -p .helix; echo x > .helix/languages.toml',
  'adds a project of Sublime Text': 'echo x > App.Sublime-Project',
  'adds a start file of Neovim': 'echo x > .nvim.lua; echo x > .exrc',
  'adds an SDK of Yarn': 'mkdir -p .yarn/sdks/typescript/bin; echo x > .yarn/sdks/typescript/bin/tsc',
  'adds a loader of Yarn': 'echo x > .pnp.cjs',
  'adds a development container without a folder': 'echo x > .devcontainer.json',
  'adds commands before a commit': 'echo x > lint-staged.config.mjs; echo x > lefthook-local.toml',
  'adds a control file in other case': 'echo x > .EnvRc; mkdir -p .VSCODE; echo x > .VSCODE/Tasks.JSON',
});

const HIDDEN = attacks({
  'gives an ordinary folder the name of a settings folder': 'mkdir evil; echo x > evil/workspace.xml; ln -s evil .idea',
  'names a link as a hooks folder of a package':
    'mkdir evil; echo x > evil/pre-commit; ln -s ../../evil packages/app/.husky',
  'makes a control file three levels below': 'mkdir -p a/b/c; echo x > a/b/c/.envrc',
  'makes a control file in the last of many new folders':
    'mkdir $(seq -f "n%g" 2100); echo x > n999/.envrc; echo x > n2100/.envrc',
  'makes a control file among packages and renames their folder':
    'mkdir -p node_modules; echo x > node_modules/.envrc; mv node_modules app2',
  'makes a control file in an environment and renames it':
    'mkdir -p .venv/.husky; echo x > .venv/.husky/pre-commit; mv .venv env2',
  'makes a control file far below and moves it up':
    'mkdir -p a/b/c/d/e/.husky; echo x > a/b/c/d/e/.husky/pre-push; mv a/b/c/d/e app3',
  'makes a repository that is renamed at its end':
    'git init -q --template= r; mkdir r/.git/hooks; echo x > r/.git/hooks/post-commit; mv r packages/app/r2',
  'writes over a control file of the same number':
    'for i in $(seq 50); do echo x > p/.envrc; rm -f p/.envrc; done 2>/dev/null; mkdir -p p; echo x > p/.envrc',
});

/** Exchanges two names as fast as it can. */
const exchange = (one: string, other: string): string =>
  `perl -e 'my ($a, $b) = @ARGV; syscall(316, -100, $a, -100, $b, 2) while 1' ${one} ${other}`;

const RACES: readonly Attack[] = [
  {
    title: 'has a start file of the shell removed through an exchanged folder',
    script:
      'mkdir -p a; for i in $(seq 40); do echo x > a/.bashrc; mkdir -p a/.ssh; echo x > a/.ssh/authorized_keys; done',
    beside: `mkdir -p a; ln -s $HOME l; ${exchange('a', 'l')}`,
  },
  {
    title: 'has the settings of another repository rewritten through an exchanged folder',
    script: 'mkdir -p a/.git; for i in $(seq 40); do printf "[core]\\n\\tfsmonitor = ./evil\\n" > a/.git/config; done',
    beside: `mkdir -p a/.git; ln -s $HOME/other l; ${exchange('a', 'l')}`,
  },
  {
    title: 'has a hook of the user removed through an exchanged folder',
    script: 'mkdir -p a/.git/hooks; for i in $(seq 40); do echo x > a/.git/hooks/post-commit; done',
    beside: `mkdir -p a/.git; ln -s packages/lib l; ${exchange('a', 'l')}`,
  },
];

const BACKGROUND: readonly Attack[] = [
  {
    title: 'leaves a control file in place while it runs in the background',
    script: 'sleep 0.3',
    beside: 'echo x > .envrc; sleep 60',
  },
  {
    title: 'makes a control file again and again in the background',
    script: 'sleep 0.3',
    beside: 'for i in 1 2 3; do echo x > packages/app/.envrc; sleep 0.2; done; sleep 60',
  },
  {
    title: 'changes a control file in place that the user allowed meanwhile',
    script: 'sleep 1.5',
    allowed: '.mcp.json',
    beside: 'until [ -e .mcp.json ]; do sleep 0.05; done; sleep 0.2; echo x >> .mcp.json; sleep 60',
  },
  {
    title: 'replaces a control file that the user allowed meanwhile',
    script: 'sleep 1.5',
    allowed: '.husky/pre-commit',
    beside:
      'until [ -e .husky/pre-commit ]; do sleep 0.05; done; sleep 0.2; echo x > n; mv n .husky/pre-commit; sleep 60',
  },
  {
    title: 'adds a file beside one that the user allowed meanwhile',
    script: 'sleep 1.5',
    allowed: '.husky/pre-commit',
    beside: 'until [ -e .husky/pre-commit ]; do sleep 0.05; done; echo x > .husky/pre-push; sleep 60',
  },
];

const serve = (host: string, port: string): string =>
  `perl -MSocket -MIO::Socket::IP -e '$s = IO::Socket::IP->new(LocalHost => $ARGV[0], LocalPort => $ARGV[1], Listen => 5, ReuseAddr => 1) or exit; alarm 3; while ($c = $s->accept) { print $c "esc", "aped\\n"; close $c }' ${host} ${port}`;

const PORTS: readonly Attack[] = [
  { title: 'answers in the place of a model', script: serve('127.0.0.1', '$MODEL'), serves: 'MODEL' },
  { title: 'answers in the place of a model by IPv6', script: serve('::1', '$MODEL'), serves: 'MODEL' },
  { title: 'answers in the place of a model on all addresses', script: serve('0.0.0.0', '$MODEL'), serves: 'MODEL' },
  { title: 'answers on a port that nobody opened', script: serve('127.0.0.1', '$FREE'), serves: 'FREE' },
  { title: 'answers on a port of the system', script: serve('0.0.0.0', '$LOW'), serves: 'LOW' },
];

export const CONTROL_FILE_ATTACKS: readonly Attack[] = [...NAMES, ...HIDDEN, ...RACES, ...BACKGROUND, ...PORTS];
