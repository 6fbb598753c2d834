import { fingerprintOf } from './fingerprint.ts';
import type { TrustStore } from './trust-store.ts';

/** A program of a project that another part of the application starts, such as a language server. */
export interface ProjectProgram {
  id: string;
  /** The project's folder: absolute, real. */
  folder: string;
  /** Program (absolute) and arguments. */
  argv: readonly [string, ...string[]];
  /** Absolute paths of further files whose content counts. */
  files: readonly string[];
}

/** Trust in programs of projects, in their current version. */
export interface TrustedPrograms {
  isTrusted(program: ProjectProgram): Promise<boolean>;
  trust(program: ProjectProgram): Promise<void>;
}

export function createTrustedPrograms(trust: TrustStore): TrustedPrograms {
  const subject = ({ folder, id }: ProjectProgram) => ({ kind: 'programs', folder, id }) as const;
  const hashOf = ({ folder, id, argv, files }: ProjectProgram): Promise<string> =>
    fingerprintOf({ folder, definition: { id, argv }, argv: [...argv, ...files] });
  return {
    async isTrusted(program) {
      const known = await trust.trustedHash(subject(program));
      return known !== undefined && known === (await hashOf(program));
    },
    trust: async (program) => trust.trust(subject(program), await hashOf(program)),
  };
}
