import { methods } from '@agentclientprotocol/sdk';
import type { ExternalTurn, ModelEvent } from '@fucina/shared';
import type { ExternalAgent } from '../store.ts';
import { failureOf, WireFailure } from '../wires/failure.ts';
import type { WireCall } from '../wires/wire.ts';
import { type AgentClientState, createAgentHandlers } from './agent-client.ts';
import { type AgentProcess, startAgent } from './agent-process.ts';
import { AUTH_REQUIRED, promptBlocks, runAgentTurn, signInFirst } from './agent-turn.ts';
import { createUsageMeter, type UsageMeter } from './agent-usage.ts';
import { type AgentCheck, checkAgent } from './check-agent.ts';
import type { ExternalAgentsNeeds } from './needs.ts';

/** The external agents: one program per session, ended when it is idle or its settings change. */
export interface ExternalAgents extends AsyncDisposable {
  /** Ends with `finish`, or throws a WireFailure. `call.request.external` must be given. */
  ask(call: WireCall, agent: ExternalAgent): AsyncIterable<readonly ModelEvent[]>;
  /** Starts the agent and ends it again. Throws a WireFailure. */
  check(agent: ExternalAgent): Promise<AgentCheck>;
}

interface LiveAgent {
  process: AgentProcess;
  state: AgentClientState;
  /** The agent's own id of the conversation. */
  sessionId: string;
  /** The program's configuration, as text. */
  settings: string;
  meter: UsageMeter;
  /** User messages that it has already received. */
  heard: number;
  cancelRest(): void;
}

const MAX_LIVE = 8;
const REST_MS = 600_000;

export function createExternalAgents(needs: ExternalAgentsNeeds): ExternalAgents {
  const live = new Map<string, LiveAgent>();
  const drop = async (session: string): Promise<void> => {
    const agent = live.get(session);
    live.delete(session);
    agent?.cancelRest();
    await agent?.process.stop();
  };
  const rest = (session: string, agent: LiveAgent): void => {
    if (live.get(session) !== agent) return;
    agent.cancelRest = needs.ambient.timer(REST_MS, () => void drop(session));
  };

  return {
    async *ask(call, settings) {
      const turn = call.request.external;
      if (!turn) throw onlyInSessions();
      const users = call.request.messages.filter(({ role }) => role === 'user').length;
      const known = live.get(turn.sessionId);
      const isSame = known?.settings === JSON.stringify(settings) && users > known.heard;
      if (known && !isSame) await drop(turn.sessionId);
      const agent = known && isSame ? known : await open(needs, { turn, settings, call });
      if (agent !== known) await makeRoom(live, drop);
      if (agent !== known) {
        live.set(turn.sessionId, agent);
        void agent.process.ended.then(() => {
          if (live.get(turn.sessionId) === agent) void drop(turn.sessionId);
        });
      }
      agent.cancelRest();
      const newCount = agent === known ? users - agent.heard : 1;
      const prompt = promptBlocks(call.request.messages, {
        isRemembered: agent === known,
        takesImages: agent.process.about.agentCapabilities?.promptCapabilities?.image === true,
        newCount,
      });
      agent.heard = users;
      let isWell = false;
      try {
        yield* runAgentTurn(turnOf(call, agent, { turn, prompt }));
        isWell = true;
      } finally {
        agent.state.turn = undefined;
        if (isWell || call.signal.aborted) rest(turn.sessionId, agent);
        else await drop(turn.sessionId);
      }
    },
    check: (agent) => checkAgent(needs, agent),
    async [Symbol.asyncDispose]() {
      await Promise.all([...live.keys()].map(drop));
    },
  };
}

function turnOf(
  call: WireCall,
  agent: LiveAgent,
  { turn, prompt }: { turn: ExternalTurn; prompt: ReturnType<typeof promptBlocks> },
): Parameters<typeof runAgentTurn>[0] {
  const { state, process, sessionId, meter } = agent;
  state.turn = turn;
  state.signal = call.signal;
  return {
    ambient: call.ambient,
    process,
    sessionId,
    prompt,
    meter,
    firstResponseMs: call.firstResponseMs,
    idleMs: call.idleMs,
    signal: call.signal,
    listen(onUpdate) {
      state.onUpdate = onUpdate;
      return () => {
        state.onUpdate = () => undefined;
      };
    },
  };
}

async function makeRoom(live: Map<string, LiveAgent>, drop: (session: string) => Promise<void>): Promise<void> {
  const idle = [...live].filter(([, { state }]) => state.turn === undefined).map(([session]) => session);
  for (const session of idle.slice(0, Math.max(0, live.size - MAX_LIVE + 1))) await drop(session);
}

async function open(
  { ambient, environment }: ExternalAgentsNeeds,
  { turn, settings, call }: { turn: ExternalTurn; settings: ExternalAgent; call: WireCall },
): Promise<LiveAgent> {
  const state: AgentClientState = { turn: undefined, signal: undefined, onUpdate: () => undefined };
  const late = new AbortController();
  const cancelTimer = ambient.timer(call.firstResponseMs, () => late.abort(new WireFailure(failureOf('timeout'))));
  const signal = AbortSignal.any([call.signal, late.signal]);
  const { folder } = turn;
  try {
    const process = await startAgent({
      ambient,
      environment,
      agent: settings,
      folder,
      app: createAgentHandlers(state),
      signal,
    });
    try {
      const { sessionId } = await process.connection.agent.request(
        methods.agent.session.new,
        { cwd: folder, mcpServers: [], _meta: { settings: settings.settings } },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      const live = {
        process,
        state,
        sessionId,
        meter: createUsageMeter(),
        settings: JSON.stringify(settings),
        heard: 0,
        cancelRest: () => undefined,
      };
      return live;
    } catch (cause) {
      await process.stop();
      signal.throwIfAborted();
      throw refusedSession(cause);
    }
  } finally {
    cancelTimer();
  }
}

function refusedSession(cause: unknown): WireFailure {
  if ((cause as { code?: unknown }).code === AUTH_REQUIRED) return signInFirst();
  const message = 'The external agent refused to begin a conversation.';
  return new WireFailure(failureOf('request-refused', { message }));
}

function onlyInSessions(): WireFailure {
  const message = 'The external agent works only in a session.';
  return new WireFailure(failureOf('not-configured', { code: 'PROVIDER_RUNTIME_UNAVAILABLE', message }));
}
