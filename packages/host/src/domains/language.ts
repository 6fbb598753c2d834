import { isAbsolute, join } from 'node:path';
import type { Extensions } from '@fucina/extensions';
import type { FolderWatcher } from '@fucina/files';
import type { Language, LanguageNeeds } from '@fucina/language';
import type { FileChange, Tool, ToolContext, ToolResult } from '@fucina/shared';
import type { HostSettings } from '../settings.ts';
import type { ToolList } from '../tools/tool-list.ts';
import { createLanguageProjects } from './language-projects.ts';

/** Language servers, loaded when an agent first reads or edits a file, or the user looks at one. */
export interface OpenedLanguage extends AsyncDisposable {
  open(): Promise<Language>;
  /** Undefined if it was never loaded. */
  used(): Promise<Language> | undefined;
  /** The same tools; edits also format the file, if the user wants that, and name the problems that they introduced. */
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
const EDITS: ReadonlySet<string> = new Set(['scrivi', 'file_edit', 'apply_patch']);

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
        formattersFile: join(dataDir, 'language', 'formatters.json'),
        onReady: (folder) => void projects.add(folder),
        changeFiles,
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
        return EDITS.has(tool.name) ? checked(formatted(tool, settings, open), settings, open) : tool;
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

const changeFiles: LanguageNeeds['changeFiles'] = async (files, approval, context) =>
  (await import('@fucina/tools')).changeFiles(files, approval, context);

const isInside = ({ path }: FileChange): boolean => !path.startsWith('..') && !isAbsolute(path);

/** The edit itself has succeeded: when its file cannot be formatted, it stays as it is. */
function formatted(tool: Tool, { ambient }: HostSettings, open: Open): Tool {
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context);
      if (result.isError || !result.changes?.some(isInside)) return result;
      try {
        return await withFormatted(result, await open(), context);
      } catch (error) {
        ambient.log.error('formatter.not-run', { sessionId: context.sessionId, error });
        return result;
      }
    },
  };
}

/** The same result with the formatted texts, as if the edit had written them. */
async function withFormatted(result: ToolResult, { formatters }: Language, context: ToolContext): Promise<ToolResult> {
  const changes: FileChange[] = [];
  const lines: string[] = [];
  for (const change of result.changes ?? []) {
    const { path, after } = change;
    const file = { folder: context.folder, path, text: after ?? '', signal: context.signal };
    const made = after !== null && isInside(change) ? await formatters.format(file) : undefined;
    if (made && 'problem' in made) lines.push(`${made.id} did not format ${path}: ${made.problem}.`);
    const text = made && 'text' in made && made.text !== after ? made.text : undefined;
    const written = text === undefined ? [] : await changeFiles([{ path, change: () => text }], { path }, context);
    if ('content' in written) lines.push(`${path} was not formatted: ${written.content}`);
    const isFormatted = text !== undefined && !('content' in written);
    if (isFormatted) lines.push(`${made?.id} then formatted ${path}: read it again before you edit the same lines.`);
    changes.push(isFormatted ? { ...change, after: text } : change);
  }
  return lines.length === 0 ? result : { ...result, changes, content: [result.content, ...lines].join('\n') };
}

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
