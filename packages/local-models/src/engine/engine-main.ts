import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { systemAmbient } from '@fucina/shared';
import { type ChatModel, openModel } from './chat-model.ts';
import type { EngineConfig, EngineProblem, EngineReport } from './engine-config.ts';
import { listen } from './engine-server.ts';

/** The engine's own process: a crash in native code ends only this process. */
async function main(): Promise<void> {
  const config = await readConfig();
  const ambient = systemAmbient('silent');
  // The library tests its native part in a child process, which needs none of our flags.
  process.execArgv = [];
  // The parent process has ended.
  process.stdin.once('close', () => process.exit(0));
  let model: ChatModel | undefined;
  let progress = 0;
  const { port } = await listen({
    ambient,
    key: config.key,
    modelId: config.modelId,
    model: () => model,
    progress: () => progress,
  });
  report({ port });
  try {
    model = await openModel(ambient, config, (share) => {
      progress = share;
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'unknown'}\n`);
    report({ problem: problemOf(error) });
    process.exitCode = 1;
    process.stdin.destroy();
  }
}

/** One line of JSON; the stream stays open after it. */
async function readConfig(): Promise<EngineConfig> {
  const lines = createInterface({ input: process.stdin });
  const [line] = (await once(lines, 'line')) as [string];
  lines.on('line', () => undefined);
  return JSON.parse(line) as EngineConfig;
}

function report(line: EngineReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function problemOf(error: unknown): EngineProblem {
  const sentence = error instanceof Error ? error.message : '';
  if (error instanceof Error && error.name === 'NoBinaryFoundError') return 'library';
  return /memory|alloc|vram|context/i.test(sentence) ? 'memory' : 'file';
}

void main();
