import type { NetworkMode, NetworkSession, SandboxNeeds, SandboxRules, SessionNetworkNeeds } from '@fucina/sandbox';
import type { ToolImage } from '@fucina/shared';
import type { SeenTexts } from './seen-texts.ts';

/** Absolute paths, without links. */
export type ReadingGuard = (path: string) => boolean;

export interface SearchNeeds extends ToolsNeeds {
  /** The files that rules of the user deny to read, or ask for: their content is not searched. Undefined: none. */
  guardsReading?(folder: string): Promise<ReadingGuard | undefined>;
}

export interface ReadNeeds {
  /** Learns the texts that are read. */
  texts?: Pick<SeenTexts, 'set'>;
  /** A copy of a picture with at most this many bytes; undefined if none can be made. Default: none can. */
  smallerPicture?(bytes: Uint8Array, maxBytes: number): Promise<SmallerPicture | undefined>;
}

interface SmallerPicture extends Pick<ToolImage, 'bytes' | 'mimeType'> {
  width: number;
  height: number;
}

export type ToolsNeeds = Pick<SandboxNeeds, 'ambient' | 'environment'>;

/** The outputs of commands are stored in its data folder too. */
export interface WorkspaceToolsNeeds
  extends Omit<SandboxNeeds, 'networks'>,
    Pick<SearchNeeds, 'guardsReading'>,
    Pick<ReadNeeds, 'smallerPicture'> {
  /** The server serves anyone who reaches its port: commands then run only in a sandbox that blocks the port. */
  isWithoutToken?: boolean;
  /** The user's network decisions and rules for commands. */
  network?: Pick<SessionNetworkNeeds, 'ownPorts' | 'isReservedPort' | 'rule' | 'localPorts' | 'ask'>;
  rules?: Pick<SandboxRules, 'inForce' | 'forget'> & { mode(session: NetworkSession): NetworkMode };
}
