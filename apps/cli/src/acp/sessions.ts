import type { AgentContext, ClientCapabilities, McpServer, SessionUpdate } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { Host } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import { readyLocalModel } from '../local-model.ts';
import type { Terminal } from '../terminal.ts';
import { availableCommands } from './commands.ts';
import { type ConfigOptions, createConfigOptions, type EditorChoices, settingsChangeOf } from './config-options.ts';
import { editorFiles } from './editor-files.ts';
import { editorTerminals, type ShownCalls } from './editor-terminals.ts';
import { serversOf } from './mcp-servers.ts';
import { type ModeSettings, modeId, modeSettings, modeState } from './modes.ts';
import type { readPrompt } from './prompt.ts';

export interface EditorAgentNeeds {
  host: Host;
  terminal: Terminal;
  ambient: Ambient;
  /** For new sessions; by default the server's own. */
  model: string | undefined;
  mode: ModeSettings;
}

/** An id without a session: editors open one before its first message, but ours start with a message. */
interface Waiting {
  folder: string;
  choices: EditorChoices;
}

/** The editor's options for a session. */
export interface SessionOpening {
  sessionId: string;
  folder: string;
  servers: readonly McpServer[];
  client: AgentContext;
  capabilities: ClientCapabilities | undefined;
}

type Words = Awaited<ReturnType<typeof readPrompt>>;

/** The sessions that an editor has open. */
export interface EditorSessions {
  create(opening: SessionOpening): Promise<void>;
  /** Applies the editor's options to an existing session. */
  open(opening: SessionOpening): Promise<void>;
  /** Its modes and options, in the protocol's format. */
  state(sessionId: string, client: AgentContext): Promise<SessionState>;
  change(sessionId: string, configId: string, value: unknown): Promise<void>;
  /** Sequence of the turn's first event. */
  begin(sessionId: string, words: Words): Promise<number>;
  /** While the editor follows a turn; the returned function ends it. */
  follow(sessionId: string, calls: ShownCalls): () => void;
  /** Ends what the editor brought. False: the session had no message yet, and is forgotten. */
  close(sessionId: string): Promise<boolean>;
}

interface SessionState {
  modes: ReturnType<typeof modeState>;
  configOptions: Awaited<ReturnType<ConfigOptions['of']>>;
}

export function createEditorSessions(needs: EditorAgentNeeds): EditorSessions {
  const { host, terminal, ambient } = needs;
  const { services } = host;
  const { sessions, startSession, sessionExtensions } = services;
  const { say } = terminal;
  const waiting = new Map<string, Waiting>();
  const following = new Map<string, ShownCalls>();
  const options = createConfigOptions({ services, ambient, say });

  const choicesOf = async (sessionId: string): Promise<EditorChoices> => {
    const unborn = waiting.get(sessionId);
    if (unborn) return unborn.choices;
    const { settings } = await sessions.read(sessionId);
    const { permissions, mode, model, reasoning } = settings;
    return {
      permissions: permissions === 'Research' ? 'Read only' : permissions,
      mode,
      model: model ?? undefined,
      effort: reasoning?.effort,
    };
  };
  const bring = async (opening: SessionOpening): Promise<void> => {
    const { sessionId, folder, servers, client, capabilities } = opening;
    await sessionExtensions.useServers(sessionId, serversOf(servers));
    sessions.editors.connect(sessionId, {
      files: editorFiles({ client, sessionId, capabilities }),
      terminals: editorTerminals({ client, sessionId, capabilities, calls: () => following.get(sessionId) }),
    });
    const tell = async (): Promise<void> => {
      const commands = await availableCommands(services, folder, say);
      await notify(client, sessionId, { sessionUpdate: 'available_commands_update', availableCommands: commands });
    };
    // After the response with the session's id.
    ambient.timer(0, () => void tell().catch((error: unknown) => ambient.log.warn('acp.commands', { error })));
  };

  return {
    async create(opening) {
      const choices = { ...needs.mode, model: needs.model, effort: undefined };
      await bring(opening);
      waiting.set(opening.sessionId, { folder: opening.folder, choices });
    },
    open: bring,
    async state(sessionId, client) {
      const choices = await choicesOf(sessionId);
      const configOptions = await options.of(choices, (all) => {
        const update = { sessionUpdate: 'config_option_update' as const, configOptions: all };
        void notify(client, sessionId, update).catch(() => undefined); // the editor has disconnected
      });
      return { modes: modeState(modeId(choices), say), configOptions };
    },
    async change(sessionId, configId, value) {
      const patch = settingsChangeOf(configId, value, modeSettings);
      if (!patch) throw RequestError.invalidParams({ configId, value }, 'no such option or value');
      const unborn = waiting.get(sessionId);
      if (unborn) unborn.choices = { ...unborn.choices, ...patch };
      else if ('effort' in patch) await sessions.changeSettings(sessionId, { reasoning: { effort: patch.effort } });
      else await sessions.changeSettings(sessionId, patch);
    },
    async begin(sessionId, words) {
      const unborn = waiting.get(sessionId);
      if (!unborn) {
        const { lastSeq, settings } = await sessions.read(sessionId);
        await readyLocalModel(settings.model, services);
        await sessions.turns.resume(sessionId, words);
        return lastSeq;
      }
      const { model, effort, ...mode } = unborn.choices;
      await readyLocalModel(model, services);
      const reasoning = effort && { effort };
      await startSession({ sessionId, folder: unborn.folder, model, reasoning, ...mode, ...words });
      waiting.delete(sessionId);
      return 0;
    },
    follow(sessionId, calls) {
      following.set(sessionId, calls);
      return () => void following.delete(sessionId);
    },
    async close(sessionId) {
      sessions.editors.connect(sessionId, undefined);
      await sessionExtensions.useServers(sessionId, []);
      return !waiting.delete(sessionId);
    },
  };
}

function notify(client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update });
}
