import type { TrustStore } from './trust-store.ts';

/** A file of a project that other parts of the application run. */
export interface ProjectScript {
  id: string;
  /** The project: the absolute real path of a folder that all its work trees share. */
  folder: string;
  /** SHA-256 (hex) of its content. */
  sha256: string;
}

/** Trust in the content of scripts, wherever a work tree has them. */
export interface TrustedScripts {
  isTrusted(script: ProjectScript): Promise<boolean>;
  trust(script: ProjectScript): Promise<void>;
}

export function createTrustedScripts(trust: TrustStore): TrustedScripts {
  const subject = ({ folder, id }: ProjectScript) => ({ kind: 'scripts', folder, id }) as const;
  return {
    isTrusted: async (script) => (await trust.trustedHash(subject(script))) === script.sha256,
    trust: (script) => trust.trust(subject(script), script.sha256),
  };
}
