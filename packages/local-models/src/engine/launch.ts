import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type Environment, moduleArgv, moduleBeside } from '@fucina/shared';
import type { EngineConfig } from './engine-config.ts';

/** How to start an engine's process, for any engine. */
export interface Launch {
  argv: readonly [string, ...string[]];
  extraEnvironment?: Environment;
  /** The first line of its standard input, which stays open for the engine's lifetime. */
  firstLine?: string;
  /** Null: it prints its own, `{"port": …}`. */
  port: number | null;
}

export interface LaunchRequest extends EngineConfig {
  /** Path of an engine that the user installed; default: ours. */
  program: string | undefined;
}

const ENTRIES = {
  engine: moduleBeside(import.meta.url, 'engine-main'),
  guard: moduleBeside(import.meta.url, 'engine-guard'),
};

/** The key is never on a command line, which every user of the computer may read. */
export async function launchOf(request: LaunchRequest): Promise<Launch> {
  const { program, ...config } = request;
  if (program === undefined) {
    return { argv: moduleArgv(ENTRIES.engine), firstLine: `${JSON.stringify(config)}\n`, port: null };
  }
  const port = await freePort();
  const { modelPath, modelId, contextTokens, threads, key } = config;
  return {
    argv: [
      ...moduleArgv(ENTRIES.guard),
      program,
      ...pairs({ '--host': '127.0.0.1', '--port': port, '-m': modelPath, '-c': contextTokens, '--alias': modelId }),
      ...pairs({ '--parallel': 1, ...(threads !== null && { '--threads': threads }) }),
      '--jinja',
    ],
    extraEnvironment: { LLAMA_API_KEY: key },
    port,
  };
}

function pairs(options: Record<string, string | number>): string[] {
  return Object.entries(options).flatMap(([name, value]) => [name, String(value)]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
