import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '@fucina/shared';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import type { TextEdit } from './position.ts';

/** Text edits of one file. */
export interface FileEdits {
  /** Relative to the project. */
  path: string;
  edits: readonly TextEdit[];
}

/** The path of a file address in the project; undefined for one outside, or no file. */
export function pathInProject(folder: string, uri: string): string | undefined {
  const path = absolutePath(uri);
  return path !== undefined && isWithin(folder, path) ? relative(folder, path).split(sep).join('/') : undefined;
}

export function absolutePath(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    // Not a path of this system.
    return undefined;
  }
}

/** Undefined when it touches something outside the project, or creates, renames or deletes files. */
export function editsOf(folder: string, edit: WorkspaceEdit): FileEdits[] | undefined {
  const byPath = new Map<string, TextEdit[]>();
  const add = (uri: string, edits: readonly unknown[]): boolean => {
    const path = pathInProject(folder, uri);
    if (path === undefined || edits.some((one) => !isPlain(one))) return false;
    byPath.set(path, [...(byPath.get(path) ?? []), ...(edits as TextEdit[])]);
    return true;
  };
  const changes = Object.entries(edit.changes ?? {});
  const isUsable =
    (edit.documentChanges ?? []).every((one) => 'edits' in one && add(one.textDocument.uri, one.edits)) &&
    (edit.documentChanges !== undefined || changes.every(([uri, edits]) => add(uri, edits)));
  return isUsable ? [...byPath].map(([path, edits]) => ({ path, edits })) : undefined;
}

const isPlain = (edit: unknown): boolean => typeof (edit as { newText?: unknown }).newText === 'string';
