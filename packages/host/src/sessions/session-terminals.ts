import { isAppError } from '@fucina/shared';
import type { Attachment, TerminalRecord, Terminals, Viewer } from '@fucina/terminals';
import type { SessionResolver } from './session-resolver.ts';

/** The terminals of a session's folder. Unknown sessions are NOT_FOUND; other codes as in `Terminals`. */
export interface SessionTerminals {
  list(sessionId: string): Promise<TerminalRecord[]>;
  open(sessionId: string): Promise<TerminalRecord>;
  close(sessionId: string, terminalId: string): Promise<void>;
  /** Whether the id may be viewed: an open terminal, or a session, whose first terminal has its id. */
  isKnown(terminalId: string): Promise<boolean>;
  /** Opens the first terminal of a session without one. */
  attach(terminalId: string, viewer: Viewer): Promise<Attachment>;
}

export function createSessionTerminals(needs: { terminals: Terminals; resolver: SessionResolver }): SessionTerminals {
  const { terminals, resolver } = needs;
  const { resolve, ofKnown } = resolver;
  const open = async (sessionId: string): Promise<TerminalRecord> => {
    const { folder } = await resolve(sessionId);
    return terminals.open({ sessionId, folder });
  };
  return {
    list: ofKnown(terminals.list),
    close: ofKnown(terminals.close),
    open,
    async isKnown(terminalId) {
      if (terminals.has(terminalId)) return true;
      try {
        await resolve(terminalId);
        return true;
      } catch (error) {
        if (isAppError(error, 'NOT_FOUND')) return false;
        throw error;
      }
    },
    async attach(terminalId, viewer) {
      if (!terminals.has(terminalId)) await open(terminalId);
      return terminals.attach(terminalId, viewer);
    },
  };
}
