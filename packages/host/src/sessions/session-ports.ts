import type { SessionServer } from '@fucina/sandbox';
import { commonError } from '@fucina/shared';
import type { Commands } from '@fucina/tools';
import type { SessionResolver } from './session-resolver.ts';

/**
 * Servers that the commands of a session run in the sandbox, and the ports of this computer that the user opens to them.
 * Unknown sessions are NOT_FOUND.
 */
export interface SessionPorts {
  /** By port. Without a network of the session's own there are none: its servers listen on this computer. */
  list(sessionId: string): Promise<readonly SessionServer[]>;
  /** Until it is closed, or the server or the session ends. NOT_FOUND where no server of the session listens. */
  open(sessionId: string, port: number): Promise<SessionServer>;
  /** Also one that is not open. */
  close(sessionId: string, port: number): Promise<void>;
}

export function createSessionPorts({
  resolver,
  commands,
}: {
  resolver: SessionResolver;
  commands(): Promise<Pick<Commands, 'servers'>>;
}): SessionPorts {
  const serversOf = async (sessionId: string) => (await commands()).servers(sessionId);
  const { ofKnown } = resolver;
  return {
    list: ofKnown(async (sessionId) => (await (await serversOf(sessionId))?.list()) ?? []),
    open: ofKnown(async (sessionId, port: number) => {
      const opened = await (await serversOf(sessionId))?.open(port);
      if (!opened) throw commonError('NOT_FOUND', { reason: 'no-server' });
      return opened;
    }),
    close: ofKnown(async (sessionId, port: number) => {
      (await serversOf(sessionId))?.close(port);
    }),
  };
}
