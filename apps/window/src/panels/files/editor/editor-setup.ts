import { indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, indentUnit, LanguageDescription, syntaxHighlighting } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { linter, lintGutter } from '@codemirror/lint';
import { gotoLine } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { getNonce } from 'get-nonce';
import type { FileProblem } from '../../../wire/language.ts';
import { nameOf } from '../paths.ts';
import { diagnostics } from './diagnostics.ts';
import { editorTheme } from './editor-theme.ts';

/** The colors of code elsewhere in the window. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.tagName], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.attributeValue, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.constant(tags.name)], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.typeName, tags.className],
    color: 'var(--code-function)',
  },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: [tags.link, tags.url], color: 'var(--info)' },
]);

/** Reconfigured while a text is open. */
export const languagePart = new Compartment();
export const wrapPart = new Compartment();
export const phrasesPart = new Compartment();

/** The line ending that most lines of a text have; the other one stays as it is. */
export function lineSeparatorOf(text: string): '\n' | '\r\n' {
  const windows = text.split('\r\n').length - 1;
  return windows > 0 && windows === text.split('\n').length - 1 ? '\r\n' : '\n';
}

/** Two spaces, unless the text is indented with tabs. */
const indentationOf = (text: string): string => (/^\t/m.test(text) ? '\t' : '  ');

const isJson = (path: string): boolean => /\.(?:json|webmanifest)$/i.test(path);

export interface EditorActions {
  save(): void;
  /** The problems of a text; null when nothing looks for them. */
  diagnose(text: string): Promise<readonly FileProblem[] | null>;
}

export function newState(path: string, text: string, actions: EditorActions): EditorState {
  const save = () => {
    actions.save();
    return true;
  };
  const extensions: Extension[] = [
    // Before the default keys, which use some of them otherwise.
    keymap.of([
      { key: 'Mod-s', run: save, preventDefault: true },
      { key: 'Ctrl-g', run: gotoLine, preventDefault: true },
      indentWithTab,
    ]),
    basicSetup,
    EditorState.lineSeparator.of(lineSeparatorOf(text)),
    indentUnit.of(indentationOf(text)),
    syntaxHighlighting(COLOURS),
    editorTheme,
    EditorView.cspNonce.of(getNonce() ?? ''),
    EditorView.contentAttributes.of({ 'aria-label': path, tabindex: '0' }),
    languagePart.of(isJson(path) ? [json(), linter(jsonParseLinter()), lintGutter()] : []),
    isJson(path) ? [] : diagnostics(actions.diagnose),
    wrapPart.of([]),
    phrasesPart.of([]),
  ];
  return EditorState.create({ doc: text, extensions });
}

/** The language of a file by its name, loaded when it is known; undefined if there is none. */
export async function languageOf(path: string): Promise<Extension | undefined> {
  if (isJson(path)) return undefined;
  return LanguageDescription.matchFilename(languages, nameOf(path))?.load();
}
