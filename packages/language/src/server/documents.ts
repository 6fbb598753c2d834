import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Ambient } from '@fucina/shared';
import {
  CancellationTokenSource,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ResponseError,
} from 'vscode-languageserver-protocol/node';
import { type Diagnostic, readDiagnostics } from '../diagnostic.ts';
import type { ServerProcess } from './server-process.ts';
import { isTsserver, tsserverDiagnostics } from './tsserver-diagnostics.ts';

/** The files that a server has open, with the text that it knows. */
export interface Documents {
  /** Resolves when the server knows this text. The oldest file is closed beyond a limit. */
  open(document: Document): Promise<void>;
  /** Of a text, which is opened. Rejects when the signal aborts first or the server fails. */
  diagnostics(document: Document, signal: AbortSignal): Promise<Diagnostic[]>;
  close(path: string): Promise<void>;
  /** Gives the server the current text of each open file; a file without one is closed. */
  refresh(read: (path: string) => Promise<string | undefined>): Promise<void>;
  uriOf(path: string): string;
}

export interface Document {
  /** Relative to the project. */
  path: string;
  languageId: string;
  text: string;
  /** What the server last sent about this text is enough, even if other files have changed since. */
  acceptsKnown?: boolean;
}

interface Open {
  languageId: string;
  version: number;
  text: string;
  /** The last diagnostics that the server sent by itself for this version. */
  published?: PublishDiagnosticsParams | undefined;
  onPublished?: (() => void) | undefined;
}

const MAX_OPEN = 40;
/** A server without versions may send twice: syntax first, then types. */
const SETTLE_MS = 60;
/** In which a server sends new diagnostics of a file after another one changed. */
const RENEWED_MS = 150;
const MAX_RETRIES = 3;
/** Codes of the protocol: the text changed, or the server dropped the request. */
const RETRIED: ReadonlySet<number> = new Set([-32801, -32802]);

export function createDocuments(
  ambient: Ambient,
  folder: string,
  { connection, capabilities }: Pick<ServerProcess, 'connection' | 'capabilities'>,
): Documents {
  const opened = new Map<string, Open>();
  const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;
  const byUri = new Map<string, Open>();

  connection.onNotification(PublishDiagnosticsNotification.type, (sent) => {
    const file = byUri.get(normalUri(sent.uri));
    if (!file || (sent.version !== undefined && sent.version !== file.version)) return;
    file.published = sent;
    file.onPublished?.();
  });

  const close = async (path: string): Promise<void> => {
    if (!opened.delete(path)) return;
    byUri.delete(normalUri(uriOf(path)));
    await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(path) } });
  };

  const compiler = isTsserver(capabilities);
  const pulls = compiler || capabilities.diagnosticProvider !== undefined;

  const open = async ({ path, languageId, text }: Document): Promise<void> => {
    const uri = uriOf(path);
    const before = opened.get(path);
    if (!before) {
      const file: Open = { languageId, version: 1, text };
      opened.set(path, file);
      byUri.set(normalUri(uri), file);
      const textDocument = { uri, languageId, version: 1, text };
      await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
      const [oldest] = opened.keys();
      if (opened.size > MAX_OPEN && oldest !== undefined) await close(oldest);
      return;
    }
    // Last in order: it was used last.
    opened.delete(path);
    opened.set(path, before);
    if (before.text === text) return;
    before.version++;
    before.text = text;
    before.published = undefined;
    await connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: before.version },
      contentChanges: [{ text }],
    });
  };

  const pull = async (uri: string, signal: AbortSignal, tries = 0): Promise<Diagnostic[]> => {
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const report = await connection.sendRequest(
        DocumentDiagnosticRequest.type,
        { textDocument: { uri } },
        source.token,
      );
      return report.kind === 'full' ? readDiagnostics(report.items) : [];
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= MAX_RETRIES || !(error instanceof ResponseError) || !RETRIED.has(error.code)) throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    return pull(uri, signal, tries + 1);
  };

  return {
    open,
    close,
    uriOf,
    async refresh(read) {
      // A copy: opening a file moves it to the end.
      const files = Array.from(opened);
      for (const [path, { languageId }] of files) {
        const text = await read(path);
        await (text === undefined ? close(path) : open({ path, languageId, text }));
      }
    },
    async diagnostics(document, signal) {
      signal.throwIfAborted();
      await open(document);
      if (compiler) return orAborted(tsserverDiagnostics({ connection }, folder, document.path), signal);
      if (pulls) return pull(uriOf(document.path), signal);
      const file = opened.get(document.path);
      if (!file) return [];
      if (!file.published) await published(file, signal);
      else if (!document.acceptsKnown) await ambient.sleep(RENEWED_MS, signal);
      if (file.published?.version === undefined) await ambient.sleep(SETTLE_MS, signal);
      return readDiagnostics(file.published?.diagnostics ?? []);
    },
  };
}

function published(file: Open, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    file.onPublished = () => {
      file.onPublished = undefined;
      signal.removeEventListener('abort', abort);
      resolve();
    };
  });
}

/** The compiler cannot drop a request: nobody waits for its answer then. */
async function orAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Servers write the same address with other escapes: `%3A` for a colon, `%40` for an at sign. */
function normalUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // Not escaped as a whole: compared as it is.
    return uri;
  }
}
