import { stat } from 'node:fs/promises';
import { type Ambient, type Environment, systemCode } from '@fucina/shared';
import { terminalsError } from './errors.ts';
import type { Viewer } from './flow.ts';
import type { PtyModule } from './shell.ts';
import { chooseShell, isProgram, type ShellChoice } from './shell-choice.ts';
import { type Attachment, createTerminal, type Terminal } from './terminal.ts';

/** A session and the folder its terminals open in. */
export interface TerminalPlace {
  sessionId: string;
  /** Absolute. */
  folder: string;
}

export interface TerminalRecord extends TerminalPlace {
  terminalId: string;
  createdAt: number;
  origin: 'first-tab' | 'opened';
  /** Whether a shell is running in it. */
  isActive: boolean;
}

/** The terminals of every session, for the lifetime of this process. */
export interface Terminals {
  /** Oldest first. TERMINAL_STORE_UNAVAILABLE when terminals are not supported. */
  list(sessionId: string): Promise<TerminalRecord[]>;
  /**
   * The first one's id is the session's. TERMINAL_LIMIT_REACHED above eight, TERMINAL_STORE_UNAVAILABLE. The shell
   * starts with the first viewer.
   */
  open(place: TerminalPlace): Promise<TerminalRecord>;
  /**
   * Ends its shell and all child processes. NOT_FOUND, also for one of another session; TERMINAL_STORE_UNAVAILABLE.
   */
  close(sessionId: string, terminalId: string): Promise<void>;
  has(terminalId: string): boolean;
  /** NOT_FOUND, TERMINAL_STORE_UNAVAILABLE. */
  attach(terminalId: string, viewer: Viewer): Promise<Attachment>;
  /** Closes the terminals of a deleted session. */
  forget(sessionId: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TerminalsNeeds {
  ambient: Ambient;
  /** The server's environment, of which shells get the safe part. */
  environment: Environment;
  /** Variables that the shells of a folder get; default: none. */
  folderEnvironment?(folder: string): Promise<Environment>;
  /** How the native part is loaded; default: on demand. */
  loadPty?(): Promise<PtyModule>;
}

const PER_SESSION = 8;

interface Tab {
  record: Omit<TerminalRecord, 'isActive'>;
  terminal: Terminal;
}

export function createTerminals(needs: TerminalsNeeds): Terminals {
  const { ambient, environment } = needs;
  const tabs = new Map<string, Tab>();
  const load = needs.loadPty ?? (async () => (await import('node-pty')).default);
  const loadPty = async (): Promise<PtyModule> => {
    try {
      return await load();
    } catch (cause) {
      ambient.log.warn('terminals.not-loaded', { error: cause });
      throw terminalsError('TERMINAL_STORE_UNAVAILABLE', { cause });
    }
  };
  const ofSession = (sessionId: string): Tab[] =>
    [...tabs.values()].filter((tab) => tab.record.sessionId === sessionId);
  const closeAll = async (closing: readonly Tab[], reason: 'closed' | 'shutdown'): Promise<void> => {
    for (const { record } of closing) tabs.delete(record.terminalId);
    await Promise.all(closing.map(({ terminal }) => terminal.close(reason)));
  };

  return {
    async list(sessionId) {
      await loadPty();
      return ofSession(sessionId).map(recordOf);
    },
    async open({ sessionId, folder }) {
      await loadPty();
      const own = await needs.folderEnvironment?.(folder);
      const siblings = ofSession(sessionId);
      if (siblings.length >= PER_SESSION) throw terminalsError('TERMINAL_LIMIT_REACHED');
      const isFirst = !tabs.has(sessionId);
      const terminalId = isFirst ? sessionId : ambient.newId();
      const tab: Tab = {
        record: { terminalId, sessionId, folder, createdAt: ambient.now(), origin: isFirst ? 'first-tab' : 'opened' },
        terminal: createTerminal({
          ambient,
          folder,
          environment: { ...environment, ...own },
          loadPty,
          chooseShell: shellFor(environment),
        }),
      };
      tabs.set(terminalId, tab);
      return recordOf(tab);
    },
    async close(sessionId, terminalId) {
      await loadPty();
      const tab = tabs.get(terminalId);
      if (tab?.record.sessionId !== sessionId) throw terminalsError('NOT_FOUND');
      await closeAll([tab], 'closed');
    },
    has: (terminalId) => tabs.has(terminalId),
    async attach(terminalId, viewer) {
      const tab = tabs.get(terminalId);
      if (!tab) throw terminalsError('NOT_FOUND');
      return tab.terminal.attach(viewer);
    },
    forget: (sessionId) => closeAll(ofSession(sessionId), 'closed'),
    [Symbol.asyncDispose]: () => closeAll([...tabs.values()], 'shutdown'),
  };
}

function recordOf({ record, terminal }: Tab): TerminalRecord {
  return { ...record, isActive: terminal.isActive() };
}

function shellFor(environment: Environment): (folder: string) => Promise<ShellChoice | undefined> {
  return async (folder) => {
    if (!(await isFolder(folder))) return undefined;
    return chooseShell({ platform: process.platform, environment, isProgram });
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
    throw error;
  }
}
