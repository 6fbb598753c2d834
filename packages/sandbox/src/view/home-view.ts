import { delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { type Environment, homeOf, isWithin } from '@fucina/shared';
import { certificateFiles } from './certificate-files.ts';
import { type Mount, shown } from './mounts.ts';

/** In the home: compilers, package managers and what they installed. Caches and settings are separate. */
const TOOLCHAINS = `
  .cargo/bin .cargo/env .rustup .nvm .fnm .local/share/fnm .volta .asdf .local/share/mise .proto .pyenv .rbenv .rvm .jenv .sdkman
  .goenv .nodenv .tfenv .ghcup .opam .juliaup .julia .elan .pixi .dotnet .bun/bin .deno/bin .npm-global .npm-packages
  .yarn/bin .config/yarn/global .local/bin .local/lib .local/pipx .local/share/pipx .local/share/uv .local/share/pnpm
  .poetry .conda miniconda3 anaconda3 miniforge3 mambaforge .gem/ruby .composer/vendor .config/composer/vendor
  .krew/bin .wasmtime .wasmer .foundry/bin .flutter flutter Android/Sdk .local/share/flatpak/exports go/bin bin
  .sdkman .m2/wrapper .gradle/wrapper .mix/elixir .kerl .emsdk .platformio/penv .arduino15 .zvm .zig .cabal/bin .stack/programs
`;

/** Folders of toolchains set by variables. */
const TOOLCHAIN_VARIABLES: readonly (readonly [name: string, ...below: string[]])[] = [
  ['CARGO_HOME', 'bin', 'env'],
  ['RUSTUP_HOME', ''],
  ['NVM_DIR', ''],
  ['FNM_DIR', ''],
  ['VOLTA_HOME', ''],
  ['PNPM_HOME', ''],
  ['PYENV_ROOT', ''],
  ['RBENV_ROOT', ''],
  ['PIPX_HOME', ''],
  ['JAVA_HOME', ''],
  ['JDK_HOME', ''],
  ['MAVEN_HOME', ''],
  ['GRADLE_HOME', ''],
  ['ANDROID_HOME', ''],
  ['ANDROID_SDK_ROOT', ''],
  ['DOTNET_ROOT', ''],
  ['GOROOT', ''],
  ['GOBIN', ''],
  ['GEM_HOME', ''],
  ['CONDA_PREFIX', ''],
  ['VIRTUAL_ENV', ''],
  ['NPM_CONFIG_NODEDIR', ''],
];

/**
 * `.local`, `.config` and `.cache` also contain keys of other programs: a program there does not make its whole tree
 * visible.
 */
const MIXED = new Set(['.local', '.config', '.cache', 'Library', 'AppData', 'snap', '.var']);

const names = (list: string): string[] => list.trim().split(/\s+/);

/** What commands see of the home: toolchains, and certificates that they name. The rest of it is empty. */
export function toolchains(environment: Environment): Mount[] {
  const home = homeOf(environment);
  const byName = names(TOOLCHAINS).map((name) => join(home, name));
  const folders = new Set([...byName, ...byVariable(environment, home), ...programsOf(environment, home)]);
  return [...shown([...folders]), ...certificateFiles(environment)];
}

function byVariable(environment: Environment, home: string): string[] {
  return TOOLCHAIN_VARIABLES.flatMap(([name, ...below]) => {
    const folder = environment[name];
    const isOne = folder !== undefined && isAbsolute(folder) && folder !== '/' && !isWithin(folder, home);
    return isOne ? below.map((part) => join(folder, part)) : [];
  });
}

/** Folders of PATH in the home; `~/tools/go/bin` adds `~/tools/go`. */
function programsOf(environment: Environment, home: string): string[] {
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  return folders.filter((folder) => folder !== home && isWithin(home, folder)).map((folder) => treeOf(folder, home));
}

function treeOf(folder: string, home: string): string {
  const parts = relative(home, folder).split(sep);
  const isOwnTree = parts.length >= 2 && parts.at(-1) === 'bin' && !MIXED.has(parts[0] ?? '') && parts[0] !== '.cargo';
  return isOwnTree ? join(folder, '..') : folder;
}
