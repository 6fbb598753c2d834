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
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { readEvent } from '@fucina/conversation/reader';
import { VERSION } from '@fucina/shared/version';
import { answerAgents } from '../one-shot/agent-cards.ts';
import { createAnswerer } from '../one-shot/cards.ts';
import { turnEvents } from '../one-shot/follow-turn.ts';
import { turnRecord } from '../one-shot/turn-record.ts';
import { type Outcome, outcomeOf } from '../one-shot/turn-result.ts';
import type { Say } from '../words/index.ts';
import { createEditorAsker } from './asker.ts';
import { answered, busyError, turnError } from './errors.ts';
import { portsAnswer } from './ports-answer.ts';
import { readPrompt } from './prompt.ts';
import { createRetryCountdown } from './retry-countdown.ts';
import { createEditorSessions, type EditorAgentNeeds, type EditorSessions } from './sessions.ts';
import { createUpdates, replayOf } from './updates.ts';

function about(say: Say): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'fucina', title: 'Fucina', version: VERSION },
    authMethods: [{ id: 'provider-key', name: say('acp.auth'), description: say('acp.auth-about') }],
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: true, sse: true },
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
    },
  };
}

/** State shared by the handlers. */
interface Editing {
  needs: EditorAgentNeeds;
  open: EditorSessions;
  /** The editor's capabilities. */
  capabilities(): ClientCapabilities | undefined;
  /** Sessions whose turn is being followed. */
  busy: Set<string>;
  known<Result>(sessionId: string, act: () => Promise<Result>): Promise<Result>;
}

/** Fucina as an agent of the Agent Client Protocol: sessions, modes, approvals, live updates. */
export function createEditorAgent(needs: EditorAgentNeeds): AgentApp {
  let capabilities: ClientCapabilities | undefined;
  const editing: Editing = {
    needs,
    open: createEditorSessions(needs),
    capabilities: () => capabilities,
    busy: new Set(),
    known: (sessionId, act) => answered(needs.terminal, sessionId, act),
  };
  const app = agent({ name: 'fucina' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities;
      return about(needs.terminal.say);
    })
    // `fucina provider set-key` stores the key: nothing is exchanged here.
    .onRequest(methods.agent.authenticate, () => ({}));
  return turns(settings(opening(app, editing), editing), editing);
}

function opening(app: AgentApp, { needs, open, capabilities, known }: Editing): AgentApp {
  const { sessions } = needs.host.services;
  const { say } = needs.terminal;
  const { session } = methods.agent;
  return app
    .onRequest(session.new, ({ params: { cwd, mcpServers }, client }) => {
      if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, 'cwd must be absolute');
      const sessionId = needs.ambient.newId();
      return known(sessionId, async () => {
        const given = { sessionId, folder: cwd, servers: mcpServers, client, capabilities: capabilities() };
        await open.create(given);
        return { sessionId, ...(await open.state(sessionId, client)) };
      });
    })
    .onRequest(session.load, ({ params: { sessionId, mcpServers }, client }) =>
      known(sessionId, async () => {
        const { record, events } = await sessions.export(sessionId);
        const { folder } = record.header;
        await open.open({ sessionId, folder, servers: mcpServers, client, capabilities: capabilities() });
        for (const update of replayOf(events.map(readEvent), folder, say)) {
          await client.notify(methods.client.session.update, { sessionId, update });
        }
        return open.state(sessionId, client);
      }),
    )
    .onRequest(session.resume, ({ params: { sessionId, mcpServers = [] }, client }) =>
      known(sessionId, async () => {
        const folder = await sessions.folderOf(sessionId);
        await open.open({ sessionId, folder, servers: mcpServers, client, capabilities: capabilities() });
        return open.state(sessionId, client);
      }),
    );
}

