import { join } from 'node:path';
import { ExecuteCommandRequest } from 'vscode-languageserver-protocol/node';
import { type Diagnostic, readDiagnostics } from '../diagnostic.ts';
import type { ServerProcess } from './server-process.ts';

/** A command of typescript-language-server: a request to the compiler behind it. */
const COMMAND = 'typescript.tsserverRequest';
const REQUESTS = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'];
const SEVERITIES: Readonly<Record<string, number>> = { error: 1, warning: 2, suggestion: 4, message: 3 };

interface Answer {
  body?: readonly {
    start: { line: number; offset: number };
    end: { line: number; offset: number };
    text: string;
    code?: number;
    category?: string;
  }[];
}

/** Whether a server answers `tsserverDiagnostics`. */
export const isTsserver = ({ executeCommandProvider }: ServerProcess['capabilities']): boolean =>
  executeCommandProvider?.commands.includes(COMMAND) ?? false;

/**
 * What the server sends by itself mixes new errors of syntax with old ones of types, so the compiler is asked. The file
 * must be open.
 */
export async function tsserverDiagnostics(
  { connection }: Pick<ServerProcess, 'connection'>,
  folder: string,
  path: string,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const request of REQUESTS) {
    const answer = (await connection.sendRequest(ExecuteCommandRequest.type, {
      command: COMMAND,
      arguments: [request, { file: join(folder, path) }],
    })) as Answer | null;
    const received = (answer?.body ?? []).map(({ start, end, text, code, category = 'error' }) => ({
      range: {
        start: { line: start.line - 1, character: start.offset - 1 },
        end: { line: end.line - 1, character: end.offset - 1 },
      },
      severity: SEVERITIES[category] ?? 1,
      ...(code !== undefined && { code }),
      source: 'typescript',
      message: text,
    }));
    found.push(...readDiagnostics(received));
  }
  return found;
}
