import { extname } from 'node:path';

/** Files in which a line of backquotes around the whole text cannot be meant. */
const CODE = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 py pyi rb php java kt kts scala go rs c h cc cpp cxx hpp cs swift m mm ' +
    'sh bash zsh fish ps1 bat cmd sql css scss sass less html htm xml svg vue svelte yaml yml toml ini cfg conf env ' +
    'properties lua pl r jl dart ex exs erl hs ml clj groovy gradle tf proto graphql csv tsv lock'
  )
    .split(' ')
    .map((name) => `.${name}`),
);

export const isCode = (path: string): boolean => CODE.has(extname(path).toLowerCase());

const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)(\r?\n)?\1[ \t]*(\r?\n)?\s*$/;

/** The text inside a fence that is around all of it; undefined without one. */
export function insideFence(text: string): string | undefined {
  const [, fence = '', inside = '', lastBreak = ''] = FENCED.exec(text) ?? [];
  if (fence === '' || inside.split('\n').some((line) => line.trimStart().startsWith(fence))) return undefined;
  return inside + lastBreak;
}
