import { join } from 'node:path';
import {
  type Environment,
  launchProcess,
  type ProcessOutcome,
  type RunningProcess,
  systemAmbient,
  type WriteReach,
} from '@fucina/shared';
import { createSessionNetworks } from '../src/network/session-network.ts';
import { createSandbox, type Sandbox, type SandboxNeeds } from '../src/sandbox.ts';

const ambient = systemAmbient('silent');
const programs = async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' });

interface FolderOptions extends Pick<SandboxNeeds, 'deniesReading'> {
  /** Of the folder; default: `project`. */
  name?: string;
  /** More variables of the commands and the sandbox. */
  variables?: Environment;
}

/** A command that may start, once: what it sees is decided. */
export interface ContainedCommand {
  start(): Promise<RunningProcess>;
  settle(): Promise<unknown>;
  notices(): readonly string[];
}

export interface SandboxedFolder extends AsyncDisposable {
  /** Absolute. */
  folder: string;
  sandbox: Sandbox;
  contain(script: string, writes?: WriteReach): Promise<ContainedCommand>;
  run(script: string, writes?: WriteReach): Promise<ProcessOutcome>;
  /** Its standard output. */
  print(script: string, writes?: WriteReach): Promise<string>;
}

/**
 * A sandbox for scripts of bash in a folder of `place`, whose `home` is the user's and `data` the data folder. The place
 * must not be a temporary folder: sandboxes replace those by the session's own.
 */
export function sandboxedFolder(
  place: string,
  { name = 'project', variables = {}, ...needs }: FolderOptions = {},
): SandboxedFolder {
  const folder = join(place, name);
  const environment = { ...process.env, HOME: join(place, 'home'), ...variables };
  const networks = createSessionNetworks({ ambient, environment, programs });
  const sandbox = createSandbox({ ambient, environment, dataDir: join(place, 'data'), networks, ...needs });
  const contain: SandboxedFolder['contain'] = async (script, writes = 'folder') => {
    const argv = ['/bin/bash', '-c', script] as const;
    const { settle, notices, ...job } = await sandbox.contain({ argv, sessionId: 's', folder, cwd: folder, writes });
    return { settle, notices, start: () => launchProcess({ ...job, ambient, environment }) };
  };
  const run: SandboxedFolder['run'] = async (script, writes) => {
    const { start, settle } = await contain(script, writes);
    const outcome = await (await start()).done;
    await settle();
    return outcome;
  };
  return {
    folder,
    sandbox,
    contain,
    run,
    print: async (script, writes) => (await run(script, writes)).stdout.bytes.toString(),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}
