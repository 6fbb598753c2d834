import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';

/**
 * `hooks-own`, `mcp-own`: hooks and servers of the user that run something of a project. `plugins-own`: copies of the user. `programs`: programs in it that other parts of the
 * application start; `scripts`: files of it that they run.
 */
export type TrustKind = 'hooks' | 'hooks-own' | 'mcp' | 'mcp-own' | 'plugins' | 'plugins-own' | 'programs' | 'scripts';

/** What the user trusts, by project and id, stored outside the project so that a project cannot trust itself. */
export interface TrustStore {
  /** The fingerprint that was trusted last; undefined when there is none or its file is unreadable. */
  trustedHash(subject: TrustSubject): Promise<string | undefined>;
  /** Resolves when it is on disk. */
  trust(subject: TrustSubject, hash: string): Promise<void>;
}

export interface TrustSubject {
  kind: TrustKind;
  /** The project's folder: absolute, real. */
  folder: string;
  id: string;
}

const kept = z.object({ hash: z.string(), fidatoIl: z.string() });

export function createTrustStore({ ambient, dataDir }: { ambient: Ambient; dataDir: string }): TrustStore {
  const folderOf = ({ folder, kind }: TrustSubject): string => {
    const project = createHash('sha256').update(folder).digest('hex').slice(0, 32);
    return join(dataDir, 'trust', project, kind);
  };
  return {
    async trustedHash(subject) {
      try {
        const text = await readFile(join(folderOf(subject), `${subject.id}.json`), 'utf8');
        return kept.parse(JSON.parse(text)).hash;
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') ambient.log.warn('trust.not-read', { kind: subject.kind, error });
        return undefined;
      }
    },
    async trust(subject, hash) {
      const folder = folderOf(subject);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const record = { hash, fidatoIl: new Date(ambient.now()).toISOString() };
      await writeFileAtomically(join(folder, `${subject.id}.json`), `${JSON.stringify(record)}\n`);
    },
  };
}
