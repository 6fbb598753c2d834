import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { ExternalAgent } from '../store.ts';
import { failureOf, WireFailure } from '../wires/failure.ts';
import { providerMessage } from '../wires/provider-message.ts';
import { createAgentHandlers } from './agent-client.ts';
import { type AgentProcess, startAgent } from './agent-process.ts';
import { AUTH_REQUIRED } from './agent-turn.ts';
import type { ExternalAgentsNeeds } from './needs.ts';

/** What an external agent reports about itself when it starts. */
export interface AgentCheck {
  /** As the agent reports it; undefined without one. */
  name: string | undefined;
  version: string | undefined;
  isSignedIn: boolean;
}

const CHECK_MS = 30_000;
const MAX_NAME = 80;

/** Starts the agent in an empty folder, initializes it, opens a conversation and ends it. Throws a WireFailure. */
export async function checkAgent(
  { ambient, environment }: ExternalAgentsNeeds,
  agent: ExternalAgent,
): Promise<AgentCheck> {
  const folder = await mkdtemp(join(tmpdir(), 'fucina-agent-'));
  const late = new AbortController();
  const cancelTimer = ambient.timer(CHECK_MS, () => late.abort(new WireFailure(failureOf('timeout'))));
  const app = createAgentHandlers({ turn: undefined, signal: undefined, onUpdate: () => undefined });
  try {
    const process = await startAgent({ ambient, environment, agent, folder, app, signal: late.signal });
    try {
      const isSignedIn = await opensConversation(process, { folder, agent, signal: late.signal });
      const { name, title, version } = process.about.agentInfo ?? {};
      return { name: shown(title ?? name), version: shown(version), isSignedIn };
    } finally {
      await process.stop();
    }
  } finally {
    cancelTimer();
    await rm(folder, { recursive: true, force: true });
  }
}

async function opensConversation(
  { connection }: AgentProcess,
  { folder, agent, signal }: { folder: string; agent: ExternalAgent; signal: AbortSignal },
): Promise<boolean> {
  const request = { cwd: folder, mcpServers: [], _meta: { settings: agent.settings } };
  const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
  try {
    await connection.agent.request(methods.agent.session.new, request, options);
    return true;
  } catch (cause) {
    signal.throwIfAborted();
    if ((cause as { code?: unknown }).code === AUTH_REQUIRED) return false;
    const said = cause instanceof RequestError ? providerMessage(cause.message) : undefined;
    const message = 'The external agent refused a new conversation.';
    throw new WireFailure(failureOf('request-refused', { message, ...(said && { providerMessage: said }) }), { cause });
  }
}

function shown(text: string | null | undefined): string | undefined {
  const line = text
    ?.replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return line || undefined;
}
