/** Folders whose contents other programs run or trust, at any depth. */
const FOLDERS: readonly (readonly string[])[] = [
  ['.git'],
  ['.svc'],
  ['.husky'],
  ['.githooks'],
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.forgejo', 'workflows'],
  ['.forgejo', 'actions'],
  ['.gitea', 'workflows'],
  ['.gitea', 'actions'],
  ['.gitlab', 'ci'],
  ['.circleci'],
  ['.buildkite'],
  ['.woodpecker'],
  ['.azure-pipelines'],
  ['.lefthook'],
  ['.lefthook-local'],
  ['.idea'],
  ['.fleet'],
  ['.cursor'],
  ['.claude'],
  ['.agents'],
  ['.codex'],
  ['.gemini'],
  ['.windsurf'],
  ['.opencode'],
  ['.qwen'],
  ['.kiro'],
  ['.continue'],
  ['.goose'],
  ['.cline'],
  ['.clinerules'],
  ['.roo'],
  ['.zed'],
  ['.helix'],
  ['.nvim'],
  ['.devcontainer'],
  ['.ssh'],
  ['.gnupg'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['.config', 'git'],
  ['.config', 'fish'],
  ['.config', 'mise'],
  ['.config', 'nvim'],
  ['.config', 'helix'],
  ['.config', 'goose'],
  ['.config', 'opencode'],
  ['.mise'],
  // Settings of this application and of folder trust.
  ['.config', 'fucina'],
  ['application support', 'fucina'],
  ['roaming', 'fucina'],
];

/** Files that other programs run or obey without asking, at any depth. */
const FILES: ReadonlySet<string> = new Set(
  `
  .gitmodules .gitattributes .gitconfig .gitlab-ci.yml .gitlab-ci.yaml .travis.yml azure-pipelines.yml azure-pipelines.yaml
  .azure-pipelines.yml .azure-pipelines.yaml jenkinsfile bitbucket-pipelines.yml .drone.yml .drone.yaml .drone.jsonnet
  .drone.star .woodpecker.yml .woodpecker.yaml .appveyor.yml appveyor.yml .cirrus.yml .hgrc
  .pre-commit-config.yaml .lefthookrc .huskyrc .lintstagedrc .devcontainer.json
  .envrc .mise.toml mise.toml .mise.local.toml mise.local.toml .rtx.toml
  .mcp.json mcp.json opencode.json opencode.jsonc .continuerc.json cline_mcp_settings.json
  .aider.conf.yml .aider.model.settings.yml .aider.model.metadata.json
  .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.js .pnp.loader.mjs pip.conf .pypirc .netrc
  .bashrc .bash_aliases .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout
  .kshrc .cshrc .tcshrc .inputrc .xprofile .xinitrc config.fish .tmux.conf
  .vimrc .exrc .nvimrc .nvim.lua .lazy.lua .neoconf.json .dir-locals.el .emacs .gdbinit .lldbinit .bazelrc
  trusted-folders.json
  `
    .trim()
    .split(/\s+/),
);

/** The same with several endings: settings of programs that read many formats. */
const NAMED =
  /^(?:\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|(?:\.lintstagedrc|lint-staged\.config)\.(?:json|ya?ml|[cm]?[jt]s))$/;

/** Extensions of such files with arbitrary names. */
const ENDINGS: readonly string[] = ['.code-workspace', '.sublime-project', '.sublime-workspace', '.sublime-build'];

/** Names in one folder. */
const IN_FOLDER: Readonly<Record<string, ReadonlySet<string>>> = {
  '.vscode': new Set(['tasks.json', 'settings.json', 'launch.json', 'mcp.json', 'extensions.json']),
  '.cargo': new Set(['config', 'config.toml']),
  '.yarn': new Set(['releases', 'plugins', 'sdks']),
  '.hg': new Set(['hgrc', 'hgrc-not-shared']),
  '.mvn': new Set(['extensions.xml', 'jvm.config', 'maven.config', 'wrapper']),
};

/**
 * Whether a path names something that other programs run or trust without the user seeing it: repository internals and
 * hooks, this application's own folder, CI, editor startup files, shell and package manager settings. Writing these
 * always asks. Spelling tricks of file systems (case, invisible characters, trailing dots, short names) are recognized.
 */
export function isControlFile(relativePath: string): boolean {
  const segments = relativePath.split(/[\\/]/).map(plainName).filter(Boolean);
  return segments.some((segment, index) => {
    if (FOLDERS.some((folder) => folder.every((part, step) => segments[index + step] === part))) return true;
    if (IN_FOLDER[segment]?.has(segments[index + 1] ?? '')) return true;
    return index === segments.length - 1 && isControlName(segment);
  });
}

function isControlName(plain: string): boolean {
  return FILES.has(plain) || NAMED.test(plain) || ENDINGS.some((ending) => plain.endsWith(ending));
}

/** What to protect of a top-level entry: all of it, only these names in it, or nothing. */
export function controlPartsOf(name: string): 'whole' | readonly string[] {
  const plain = plainName(name);
  if (isControlName(plain)) return 'whole';
  if (FOLDERS.some((folder) => folder.length === 1 && folder[0] === plain)) return 'whole';
  const deeper = FOLDERS.flatMap(([first, second]) => (first === plain && second !== undefined ? [second] : []));
  return [...deeper, ...(IN_FOLDER[plain] ?? [])];
}

/** The names in a folder that are parts to protect of it, as they are spelled there. */
export function spelledParts(names: readonly string[], parts: readonly string[]): string[] {
  return names.filter((name) => parts.includes(plainName(name)));
}

/**
 * Normalized like the most permissive file systems: HFS+ ignores invisible characters, Windows trailing dots and
 * spaces, both ignore case.
 */
function plainName(segment: string): string {
  const plain = segment
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return /^git~\d$/.test(plain) ? '.git' : plain;
}
