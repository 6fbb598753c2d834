import { type Ambient, createKeyedQueue, isAppError, type ToolResult } from '@fucina/shared';
import type { LiveBrowser } from './live-browser.ts';
import { snapshotOf } from './snapshot.ts';
import type { Tab } from './tab.ts';

/** The agent's access to the tab that the user sees: one action at a time, and never while the user uses the page. */
export interface AgentBrowser {
  /**
   * `act` needs exclusive use of the tab: it waits while the user uses the page. If the user has changed the page since
   * the agent last saw it, the agent gets a new snapshot instead.
   */
  use(
    sessionId: string,
    signal: AbortSignal,
    options: { isAct: boolean; act(tab: Tab): Promise<ToolResult> },
  ): Promise<ToolResult>;
  /** The agent has seen the page as it is now. */
  looked(sessionId: string): void;
}

/** For this long after a gesture the user counts as using the page. */
const USER_ACTIVE_MS = 3_000;
const PATIENCE_MS = 30_000;

const WHY: Partial<Record<string, string>> = {
  BROWSER_VIVO_SCHEDA_ASSENTE: 'No page is open. Open one with browser_open.',
  BROWSER_VIVO_SENZA_CONNESSIONE: 'The page stopped responding. Open it again with browser_open.',
  BROWSER_VIVO_ASSENTE: 'No supported browser is installed (Chrome, Edge or Chromium).',
  BROWSER_VIVO_NON_CONFIGURATO: 'Fucina was started without the live browser.',
  BROWSER_VIVO_TROPPE_SCHEDE: 'The limit of six open pages is reached. Close a page in another session first.',
  BROWSER_VIVO_CONNESSIONE_FALLITA: 'The browser could not be started.',
  BROWSER_VIVO_GESTO_IGNOTO: 'Unknown key name.',
  QUERY_INVALID: 'This address cannot be opened: use http or https, and not the address of Fucina itself.',
};

export function createAgentBrowser({ ambient, live }: { ambient: Ambient; live(): LiveBrowser }): AgentBrowser {
  const lookedAt = new Map<string, number>();
  const inSession = createKeyedQueue();

  const userIdleFor = (sessionId: string): number => {
    const at = live().userActiveAt(sessionId);
    return at === undefined ? Number.POSITIVE_INFINITY : ambient.monotonic() - at;
  };
  /** False when the user kept using the page. */
  const isFree = async (sessionId: string, signal: AbortSignal): Promise<boolean> => {
    const until = ambient.monotonic() + PATIENCE_MS;
    for (;;) {
      const left = USER_ACTIVE_MS - userIdleFor(sessionId);
      if (left <= 0) return true;
      if (ambient.monotonic() >= until) return false;
      await ambient.sleep(left, signal);
    }
  };
  const looked = (sessionId: string): void => {
    lookedAt.set(sessionId, ambient.monotonic());
  };
  const isOld = (sessionId: string): boolean => (live().userActiveAt(sessionId) ?? 0) > (lookedAt.get(sessionId) ?? 0);

  const run: AgentBrowser['use'] = async (sessionId, signal, { isAct, act }) => {
    try {
      if (isAct && !(await isFree(sessionId, signal)))
        return {
          content: 'The user is using this page now. No action was taken: read the page again later.',
          isError: true,
        };
      const tab = await live().tab(sessionId);
      if (isAct && isOld(sessionId)) {
        const content = await tab.command(() => snapshotOf(tab.page()));
        looked(sessionId);
        return {
          content: `The user used this page since you last read it. No action was taken. Current page:\n${content}`,
          isError: true,
        };
      }
      return await act(tab);
    } catch (error) {
      return failureResult(error, signal);
    }
  };
  return {
    looked,
    use: (sessionId, signal, options) => inSession(sessionId, () => run(sessionId, signal, options)),
  };
}

/** Reports errors that the agent can react to; anything else is a bug. */
export function failureResult(error: unknown, signal: AbortSignal): ToolResult {
  signal.throwIfAborted();
  const known = isAppError(error) ? WHY[error.code] : undefined;
  if (known) return { content: known, isError: true };
  // The driver's message about an element or a page: its first line names the cause, the rest is its log.
  const isDriver = error instanceof Error && /^(locator|page|mouse|keyboard)\./.test(error.message);
  if (isDriver) return { content: `The action failed: ${error.message.split('\n')[0]?.slice(0, 300)}`, isError: true };
  throw error;
}
