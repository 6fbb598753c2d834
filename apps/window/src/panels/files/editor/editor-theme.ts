import { EditorView } from '@codemirror/view';

/** The editor in the colors and type of the window. */
export const editorTheme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--code-text)',
    backgroundColor: 'var(--code-background)',
    fontSize: 'var(--size-label)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--muted)',
    backgroundColor: 'var(--code-background)',
    borderRight: '1px solid var(--line)',
  },
  // No tint: it would take the contrast of comments.
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warning) 25%, transparent)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--accent)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--muted)',
  },
  '.cm-foldPlaceholder': { color: 'var(--muted)', backgroundColor: 'var(--raised)', border: 'none' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontFamily: 'var(--font-words)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search :is(input, button, label)': { fontSize: 'var(--size-label)' },
  '.cm-panel.cm-search [name=close]': { width: '24px', height: '24px', fontSize: 'var(--size-large)' },
  '.cm-textfield': {
    color: 'var(--text)',
    backgroundColor: 'var(--background)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
  },
  '.cm-button': {
    color: 'var(--text)',
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--accent-soft)',
  },
});
