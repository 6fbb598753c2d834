import type { FileChange, Tool, ToolContext, ToolResult } from '@fucina/shared';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import * as z from 'zod';
import { textOf } from '../text-of.ts';
import { type AskedFile, type CodeToolNeeds, failure, openFile, placeOf } from './asked-file.ts';
import { codeActionsAt, editOf } from './code-actions.ts';
import { replacedBy, withEdits } from './position.ts';
import { editsOf, type FileEdits } from './workspace-edit.ts';

const input = z.strictObject({
  azione: z.enum(['rinomina', 'correzione']),
  percorso: z.string().min(1).max(4096),
  simbolo: z.string().min(1).max(200).optional(),
  riga: z.int().min(1).optional(),
  nuovo: z.string().min(1).max(200).optional().describe('new name'),
  titolo: z.string().min(1).max(500).optional().describe('of the fix'),
});
type Input = z.infer<typeof input>;

/** Changes text files under the rules of edits; the reason for the model if one of them may not be changed. */
export type ChangeFiles = (
  files: readonly { path: string; change(text: string): string }[],
  approval: { path: string },
  context: ToolContext,
) => Promise<readonly FileChange[] | ToolResult>;

export interface ChangeToolNeeds extends CodeToolNeeds {
  changeFiles: ChangeFiles;
}

const MAX_FILES = 200;
const MAX_NAMED = 20;

export function createChangeTool(needs: ChangeToolNeeds): Tool<Input> {
  return {
    name: 'code_change',
    description:
      'Let the language server change code: rinomina renames simbolo (in percorso, where it first occurs or on riga) to ' +
      'nuovo in every file of the project; correzione applies the fix with that titolo on riga, see code_navigate.',
    category: 'base',
    effect: 'write',
    gate: 'file_edit',
    input,
    action: ({ azione, percorso, simbolo, riga, nuovo, titolo }) => ({
      tipo: 'code_change',
      percorso,
      azione,
      ...(simbolo !== undefined && { simbolo }),
      ...(riga !== undefined && { riga }),
      ...(nuovo !== undefined && { nuovo }),
      ...(titolo !== undefined && { titolo }),
    }),
    run: (wanted, context) =>
      needs.inOrder(context.folder, async () => {
        const file = await openFile(needs.servers, context.folder, wanted.percorso);
        if ('content' in file) return file;
        await needs.tellRecentFiles(file.server, context.folder, context.signal);
        const edit = wanted.azione === 'rinomina' ? await renaming(file, wanted) : await fixing(file, wanted);
        return 'content' in edit ? edit : apply(needs, { file, ...edit, context });
      }),
  };
}

/** `symbol`: each edit replaces this name. */
type Edit = { edit: WorkspaceEdit; symbol?: string } | ToolResult;

async function renaming(file: AskedFile, { simbolo, riga, nuovo }: Input): Promise<Edit> {
  if (simbolo === undefined || nuovo === undefined) return failure('rinomina needs simbolo and nuovo.');
  const position = placeOf(file, simbolo, riga);
  if ('content' in position) return position;
  const asked = { textDocument: { uri: file.uri }, position, newName: nuovo };
  try {
    const edit = (await file.server.connection.sendRequest('textDocument/rename', asked)) as WorkspaceEdit | null;
    return edit ? { edit, symbol: simbolo } : failure(`${simbolo} cannot be renamed here.`);
  } catch (error) {
    return failure(`${simbolo} cannot be renamed: ${error instanceof Error ? error.message : 'the server refused'}.`);
  }
}

async function fixing(file: AskedFile, { riga, titolo }: Input): Promise<Edit> {
  if (riga === undefined || titolo === undefined) return failure('correzione needs riga and titolo.');
  const actions = await codeActionsAt(file, riga);
  const action = actions.find(({ title }) => title === titolo);
  if (!action) {
    const titles = actions.slice(0, MAX_NAMED).map(({ title }) => `\n- ${title}`);
    return failure(`There is no such fix for line ${riga} of ${file.path}. Offered: ${titles.join('') || 'none'}`);
  }
  const edit = await editOf(file, action);
  return edit ? { edit } : failure('This fix cannot be applied here.');
}

async function apply(
  { changeFiles }: ChangeToolNeeds,
  { file, edit, symbol, context }: { file: AskedFile; edit: WorkspaceEdit; symbol?: string; context: ToolContext },
): Promise<ToolResult> {
  const files = editsOf(context.folder, edit);
  if (!files)
    return failure('It would change files outside the session folder, or create or move files. Nothing was changed.');
  if (files.length > MAX_FILES) return failure(`It would change ${files.length} files; the limit is ${MAX_FILES}.`);
  if (symbol !== undefined && !(await isCurrent(context.folder, files, symbol)))
    return failure('Files have changed meanwhile; try again. Nothing was changed.');
  const requested = files.map(({ path, edits }) => ({ path, change: (text: string) => withEdits(text, edits) }));
  const changes = await changeFiles(requested, { path: file.path }, context);
  if ('content' in changes) return changes;
  const names = changes.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = changes.length > MAX_NAMED ? ` and ${changes.length - MAX_NAMED} more` : '';
  const content = changes.length === 0 ? 'Nothing to change.' : `Changed ${names.join(', ')}${more}.`;
  return { content, changes };
}

/** The server reads files that are not open from the disk, a moment after they changed. */
async function isCurrent(folder: string, files: readonly FileEdits[], symbol: string): Promise<boolean> {
  for (const { path, edits } of files) {
    const replaced = replacedBy((await textOf(folder, path)) ?? '', edits);
    if (!replaced.every((part) => part === '' || part.includes(symbol))) return false;
  }
  return true;
}
