import { isAbsolute } from 'node:path';
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { Host } from '@fucina/host';
import { type Ambient, isAppError, type SessionEvent } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import { readyLocalModel } from '../local-model.ts';
import { answerAgents } from '../one-shot/agent-cards.ts';
import { createAnswerer } from '../one-shot/cards.ts';
import { startsAgent, turnEvents } from '../one-shot/follow-turn.ts';
import { createTurnRecord, recordEvent } from '../one-shot/turn-record.ts';
import { type Outcome, outcomeOf } from '../one-shot/turn-result.ts';
import type { Say } from '../words/index.ts';
import { createEditorAsker } from './asker.ts';
import { type ModeSettings, modeId, modeSettings, modeState } from './modes.ts';
import { readPrompt } from './prompt.ts';
import { createUpdates, replayOf } from './updates.ts';

export interface EditorAgentNeeds {
  host: Host;
  say: Say;
  ambient: Ambient;
  /** Of new sessions; the server's own default else. */
  model: string | undefined;
  mode: ModeSettings;
}

/** Named before its first message, as editors do; a session of ours begins with one. */
interface Waiting {
  folder: string;
  settings: ModeSettings;
}

const ABOUT: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'fucina', title: 'Fucina', version: VERSION },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
  },
};

/** Fucina as an agent of the Agent Client Protocol: sessions, modes, cards, changes as they happen. */
export function createEditorAgent(needs: EditorAgentNeeds): AgentApp {
  const { host, say } = needs;
  const { sessions, removeSession } = host.services;
  const waiting = new Map<string, Waiting>();
  let capabilities: ClientCapabilities | undefined;
  const { session } = methods.agent;

  return agent({ name: 'fucina' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities;
      return ABOUT;
    })
    .onRequest(session.new, ({ params: { cwd } }) => {
      if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, 'cwd must be absolute');
      const sessionId = needs.ambient.newId();
      waiting.set(sessionId, { folder: cwd, settings: needs.mode });
      return { sessionId, modes: modeState(modeId(needs.mode), say) };
    })
    .onRequest(session.load, ({ params, client }) =>
      known(params.sessionId, async () => {
        const { record, events } = await sessions.export(params.sessionId);
        for (const update of replayOf(events as SessionEvent[], record.header.folder, say)) {
          await client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
        }
        return { modes: modeState(modeId(record.settings), say) };
      }),
    )
    .onRequest(session.resume, ({ params }) =>
      known(params.sessionId, async () => ({
        modes: modeState(modeId((await sessions.read(params.sessionId)).settings), say),
      })),
    )
    .onRequest(session.list, async ({ params: { cwd } }) => {
      const rows = (await sessions.list()).filter(
        ({ header }) => header.parentId === null && header.workflowStep === null,
      );
      const wanted = cwd ? rows.filter(({ header }) => header.folder === cwd) : rows;
      return {
        sessions: wanted.map(({ header, name, lastReplyAt }) => ({
          sessionId: header.sessionId,
          cwd: header.folder,
          title: name,
          updatedAt: new Date(lastReplyAt ?? header.startedAt).toISOString(),
        })),
      };
    })
    .onRequest(session.delete, ({ params: { sessionId } }) =>
      known(sessionId, async () => {
        if (!waiting.delete(sessionId)) await removeSession(sessionId);
        return {};
      }),
    )
    .onRequest(session.close, ({ params: { sessionId } }) =>
      known(sessionId, async () => {
        if (!waiting.delete(sessionId)) await sessions.turns.stop(sessionId);
        return {};
      }),
    )
    .onRequest(session.setMode, ({ params: { sessionId, modeId: id } }) =>
      known(sessionId, async () => {
        const settings = modeSettings(id);
        if (!settings) throw RequestError.invalidParams({ modeId: id }, 'no such mode');
        const unborn = waiting.get(sessionId);
        if (unborn) unborn.settings = settings;
        else await sessions.changeSettings(sessionId, settings);
        return {};
      }),
    )
    .onNotification(session.cancel, ({ params: { sessionId } }) =>
      known(sessionId, () => sessions.turns.stop(sessionId)),
    )
    .onRequest(session.prompt, ({ params, client, signal }) =>
      known(params.sessionId, async () => {
        const words = await readPrompt(params.prompt, host.services);
        const after = await begin(params.sessionId, words, { needs, waiting });
        return follow(params.sessionId, after, { needs, client, capabilities, signal });
      }),
    );
}

/** What the document of errors knows comes to the editor by its code. */
async function known<Result>(sessionId: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === 'NOT_FOUND') throw RequestError.resourceNotFound(sessionId);
    throw RequestError.internalError({ code: error.code, reason: error.reason }, error.code);
  }
}

/** Where the turn begins among the session's events. */
async function begin(
  sessionId: string,
  words: Awaited<ReturnType<typeof readPrompt>>,
  { needs: { host, model }, waiting }: { needs: EditorAgentNeeds; waiting: Map<string, Waiting> },
): Promise<number> {
  const { sessions, startSession } = host.services;
  const unborn = waiting.get(sessionId);
  if (unborn) {
    await readyLocalModel(model, host.services);
    await startSession({ sessionId, folder: unborn.folder, model, ...unborn.settings, ...words });
    waiting.delete(sessionId);
    return 0;
  }
  const { lastSeq, settings } = await sessions.read(sessionId);
  await readyLocalModel(settings.model, host.services);
  await sessions.turns.resume(sessionId, words);
  return lastSeq;
}

interface Following {
  needs: EditorAgentNeeds;
  client: AgentContext;
  capabilities: ClientCapabilities | undefined;
  /** Aborts when the editor takes the request back, or leaves. */
  signal: AbortSignal;
}

const STOP_REASONS: Readonly<Record<Exclude<Outcome, 'error'>, PromptResponse['stopReason']>> = {
  finished: 'end_turn',
  'steps-used-up': 'max_turn_requests',
  stopped: 'cancelled',
  interrupted: 'cancelled',
};

async function follow(sessionId: string, after: number, following: Following): Promise<PromptResponse> {
  const { needs, client, capabilities, signal } = following;
  const { services } = needs.host;
  const folder = await services.sessions.folderOf(sessionId);
  const updates = createUpdates(folder, needs.say);
  const asker = createEditorAsker({ client, sessionId, say: needs.say, capabilities, callOf: updates.callOf });
  const answering = { services, asker, sessionId };
  const answer = createAnswerer(answering);
  const stop = (): void => void services.sessions.turns.stop(sessionId);
  signal.addEventListener('abort', stop, { once: true });
  const record = createTurnRecord();
  let stopAnswering: (() => void) | undefined;
  try {
    for await (const { event } of turnEvents(services, sessionId, after)) {
      recordEvent(record, event);
      for (const update of updates.of(event)) {
        await client.notify(methods.client.session.update, { sessionId, update });
      }
      answer(event);
      if (startsAgent(event)) stopAnswering ??= answerAgents({ ...answering, ambient: needs.ambient });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stopAnswering?.();
  }
  await services.sessions.turns.settled(sessionId);
  const outcome = outcomeOf(record);
  if (outcome !== 'error') return { stopReason: STOP_REASONS[outcome] };
  const { code, message } = record.ending?.isError ? record.ending : { code: 'error', message: '' };
  throw RequestError.internalError({ code }, message || code);
}
