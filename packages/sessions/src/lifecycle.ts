import type { Ambient } from '@fucina/shared';
import { sessionsError } from './errors.ts';
import { readImport } from './importing/imported-events.ts';
import type { Parts, SessionsNeeds } from './parts.ts';
import { changeSettings, type SettingsPatch } from './settings.ts';
import type { MessageRequest, SessionHeader, SessionSettings } from './state/session.ts';
import type { SessionRecord } from './store/store.ts';
import type { TurnStart } from './turn/turns.ts';

export interface NewSession {
  folder: Pick<SessionHeader, 'folder' | 'taskId' | 'project' | 'isProjectFolder'>;
  /** The first message; or a custom command, beside which no turn starts before the user sends a message. */
  input: MessageRequest | { command: string };
  testCommand: string | null;
  client: 'desktop' | 'mobile';
  settings: SessionSettings;
  /** Default: cloud models. */
  runtime?: SessionHeader['runtime'] | undefined;
  /** An unused id, if a client had to name the session before its first message; default: a new one. */
  sessionId?: string | undefined;
  /** Maximum model calls of the first turn, below the general limit. */
  maxModelCalls?: number | undefined;
}

export interface ImportOrder extends Omit<NewSession, 'input' | 'sessionId' | 'maxModelCalls'> {
  /** The parsed JSON of an export. */
  document: unknown;
}

export interface ResearchOrder {
  /** The session that started it: gives its folder and models. */
  parentId: string;
  message: string;
  name: string;
  /** Completes before the first turn starts. */
  prepare(session: { id: string; folder: string }): Promise<void>;
}

/** The life of a session: creation, name, settings, deletion. */
export interface Lifecycle {
  create(session: NewSession): Promise<{ sessionId: string }>;
  /**
   * A concluded session with what was said in an exported one (`readImport`): it continues with the user's next message.
   * Nothing of it can be undone. QUERY_INVALID for what is no export.
   */
  importSession(order: ImportOrder): Promise<{ sessionId: string }>;
  /** A session of the level Research, which no client can choose. NOT_FOUND for an unknown parent. */
  startResearch(order: ResearchOrder): Promise<{ sessionId: string }>;
  /** Returns the tools that stay at `deny`. Mode changes only between turns (SESSION_NOT_READY). */
  changeSettings(sessionId: string, patch: SettingsPatch): Promise<string[]>;
  /** 1 to 80 characters after trim, else QUERY_INVALID. */
  rename(sessionId: string, name: string): Promise<void>;
  /**
   * Gives a session without a name the one that `suggest` makes of its first message, unless it gets another meanwhile.
   * Concurrent calls share one suggestion; its rejection is theirs.
   */
  suggestName(
    sessionId: string,
    suggest: (message: string) => Promise<string>,
  ): Promise<{ name: string; isNew: boolean }>;
  /** With its sub-agents' sessions. SESSION_STILL_RUNNING while a turn of one runs; also the refusals of host. */
  remove(sessionId: string): Promise<void>;
}

const NAME_LIMIT = 80;

