import type { WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import type { AskedFile } from './asked-file.ts';
import type { Position } from './position.ts';

/** A change that the server offers. */
export interface CodeAction {
  title: string;
  edit?: WorkspaceEdit;
  data?: unknown;
}

interface Received extends CodeAction {
  disabled?: unknown;
  command?: unknown;
}

interface Problem {
  range: { start: Position; end: Position };
}

const ANSWER_MS = 5_000;

/** Those for a line (from 1) that are edits of files; ones that only run a command in the editor are left out. */
export async function codeActionsAt(file: AskedFile, line: number): Promise<CodeAction[]> {
  const { server, uri, text } = file;
  const { connection, capabilities } = server;
  const textDocument = { uri };
  const width = text.split('\n')[line - 1]?.replace(/\r$/, '').length ?? 0;
  const range = { start: { line: line - 1, character: 0 }, end: { line: line - 1, character: width } };
  const diagnostics = (await problemsOf(file)).filter(
    (one) => one.range.start.line <= line - 1 && one.range.end.line >= line - 1,
  );
  const context = { diagnostics, triggerKind: 1 };
  const received = (await connection.sendRequest('textDocument/codeAction', { textDocument, range, context })) as
    | readonly Received[]
    | null;
  const canResolve = isResolving(capabilities.codeActionProvider);
  return (received ?? []).filter(
    ({ disabled, edit, command }) =>
      disabled === undefined && (edit !== undefined || (canResolve && command === undefined)),
  );
}

/** As the protocol has them: servers find their fixes by range and code. */
async function problemsOf({ server, path, languageId, text, uri }: AskedFile): Promise<readonly Problem[]> {
  if (server.capabilities.diagnosticProvider) {
    const asked = { textDocument: { uri } };
    const report = (await server.connection.sendRequest('textDocument/diagnostic', asked)) as { items?: Problem[] };
    return report.items ?? [];
  }
  const document = { path, languageId, text, acceptsKnown: true };
  const found = await server.documents.diagnostics(document, AbortSignal.timeout(ANSWER_MS));
  return found.map(({ line, column, endLine, endColumn, code, message }) => ({
    range: {
      start: { line: line - 1, character: column - 1 },
      end: { line: endLine - 1, character: endColumn - 1 },
    },
    severity: 1,
    code: /^TS\d+$/.test(code ?? '') ? Number(code?.slice(2)) : code,
    message,
  }));
}

/** Its edit, asked for if the list did not have it; undefined if there is none. */
export async function editOf({ server }: AskedFile, action: CodeAction): Promise<WorkspaceEdit | undefined> {
  if (action.edit || !isResolving(server.capabilities.codeActionProvider)) return action.edit;
  return ((await server.connection.sendRequest('codeAction/resolve', action)) as CodeAction).edit;
}

const isResolving = (provider: unknown): boolean =>
  typeof provider === 'object' &&
  provider !== null &&
  (provider as { resolveProvider?: boolean }).resolveProvider === true;
