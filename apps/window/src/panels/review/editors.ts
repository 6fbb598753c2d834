export const EDITORS = ['vscode', 'cursor', 'zed'] as const;
export type Editor = (typeof EDITORS)[number];

export const EDITOR_NAMES: Record<Editor, string> = { vscode: 'VS Code', cursor: 'Cursor', zed: 'Zed' };

/**
 * The shell line that opens a file of the session's folder in the user's terminal editor; undefined where a shell would
 * not read the name as it is: fish escapes with a backslash even between single quotes.
 */
export function terminalEditorLine(folder: string, path: string): string | undefined {
  if (/^[A-Za-z]:/.test(folder) || /[\p{Cc}\\]/u.test(path)) return undefined;
  const name = `./${path}`.replaceAll("'", String.raw`'\''`);
  return `sh -c 'exec \${VISUAL:-\${EDITOR:-vi}} "$1"' sh '${name}'\r`;
}

export const isEditor = (value: unknown): value is Editor => EDITORS.some((name) => name === value);

/** The address by which the editor opens a file at a line: these three have the same form. */
export function editorAddress(editor: Editor, folder: string, { path, line }: { path: string; line: number }): string {
  const whole = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/${path}`;
  const encoded = whole
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/^\/?([A-Za-z])%3A\//, '/$1:/');
  return `${editor}://file${encoded.startsWith('/') ? '' : '/'}${encoded}:${line}`;
}
