import { join } from 'node:path';
import type { Extensions } from '@fucina/extensions';
import type { FolderWatcher } from '@fucina/files';
import type { Language } from '@fucina/language';
import type { Tool } from '@fucina/shared';
import type { HostSettings } from '../settings.ts';
import type { ToolList } from '../tools/tool-list.ts';
import { createLanguageProjects } from './language-projects.ts';

/** Language servers, loaded when an agent first reads or edits a file, or the user looks at one. */
export interface OpenedLanguage extends AsyncDisposable {
  open(): Promise<Language>;
  /** Undefined if it was never loaded. */
  used(): Promise<Language> | undefined;
  /** The same tools; results of edits also name the problems that they introduced. */
  checking(tools: readonly Tool[]): readonly Tool[];
  /** Further tools of a session: where a server has run in its folder before, so that the prompt stays the same. */
  tools(session: { sessionId: string; folder: string }): Promise<readonly Tool[]>;
  forget(sessionId: string): Promise<void>;
}

interface LanguageParts {
  toolList(): Pick<ToolList, 'commands'>;
  extensions(): Promise<Pick<Extensions, 'programs'>>;
  watcher(): FolderWatcher;
}

/** Files of a repository map; of more, the first in order of their paths. */
const MAX_MAPPED = 50_000;
const READS = 'leggi';
const EDITS: ReadonlySet<string> = new Set(['scrivi', 'file_edit']);

export function openLanguage(settings: HostSettings, dataDir: string, parts: LanguageParts): OpenedLanguage {
  const { ambient, environment } = settings;
  let opened: Promise<Language> | undefined;
  const projects = createLanguageProjects({ ambient, dataDir });
  const offers = new Map<string, Promise<boolean>>();
  const programs = async () => (await parts.extensions()).programs;
  const open = (): Promise<Language> => {
    opened ??= import('@fucina/language').then(({ createLanguage }) =>
      createLanguage({
        ambient,
        environment,
        contain: async (job) => (await parts.toolList().commands()).programs.contain(job),
        trust: {
          isTrusted: async (program) => (await programs()).isTrusted(program),
          trust: async (program) => (await programs()).trust(program),
        },
        serversFile: join(dataDir, 'language', 'servers.json'),
        onReady: (folder) => void projects.add(folder),
        changeFiles: async (files, approval, context) =>
          (await import('@fucina/tools')).changeFiles(files, approval, context),
        async listFiles(folder, signal) {
          const { listFiles } = await import('@fucina/tools');
          return (await listFiles({ ambient, environment }, { folder, limit: MAX_MAPPED, signal })).paths;
        },
        watch: (folder, onChange) => parts.watcher().watch(folder, onChange),
      }),
    );
    return opened;
  };
  return {
    open,
    used: () => opened,
    checking: (tools) =>
      tools.map((tool) => {
        if (tool.name === READS) return expecting(tool, settings, open);
        return EDITS.has(tool.name) ? checked(tool, settings, open) : tool;
      }),
    async tools({ sessionId, folder }) {
      const isOffered = offers.get(sessionId) ?? projects.has(folder);
      offers.set(sessionId, isOffered);
      if (!(await isOffered)) return [];
      const { tools } = await open();
      return tools.map((tool) => (tool.effect === 'write' ? checked(tool, settings, open) : tool));
    },
    async forget(sessionId) {
      offers.delete(sessionId);
      await (await opened)?.forget(sessionId);
    },
    async [Symbol.asyncDispose]() {
      await (await opened)?.[Symbol.asyncDispose]();
    },
  };
}

type Open = () => Promise<Language>;

/** A file that was read may be edited next: its server starts meanwhile. */
function expecting(tool: Tool, { ambient }: HostSettings, open: Open): Tool {
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context);
      const { percorso: path } = tool.action(input, context);
      if (result.isError || path === undefined || path.startsWith('..')) return result;
      open()
        .then(({ checks }) => checks.expectEdit({ ...context, path }))
        .catch((error: unknown) => ambient.log.error('language.not-loaded', { error }));
      return result;
    },
  };
}

/** The edit itself has succeeded: a failed check does not change its result. */
function checked(tool: Tool, { ambient }: HostSettings, open: Open): Tool {
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context);
      const { changes = [] } = result;
      const inside = changes.filter(({ path }) => !path.startsWith('..'));
      if (result.isError || inside.length === 0) return result;
      try {
        const { sessionId, folder, signal } = context;
        const problems = await (await open()).checks.afterEdit({ sessionId, folder, changes: inside, signal });
        return problems === '' ? result : { ...result, content: `${result.content}\n\n${problems}` };
      } catch (error) {
        ambient.log.error('language.not-checked', { sessionId: context.sessionId, error });
        return result;
      }
    },
  };
}
