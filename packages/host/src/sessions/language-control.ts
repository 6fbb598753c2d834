import type { Diagnostic, FormatterRow, Language, MappedSymbol, ServerRow } from '@fucina/language';
import { commonError } from '@fucina/shared';
import { folderOfPlace, type Place, type PlaceNeeds } from './place-folder.ts';

export type { Diagnostic, FormatterRow, MappedSymbol, ServerRow as LanguageServerRow };

/** A language server by its id and the project it is for. */
export interface LanguageTarget extends Place {
  id: string;
}

/** How many problems a file of the project has. */
export interface ProblemCount {
  path: string;
  errors: number;
  warnings: number;
}

/**
 * Language servers and diagnostics as the user sees them. Throws NOT_FOUND for an unknown session or server,
 * WORKSPACE_NOT_AVAILABLE for an unusable folder, QUERY_INVALID without a project.
 */
export interface LanguageControl {
  /** `problem`: why the user's own servers cannot be read. */
  servers(place: Place): Promise<{ servers: readonly ServerRow[]; problem: string | null }>;
  /** Trusts the program of the project as it is now, and starts it. A failure is in the row. */
  trust(target: LanguageTarget): Promise<ServerRow>;
  /** A failure is in the row. */
  restart(target: LanguageTarget): Promise<ServerRow>;
  /** The formatters that are installed for a project. */
  formatters(place: Place): Promise<FormatterRow[]>;
  /** Whether it formats the files that agents edit. Turning on a program of the project trusts it as it is now. */
  turnFormatter(target: LanguageTarget & { isOn: boolean }): Promise<FormatterRow>;
  /** Files with errors or warnings, as far as they are known. Starts no server. */
  counts(sessionId: string): Promise<ProblemCount[]>;
  /** Of one file, with unsaved text if given. Null when no server reads it. */
  diagnostics(
    sessionId: string,
    file: { path: string; text?: string | undefined },
  ): Promise<readonly Diagnostic[] | null>;
  /** Declarations in the session's folder by a part of their name, best first. */
  symbols(sessionId: string, query: string, signal: AbortSignal): Promise<readonly MappedSymbol[]>;
}

const MAX_SYMBOLS = 20;

interface LanguageControlNeeds extends PlaceNeeds {
  language: { open(): Promise<Language>; used(): Promise<Language> | undefined };
}

export function createLanguageControl({ language, ...places }: LanguageControlNeeds): LanguageControl {
  const folderOf = async (place: Place): Promise<string> => {
    const folder = await folderOfPlace(places, place);
    if (folder === undefined) throw commonError('QUERY_INVALID', { reason: 'no-project' });
    return folder;
  };
  return {
    servers: async (place) => {
      const folder = await folderOf(place);
      const { servers } = await language.open();
      return { servers: await servers.rows(folder), problem: await servers.problem() };
    },
    async trust({ id, ...place }) {
      const folder = await folderOf(place);
      return (await language.open()).servers.trust(folder, id);
    },
    async restart({ id, ...place }) {
      const folder = await folderOf(place);
      return (await language.open()).servers.restart(folder, id);
    },
    async formatters(place) {
      const folder = await folderOf(place);
      return (await language.open()).formatters.rows(folder);
    },
    async turnFormatter({ id, isOn, ...place }) {
      const folder = await folderOf(place);
      return (await language.open()).formatters.turn(folder, id, isOn);
    },
    async counts(sessionId) {
      const { folder } = await places.resolver.resolve(sessionId);
      const known = (await language.used())?.checks.known(folder) ?? [];
      return known
        .map(({ path, diagnostics }) => ({
          path,
          errors: diagnostics.filter(({ severity }) => severity === 'error').length,
          warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
        }))
        .filter(({ errors, warnings }) => errors + warnings > 0);
    },
    async diagnostics(sessionId, file) {
      const { folder } = await places.resolver.resolve(sessionId);
      return (await (await language.open()).checks.ofFile({ folder, ...file })) ?? null;
    },
    async symbols(sessionId, query, signal) {
      const { folder } = await places.resolver.resolve(sessionId);
      return (await language.open()).map.symbols(folder, { query, limit: MAX_SYMBOLS }, signal);
    },
  };
}