function settings(app: AgentApp, { needs, open, known }: Editing): AgentApp {
  const { sessions, removeSession } = needs.host.services;
  const { session } = methods.agent;
  return app
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
        if (await open.close(sessionId)) await removeSession(sessionId);
        return {};
      }),
    )
    .onRequest(session.close, ({ params: { sessionId } }) =>
      known(sessionId, async () => {
        if (await open.close(sessionId)) await sessions.turns.stop(sessionId);
        return {};
      }),
    )
    .onRequest(session.setMode, ({ params: { sessionId, modeId } }) =>
      known(sessionId, async () => {
        await open.change(sessionId, 'mode', modeId);
        return {};
      }),
    )
    .onRequest(session.setConfigOption, ({ params, client }) =>
      known(params.sessionId, async () => {
        await open.change(params.sessionId, params.configId, params.value);
        return { configOptions: (await open.state(params.sessionId, client)).configOptions };
      }),
    );
}

function turns(app: AgentApp, editing: Editing): AgentApp {
  const { needs, open, busy, known } = editing;
  const { services } = needs.host;
  const { session } = methods.agent;
  return app
    .onNotification(session.cancel, ({ params: { sessionId } }) =>
      known(sessionId, () => services.sessions.turns.stop(sessionId)),
    )
    .onRequest(session.prompt, ({ params: { sessionId, prompt }, client, signal }) =>
      known(sessionId, async () => {
        if (busy.has(sessionId)) throw busyError(needs.terminal);
        busy.add(sessionId);
        try {
          const words = await readPrompt(prompt, services);
          const ports = await portsAnswer(words.message, { services, sessionId, say: needs.terminal.say });
          if (ports !== undefined) {
            const content = { type: 'text' as const, text: ports };
            const update = { sessionUpdate: 'agent_message_chunk' as const, content };
            await client.notify(methods.client.session.update, { sessionId, update });
            return { stopReason: 'end_turn' as const };
          }
          const after = await open.begin(sessionId, words);
          return await follow(sessionId, after, { editing, client, signal });
        } finally {
          busy.delete(sessionId);
        }
      }),
    );
}

interface Following {
  editing: Editing;
  client: AgentContext;
  /** Aborts when the editor cancels the request, or disconnects. */
  signal: AbortSignal;
}

const STOP_REASONS: Readonly<Record<Exclude<Outcome, 'error' | 'answer-empty'>, PromptResponse['stopReason']>> = {
  finished: 'end_turn',
  'steps-used-up': 'max_turn_requests',
  'answer-cut': 'max_tokens',
  'answer-refused': 'refusal',
  stopped: 'cancelled',
  interrupted: 'cancelled',
};

async function follow(sessionId: string, after: number, following: Following): Promise<PromptResponse> {
  const { client, signal } = following;
  const { needs, open, capabilities } = following.editing;
  const { services } = needs.host;
  const { say } = needs.terminal;
  const folder = await services.sessions.folderOf(sessionId);
  const updates = createUpdates(folder, say);
  const asker = createEditorAsker({
    client,
    sessionId,
    say,
    capabilities: capabilities(),
    callOf: updates.callOf,
  });
  const answering = { services, asker, sessionId };
  const answer = createAnswerer(answering);
  const stop = (): void => void services.sessions.turns.stop(sessionId);
  signal.addEventListener('abort', stop, { once: true });
  const tell = (update: SessionUpdate): Promise<void> =>
    client.notify(methods.client.session.update, { sessionId, update });
  const unfollow = open.follow(sessionId, {
    known: updates.known,
    showTerminal: (call, id) => void tell(updates.inTerminal(call, id)).catch(() => undefined), // the editor has disconnected
  });
  const retries = createRetryCountdown({ ambient: needs.ambient, say, tell });
  let stopAnswering: (() => void) | undefined;
  try {
    for await (const { event } of turnEvents(services, sessionId, after)) {
      for (const update of updates.of(event)) await tell(update);
      await retries.follow(event);
      const conversation = updates.conversation();
      answer(conversation);
      if (conversation.hasAgents) stopAnswering ??= answerAgents({ ...answering, ambient: needs.ambient });
    }
  } finally {
    signal.removeEventListener('abort', stop);
    unfollow();
    updates.end();
    await retries.end().catch(() => undefined); // the editor has disconnected
    stopAnswering?.();
  }
  await services.sessions.turns.settled(sessionId);
  const record = turnRecord(updates.conversation());
  const outcome = outcomeOf(record);
  if (outcome !== 'error' && outcome !== 'answer-empty') return { stopReason: STOP_REASONS[outcome] };
  throw turnError(record, needs.terminal);
}
