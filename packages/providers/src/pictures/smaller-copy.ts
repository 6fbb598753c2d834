import { tmpdir } from 'node:os';
import { type Ambient, type Environment, moduleArgv, moduleBeside, runProcess } from '@fucina/shared';
import type { PictureTarget } from './picture-facts.ts';
import type { PictureFormat } from './picture-limits.ts';

export interface SmallerCopy {
  mimeType: PictureFormat;
  bytes: Uint8Array;
  width: number;
  height: number;
  /** Of the original, as it is looked at. */
  from: { width: number; height: number };
  /** More than one: only the first image of the animation is in the copy. */
  pages: number;
}

/** First line of what the program writes. */
export type CopyReport = Omit<SmallerCopy, 'bytes'> | { problem: CopyProblem };

/** `no-library`: this system has no decoder of ours. */
export type CopyProblem = 'unreadable' | 'no-library';

export interface CopyNeeds {
  ambient: Ambient;
  environment: Environment;
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;
const entry = moduleBeside(import.meta.url, 'picture-main');

/** A copy of the picture that meets the target. */
export async function smallerCopy(
  { ambient, environment, signal }: CopyNeeds & { signal: AbortSignal },
  bytes: Uint8Array,
  target: PictureTarget,
): Promise<SmallerCopy | CopyProblem> {
  const { exitCode, ending, stdout } = await runProcess({
    ambient,
    environment,
    argv: moduleArgv(entry),
    cwd: tmpdir(),
    input: Buffer.concat([Buffer.from(`${JSON.stringify(target)}\n`), bytes]),
    timeoutMs: TIMEOUT_MS,
    signal,
    keepBytes: MAX_OUTPUT,
    leavesNothing: true,
  });
  const end = stdout.bytes.indexOf('\n');
  if (exitCode !== 0 || end < 0 || stdout.droppedBytes > 0) {
    ambient.log.warn('pictures.copy-failed', { ending, exitCode });
    return 'unreadable';
  }
  const report = JSON.parse(stdout.bytes.toString('utf8', 0, end)) as CopyReport;
  return 'problem' in report ? report.problem : { ...report, bytes: stdout.bytes.subarray(end + 1) };
}