/** One line without quotes around it or a full stop, within the limit; '' if nothing is left. */
function cleanName(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const plain = line.replace(/^[\s"'“«*#`]+|[\s"'”».*`]+$/gu, '').replaceAll(/\s+/g, ' ');
  return [...plain].slice(0, NAME_LIMIT).join('').trim();
}

export function createLifecycle(needs: SessionsNeeds, parts: Parts): Lifecycle {
  const { ambient } = needs;
  const { store, registry, turns, images } = parts;
  const beginFirst = (record: SessionRecord, start: TurnStart): { sessionId: string } => {
    try {
      turns.begin(record, start);
      return { sessionId: record.header.sessionId };
    } catch (error) {
      // Its id was never returned: it must not stay without its first turn.
      store.remove(record);
      throw error;
    }
  };

  const suggesting = new Map<string, Promise<{ name: string; isNew: boolean }>>();
  const nameAfter = async (
    sessionId: string,
    suggest: (message: string) => Promise<string>,
  ): Promise<{ name: string; isNew: boolean }> => {
    const record = registry.writable(sessionId);
    if (record.name !== null) return { name: record.name, isNew: false };
    const name = cleanName(await suggest(record.header.assignment));
    const current = registry.writable(sessionId);
    if (current.name !== null || name === '') return { name: current.name ?? '', isNew: false };
    store.rename(current, name);
    return { name, isNew: true };
  };

  const startWithCommand = async (session: NewSession, command: string): Promise<{ sessionId: string }> => {
    const record = store.create(headerOf(ambient, session), session.settings, { lease: needs.lease });
    const { sessionId } = record.header;
    try {
      await parts.commands.run(sessionId, command);
      return { sessionId };
    } catch (error) {
      // As without a first turn.
      store.remove(record);
      throw error;
    }
  };

  return {
    async create(session) {
      turns.assertOpen();
      checkSettings(needs, session.settings);
      if ('command' in session.input) return startWithCommand(session, session.input.command);
      const composed = await images.compose(session.input);
      const { folder } = session.folder;
      const slash = await parts.slash.resolve(folder, composed.message);
      const header = headerOf(ambient, session);
      const [input, branch] = await Promise.all([
        slash ? composed : turns.withMentions(header, composed),
        needs.branchOf(folder),
      ]);
      const record = store.create(header, session.settings, { lease: needs.lease });
      return beginFirst(record, { input, branch, slash, maxModelCalls: session.maxModelCalls });
    },

    async importSession({ document, ...session }) {
      turns.assertOpen();
      checkSettings(needs, session.settings);
      const { name, assignment, events } = readImport(document, ambient.newId);
      const header = headerOf(ambient, { ...session, input: { message: assignment } });
      const record = store.create(header, session.settings, { lease: needs.lease });
      try {
        store.append(record, events);
        if (name !== null) store.rename(record, name);
      } catch (error) {
        store.remove(record);
        throw error;
      }
      return { sessionId: header.sessionId };
    },

    async startResearch({ parentId, message, name, prepare }) {
      turns.assertOpen();
      const parent = registry.get(parentId);
      const { folder, delegationDepth } = parent.header;
      const header: SessionHeader = {
        ...parent.header,
        sessionId: ambient.newId(),
        assignment: message,
        startedAt: ambient.now(),
        forkOf: null,
        branchTurn: null,
        parentId,
        delegationDepth: delegationDepth + 1,
        delegationStart: 'alone',
        delegatedTask: name,
        workflowStep: null,
      };
      const branch = await needs.branchOf(folder);
      await prepare({ id: header.sessionId, folder });
      const settings = { ...parent.settings, permissions: 'Research', toolPermissions: null, mode: 'normal' } as const;
      const record = store.create(header, settings, { lease: needs.lease, parent });
      store.rename(record, name);
      return beginFirst(record, { input: { message }, branch });
    },

    async changeSettings(sessionId, patch) {
      const record = registry.writable(sessionId);
      checkSettings(needs, patch);
      if (patch.mode && patch.mode !== record.settings.mode && record.state === 'running') {
        throw sessionsError('SESSION_NOT_READY', { reason: 'mode-changes-between-turns' });
      }
      const { settings, notMerged } = changeSettings(record.settings, patch);
      store.writeSettings(record, settings);
      return notMerged;
    },

    async rename(sessionId, name) {
      const record = registry.writable(sessionId);
      const trimmed = name.trim();
      if (!trimmed || [...trimmed].length > NAME_LIMIT) throw sessionsError('QUERY_INVALID', { reason: 'name-length' });
      store.rename(record, trimmed);
    },

    suggestName(sessionId, suggest) {
      const asked = suggesting.get(sessionId);
      if (asked) return asked;
      const naming = nameAfter(sessionId, suggest).finally(() => suggesting.delete(sessionId));
      suggesting.set(sessionId, naming);
      return naming;
    },

    async remove(sessionId) {
      const record = registry.writable(sessionId);
      if (record.state === 'running') throw sessionsError('SESSION_STILL_RUNNING');
      // Before the check of its sub-agents: the steps of a workflow run in progress are among them.
      needs.checkRemoval?.(record.header);
      const family = [record, ...registry.descendants(record)];
      if (family.some(({ state }) => state === 'running')) throw sessionsError('SESSION_STILL_RUNNING');
      parts.store.remove(record);
      for (const gone of family) forgetRecord(gone, needs, parts);
      if (needs.recovers) parts.historySweep.nudge();
    },
  };
}

/** Releases what this process holds of a deleted session, and stops its commands. */
function forgetRecord(record: SessionRecord, { commands, ambient }: SessionsNeeds, parts: Parts): void {
  const { sessionId } = record.header;
  parts.processes.stopAll(sessionId);
  parts.commands.forget(sessionId);
  parts.artifacts.forget(sessionId);
  parts.registry.forget(record);
  parts.views.forget(record.key);
  parts.journal.forget(record.key);
  commands.forget(sessionId).catch((error: unknown) => ambient.log.warn('outputs.not-deleted', { error }));
}

function checkSettings(needs: SessionsNeeds, settings: Partial<SessionSettings>): void {
  if (settings.model) needs.checkModelId(settings.model);
  if (settings.plannerModel) needs.checkModelId(settings.plannerModel);
  if (settings.fallbackProviders?.length) needs.checkFallback(settings.fallbackProviders);
}

function headerOf(
  ambient: Ambient,
  { folder, input, testCommand, client, runtime, sessionId }: NewSession,
): SessionHeader {
  return {
    sessionId: sessionId ?? ambient.newId(),
    ...folder,
    assignment: 'command' in input ? `!${input.command}` : input.message,
    testCommand,
    startedAt: ambient.now(),
    client,
    forkOf: null,
    branchTurn: null,
    parentId: null,
    delegationDepth: 0,
    delegationStart: null,
    delegatedTask: null,
    workflowStep: null,
    runtime: runtime ?? { provider: 'cloud', runtimeId: null, modelId: null, hasFallbackConsent: false },
  };
}
