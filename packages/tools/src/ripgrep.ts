import { createRequire } from 'node:module';
import { once, type ProcessOutcome, runProcess, textStart, withFolderInside } from '@fucina/shared';
import type { ToolsNeeds } from './needs.ts';

export interface RipgrepRequest {
  root: string;
  /** Working folder, relative to the root. */
  path: string;
  args: readonly string[];
  signal: AbortSignal;
  timeoutMs: number;
  /** Called for each complete record; false stops the search. */
  onRecord(record: string): boolean;
  /** Terminator of a record. */
  separator: '\0' | '\n';
}

const COMMON = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-messages',
  '--color=never',
  '--null',
  '--glob=!.git',
];
const MAX_RECORD = 64 * 1024;

/** As its package finds it. That is an ES module: the first one takes Node longer to load than a search. */
const program = once((): string => {
  const require = createRequire(import.meta.url);
  const inPackage = createRequire(require.resolve('@vscode/ripgrep'));
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return inPackage.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
});

/**
 * Runs ripgrep in a folder inside the root: ignore files applied, without `.git`, links not followed, no own
 * configuration. The folder is passed by its handle, so its name may change in the meantime.
 */
export async function runRipgrep(
  { ambient, environment }: ToolsNeeds,
  { root, path, args, signal, timeoutMs, onRecord, separator }: RipgrepRequest,
): Promise<ProcessOutcome & { isStopped: boolean }> {
  const enough = new AbortController();
  let rest = '';
  const onText = (text: string, stream: 'stdout' | 'stderr'): void => {
    if (stream === 'stderr' || enough.signal.aborted) return;
    const records = (rest + text).split(separator);
    rest = textStart(records.pop() ?? '', MAX_RECORD);
    if (!records.every((record) => onRecord(record))) enough.abort();
  };
  const outcome = await withFolderInside(root, path, (folder) =>
    runProcess({
      ambient,
      environment,
      argv: [program(), ...COMMON, ...args, './'],
      cwd: folder,
      signal: AbortSignal.any([signal, enough.signal]),
      timeoutMs,
      keepBytes: 8192,
      // It starts no program.
      leavesNothing: true,
      onText,
    }),
  );
  return { ...outcome, isStopped: enough.signal.aborted };
}
