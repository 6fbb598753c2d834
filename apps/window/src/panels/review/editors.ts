export const EDITORS = ['vscode', 'cursor', 'zed'] as const;
export type Editor = (typeof EDITORS)[number];

export const EDITOR_NAMES: Record<Editor, string> = { vscode: 'VS Code', cursor: 'Cursor', zed: 'Zed' };

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
