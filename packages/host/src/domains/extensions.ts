import { homedir } from 'node:os';
import type { Extensions, ExtensionsNeeds, HookEventData } from '@fucina/extensions';
import type { Library } from '@fucina/library';
import type { Providers } from '@fucina/providers';
import type { HookCall, SessionsNeeds, TurnHooks } from '@fucina/sessions';
import type { Ambient, OutboundHttp, Tool } from '@fucina/shared';
import * as z from 'zod';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { HostSettings } from '../settings.ts';
import { describe } from '../tools/tool-list.ts';

/** Extensions, loaded at first use. */
export interface OpenedExtensions extends AsyncDisposable {
  open(): Promise<Extensions>;
  /** Stops the processes of a deleted session. */
  forget(sessionId: string): Promise<void>;
}

export function openExtensions(
  { ambient, environment, enabledExtensions = [] }: HostSettings,
  folder: DataFolder,
  { library, http, providers }: { library: () => Library; http: () => OutboundHttp; providers: () => Providers },
): OpenedExtensions {
  let opened: Promise<Extensions> | undefined;
  return {
    open() {
      opened ??= import('@fucina/extensions').then(({ createExtensions }) =>
        createExtensions({
          ambient,
          environment,
          dataDir: folder.path,
          homeDir: environment.HOME ?? homedir(),
          clientMetadataUrl: environment.FUCINA_MCP_CLIENT_METADATA || undefined,
          secrets: {
            read: (account) => providers().secrets.read(account),
            write: (account, value) => providers().secrets.write(account, value),
            remove: (account) => providers().secrets.remove(account),
          },
          http: http(),
          capabilities: capabilitiesOf(library),
          isEnabled: (id) => enabledExtensions.length === 0 || enabledExtensions.includes(id),
        }),
      );
      return opened;
    },
    async forget(sessionId) {
      await (await opened)?.mcp.forget(sessionId);
    },
    async [Symbol.asyncDispose]() {
      await (await opened)?.[Symbol.asyncDispose]();
    },
  };
}

const NAMES_RESOURCE = /(?:^|\s)@[\w.-]+:\S/;

/** The extensions of a session: tools of the project, with those of other domains, and its hooks. Their errors never end a turn. */
export function extensionsOfSessions(
  ambient: Ambient,
  extensions: () => Promise<Extensions>,
  projectTools: (session: { sessionId: string; folder: string }) => Promise<readonly Tool[]>,
): Required<Pick<SessionsNeeds, 'projectOffer' | 'offeredCommands' | 'mentionedText' | 'hooks'>> {
  /** A message named a resource: later ones may bring its changes. */
  let mayChange = false;
  return {
    async projectOffer(session) {
      try {
        const [brought, own] = await Promise.all([(await extensions()).tools(session), projectTools(session)]);
        const tools = [...own, ...brought];
        return { tools, specs: await describe(tools) };
      } catch (error) {
        ambient.log.error('extensions.not-offered', { error });
        return { tools: [], specs: [] };
      }
    },
    offeredCommands: {
      async list(folder) {
        try {
          return await (await extensions()).mcp.prompts(folder);
        } catch (error) {
          ambient.log.error('mcp.prompts-not-listed', { error });
          return [];
        }
      },
      read: async (folder, asked) => (await extensions()).mcp.readPrompt(folder, asked),
    },
    async mentionedText(session, message) {
      // The first message of most processes must not wait for the extensions.
      mayChange ||= NAMES_RESOURCE.test(message);
      if (!mayChange) return undefined;
      try {
        return await (await extensions()).resourceText(session, message);
      } catch (error) {
        ambient.log.error('mcp.resources-not-read', { error });
        return undefined;
      }
    },
    hooks: turnHooks(ambient, extensions),
  };
}

function turnHooks(ambient: Ambient, extensions: () => Promise<Extensions>): TurnHooks {
  const tell = async (news: HookEventData, signal?: AbortSignal) => {
    try {
      return await (await extensions()).hooks.tell(news, signal);
    } catch (error) {
      ambient.log.error('hooks.not-told', { event: news.evento, error });
      return { hookId: '', reason: 'a hook could not be asked' };
    }
  };
  const about = ({ sessionId, folder, toolCallId, name, input }: HookCall) => ({
    sessionId,
    cartella: folder,
    toolCallId,
    strumento: name,
    argomenti: input,
  });
  const log = (news: HookEventData, objection: Awaited<ReturnType<typeof tell>>): void => {
    if (objection) ambient.log.warn('hook.objected', { event: news.evento, ...objection });
  };
  return {
    async beforeCall(call, signal) {
      const objection = await tell({ evento: 'pre_tool_call', ...about(call) }, signal);
      if (!objection) return undefined;
      const { hookId, reason } = objection;
      return `Refused by the hook ${hookId}: ${reason || 'it gave no reason'}. Do not look for a way around it.`;
    },
    async afterCall(call, { content, isError }, signal) {
      const news: HookEventData = { evento: 'post_tool_call', ...about(call), risultato: content, errore: isError };
      log(news, await tell(news, signal));
    },
    async sessionBegins({ sessionId, folder, assignment }, signal) {
      const news: HookEventData = { evento: 'session_start', sessionId, cartella: folder, consegna: assignment };
      log(news, await tell(news, signal));
    },
    async turnOver({ sessionId, folder }) {
      const news: HookEventData = { evento: 'session_end', sessionId, cartella: folder };
      log(news, await tell(news));
    },
  };
}

/**
 * The actions of forged tools, named like the agent's tools. An invalid argument is an Error with a readable message.
 */
function capabilitiesOf(library: () => Library): ExtensionsNeeds['capabilities'] {
  const text = z.string();
  const limit = z.int().min(1).max(50).default(20);
  const capability =
    <Input>(schema: z.ZodType<Input>, act: (input: Input) => unknown) =>
    async (args: unknown) => {
      const parsed = schema.safeParse(args);
      if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
      return act(parsed.data);
    };
  return {
    'tasks.list': capability(z.strictObject({ limit }), (asked) => library().tasks.list(asked)),
    'tasks.create': capability(z.strictObject({ title: text, description: text.optional() }), (task) =>
      library().tasks.create(task, 'model'),
    ),
    'tasks.setStatus': capability(
      z.strictObject({ id: text, status: z.enum(['todo', 'doing', 'done']) }),
      ({ id, status }) => library().tasks.setStatus(id, status),
    ),
    'notes.list': capability(z.strictObject({ limit, query: text.optional() }), ({ query, ...asked }) =>
      library().notes.list({ ...asked, text: query }),
    ),
    'notes.create': capability(z.strictObject({ title: text, content: text }), (note) =>
      library().notes.create(note, 'model'),
    ),
    'notes.update': capability(
      z.strictObject({ id: text, title: text.optional(), content: text.optional() }),
      ({ id, ...patch }) => library().notes.change(id, patch),
    ),
    'memory.search': capability(z.strictObject({ query: text, limit }), ({ query, ...asked }) =>
      library().memories.list({ ...asked, text: query }),
    ),
    'memory.create': capability(z.strictObject({ title: text, content: text }), async (memory) => {
      const { memory: kept } = await library().memories.create(memory, 'model');
      return kept;
    }),
  };
}
