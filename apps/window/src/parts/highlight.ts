import { createCssVariablesTheme, createHighlighterCore, type GrammarState, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
type Language = keyof typeof LANGUAGES;

const NAMES: Record<string, Language> = {
  cjs: 'typescript',
  cpp: 'c',
  cc: 'c',
  h: 'c',
  hpp: 'c',
  htm: 'html',
  js: 'typescript',
  javascript: 'typescript',
  jsonc: 'json',
  jsx: 'tsx',
  md: 'markdown',
  mjs: 'typescript',
  mts: 'typescript',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'html',
  ts: 'typescript',
  vue: 'html',
  xml: 'html',
  yml: 'yaml',
  zsh: 'bash',
};

export interface ColouredPiece {
  text: string;
  colour: string | undefined;
}

let starting: Promise<HighlighterCore> | undefined;

function start(): Promise<HighlighterCore> {
  starting ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'tokens', variablePrefix: '--shiki-', fontStyle: false })],
    // The platform's regular expressions: the other engine is WebAssembly, which the page's policy blocks.
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return starting;
}

/** The lines of `code` in colored pieces; undefined for an unknown language. */
export async function highlight(code: string, name: string): Promise<ColouredPiece[][] | undefined> {
  return (await colouring(name))?.(code);
}

/** Highlights a text in parts of whole lines, each continuing the one before; undefined for an unknown language. */
export async function colouring(name: string): Promise<((part: string) => ColouredPiece[][]) | undefined> {
  const key = name.toLowerCase();
  const language = key in LANGUAGES ? (key as Language) : NAMES[key];
  if (!language) return undefined;
  const highlighter = await start();
  await highlighter.loadLanguage(LANGUAGES[language]());
  let grammarState: GrammarState | undefined;
  return (part) => {
    const coloured = highlighter.codeToTokens(part, {
      lang: language,
      theme: 'tokens',
      ...(grammarState ? { grammarState } : {}),
    });
    grammarState = coloured.grammarState;
    return coloured.tokens.map((line) => line.map((token) => ({ text: token.content, colour: token.color })));
  };
}
