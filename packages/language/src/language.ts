import { createEditChecks, type EditChecks } from './edit-checks.ts';
import { createServers, type Servers, type ServersNeeds } from './servers.ts';

/** Language servers of projects, and what they say about the files that agents edit. */
export interface Language extends AsyncDisposable {
  servers: Omit<Servers, typeof Symbol.asyncDispose>;
  checks: Omit<EditChecks, 'forget'>;
  /** Ends the servers of folders in which only this session worked. */
  forget(sessionId: string): Promise<void>;
}

export type LanguageNeeds = ServersNeeds;

export function createLanguage(needs: LanguageNeeds): Language {
  const servers = createServers(needs);
  const checks = createEditChecks({ ambient: needs.ambient, servers });
  return {
    servers,
    checks,
    async forget(sessionId) {
      await Promise.all(checks.forget(sessionId).map((folder) => servers.stop(folder)));
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}
