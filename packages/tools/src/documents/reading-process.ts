import { type ChildProcess, execFile, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setInterval as every } from 'node:timers/promises';
import { promisify } from 'node:util';
import { boundedJob, moduleArgv, moduleBeside, systemCode, type WorkerBounds } from '@fucina/shared';
import type { FromReader, ToReader } from './reading-job.ts';

/** A document: its bytes, or an open file, read from its beginning and left open. */
export interface DocumentSource {
  source: Uint8Array | FileHandle;
  sizeBytes: number;
}

const entry = moduleBeside(import.meta.url, 'document-reader');

const MIB = 1024 * 1024;
/** A process can touch some 1 MiB a millisecond; elsewhere another program has to be asked. */
const WATCH_MS = process.platform === 'linux' ? 10 : 250;
const NEW_SPACE_MIB = 8;

/**
 * Reads an untrusted document in a process of its own; `bounds.memoryMiB` limits all that the process has in memory,
 * watched from outside. Throws WorkerError; a process that is not needed any more is killed.
 */
export async function runReader<Answer>(
  input: unknown,
  { source, sizeBytes }: DocumentSource,
  bounds: WorkerBounds,
): Promise<Answer> {
  const [, ...module] = moduleArgv(entry);
  const child = fork(module.at(-1) ?? '', [], {
    env: {},
    execArgv: [
      ...module.slice(0, -1),
      `--max-old-space-size=${bounds.memoryMiB}`,
      `--max-semi-space-size=${NEW_SPACE_MIB}`,
    ],
    serialization: 'advanced',
    stdio: [source instanceof Uint8Array ? 'pipe' : source.fd, 'ignore', 'ignore', 'ipc'],
  });
  // Whoever is killed stops reading.
  child.stdin?.on('error', () => undefined);
  child.send({ input, sizeBytes } satisfies ToReader, () => undefined);
  if (source instanceof Uint8Array) (child.stdin as Writable).end(source);
  return answerOf<Answer>(child, bounds);
}

function answerOf<Answer>(child: ChildProcess, bounds: WorkerBounds): Promise<Answer> {
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const { answer, succeed, fail, over } = boundedJob<Answer>(bounds, () => {
    process.off('exit', kill);
    kill();
  });
  child.once('message', (message: FromReader) => {
    if ('failure' in message) fail('failed', new Error(message.failure));
    else succeed(message.answer as Answer);
  });
  child.once('error', (error) => fail('failed', error));
  child.once('exit', (code, end) =>
    // V8 ends a process that needs more heap.
    fail(end === 'SIGABRT' || code === 134 ? 'memory' : 'failed', new Error(`the reader ended (${end ?? code})`)),
  );
  outgrows(child, bounds.memoryMiB * MIB, over).then(
    (isOver) => isOver && fail('memory'),
    (error: unknown) => fail('failed', error),
  );
  return answer;
}

/** Resolves with true when the process has more than the limit in memory, with false when it has ended. */
async function outgrows({ pid }: ChildProcess, limit: number, signal: AbortSignal): Promise<boolean> {
  if (pid === undefined) return false;
  try {
    for await (const _tick of every(WATCH_MS, undefined, { ref: false, signal })) {
      const resident = await residentBytes(pid);
      if (resident === undefined) return false;
      if (resident > limit) return true;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return false;
}

/** What a process has in memory now, in bytes; undefined when it has ended. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') return residentOnLinux(pid);
  const [program, ...args] =
    process.platform === 'win32'
      ? ['tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']
      : ['ps', '-o', 'rss=', '-p', `${pid}`];
  try {
    const { stdout } = await promisify(execFile)(program as string, args);
    const digits = /([\d.,\s]+)(?:K"?)?\s*$/.exec(stdout)?.[1]?.replaceAll(/\D/g, '');
    return digits ? Number(digits) * 1024 : undefined;
  } catch {
    return undefined; // `ps` fails when there is no such process
  }
}

/** Not `statm`: it counts pages, whose size differs between computers. */
function residentOnLinux(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ESRCH') return undefined;
    throw error;
  }
}
