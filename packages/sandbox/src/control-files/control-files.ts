/** Folders whose contents other programs run or trust, at any depth. */
const FOLDERS: readonly (readonly string[])[] = [
  ['.git'],
  ['.svc'],
  ['.husky'],
  ['.githooks'],
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.gitlab', 'ci'],
  ['.circleci'],
  ['.buildkite'],
  ['.woodpecker'],
  ['.idea'],
  ['.fleet'],
  ['.cursor'],
  ['.claude'],
  ['.agents'],
  ['.codex'],
  ['.gemini'],
  ['.windsurf'],
  ['.zed'],
  ['.devcontainer'],
  ['.ssh'],
  ['.gnupg'],
  ['.config', 'autostart'],
  ['.config', 'systemd'],
  ['.config', 'git'],
  ['.config', 'fish'],
  // Settings of this application and of folder trust.
  ['.config', 'fucina'],
  ['application support', 'fucina'],
  ['roaming', 'fucina'],
];

/** Files that other programs run or obey without asking, at any depth. */
const FILES: ReadonlySet<string> = new Set(
  `
  .gitmodules .gitattributes .gitconfig .gitlab-ci.yml .gitlab-ci.yaml .travis.yml azure-pipelines.yml jenkinsfile
  bitbucket-pipelines.yml .drone.yml .woodpecker.yml .appveyor.yml appveyor.yml .cirrus.yml
  .pre-commit-config.yaml lefthook.yml .lefthook.yml .lefthookrc .huskyrc .lintstagedrc
  .envrc .mcp.json mcp.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs pip.conf .pypirc .netrc
  .bashrc .bash_aliases .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout
  .kshrc .cshrc .tcshrc .inputrc .xprofile .xinitrc config.fish .tmux.conf
  .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el .emacs .gdbinit .lldbinit .bazelrc trusted-folders.json
  `
    .trim()
    .split(/\s+/),
);

/** Extensions of such files with arbitrary names. */
const ENDINGS: readonly string[] = ['.code-workspace'];

/** Names in one folder. */
const IN_FOLDER: Readonly<Record<string, ReadonlySet<string>>> = {
  '.vscode': new Set(['tasks.json', 'settings.json', 'launch.json', 'mcp.json', 'extensions.json']),
  '.cargo': new Set(['config', 'config.toml']),
  '.yarn': new Set(['releases', 'plugins']),
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
    return index === segments.length - 1 && (FILES.has(segment) || ENDINGS.some((ending) => segment.endsWith(ending)));
  });
}

/** What to protect of a top-level entry: all of it, only these names in it, or nothing. */
export function controlPartsOf(name: string): 'whole' | readonly string[] {
  const plain = plainName(name);
  if (FILES.has(plain) || ENDINGS.some((ending) => plain.endsWith(ending))) return 'whole';
  if (FOLDERS.some((folder) => folder.length === 1 && folder[0] === plain)) return 'whole';
  const deeper = FOLDERS.flatMap(([first, second]) => (first === plain && second !== undefined ? [second] : []));
  return [...deeper, ...(IN_FOLDER[plain] ?? [])];
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
