import type { Environment } from '@fucina/shared';
import type { Sandbox } from './sandbox.ts';
import { safeName } from './session-name.ts';

/** A program that runs beside the sessions of a project, such as a language server. */
export interface ProgramJob {
  /** One program at a time has it; its temporary files are stored under it. */
  id: string;
  argv: readonly [string, ...string[]];
  /** Absolute real path of the project: read-only for the program. */
  folder: string;
  /** Limit of the data segment of each of its processes, where the system has `prlimit`. */
  memoryBytes: number;
}

/** How to start it. */
export interface ContainedProgram {
  argv: readonly [string, ...string[]];
  cwd: string;
  extraEnvironment: Environment;
  isContainer: boolean;
  /** See `ProcessOptions.files`. */
  files: readonly string[];
  /** See `ProcessOptions.admit`. */
  admit?: ((pid: number) => boolean) | undefined;
  /** After its end: deletes its temporary files and closes its network. */
  release(): Promise<void>;
}

export interface ContainedPrograms {
  /** Undefined where no sandbox works. The program cannot write in the project, and reaches no network. */
  contain(job: ProgramJob): Promise<ContainedProgram | undefined>;
  /** By the name of the folder of its temporary files. */
  isRunning(name: string): boolean;
}

const PREFIX = 'program-';

/** Whether commands under this id belong to such a program, not to a session. */
export const isContainedProgram = (sessionId: string): boolean => sessionId.startsWith(PREFIX);

export function createContainedPrograms(sandbox: Pick<Sandbox, 'contain' | 'forget'>): ContainedPrograms {
  const running = new Set<string>();
  return {
    async contain({ id, argv, folder, memoryBytes }) {
      const sessionId = `${PREFIX}${id}`;
      const name = safeName(sessionId);
      running.add(name);
      const release = async (): Promise<void> => {
        await sandbox.forget(sessionId);
        running.delete(name);
      };
      try {
        const job = { argv, sessionId, folder, cwd: folder, writes: 'nothing', memoryBytes } as const;
        const { enforcement, ...contained } = await sandbox.contain(job);
        if (enforcement !== 'none') return { ...contained, release };
      } catch (error) {
        await release();
        throw error;
      }
      await release();
      return undefined;
    },
    isRunning: (name) => running.has(name),
  };
}
