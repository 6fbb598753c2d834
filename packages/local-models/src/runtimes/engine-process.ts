import { type Ambient, type Environment, type RunningProcess, startProcess, textStart } from '@fucina/shared';
import type { EngineProblem, EngineReport } from '../engine/engine-config.ts';
import type { Launch } from '../engine/launch.ts';

/** The process of an engine, independent of its output format. */
export interface EngineProcess {
  /** Resolves with its address; rejects when it ended before. */
  port: Promise<number>;
  /** Resolves when the process group has ended. */
  ended: Promise<void>;
  /** Why it failed, if it reported that. */
  problem(): EngineProblem | 'not-started' | undefined;
  stop(): Promise<void>;
}

export interface EngineProcessNeeds {
  ambient: Ambient;
  /** Environment of this process: the engine gets only its safe part. */
  environment: Environment;
  /** Absolute working folder. */
  folder: string;
}

const KEEP_BYTES = 65_536;
const MAX_LINE = 4_096;

export function startEngine({ ambient, environment, folder }: EngineProcessNeeds, launch: Launch): EngineProcess {
  let problem: EngineProblem | 'not-started' | undefined;
  let tellPort: (port: number) => void = () => undefined;
  let rejectPort: (error: Error) => void = () => undefined;
  const port = new Promise<number>((resolve, reject) => {
    tellPort = resolve;
    rejectPort = reject;
  });
  port.catch(() => undefined); // the caller that waits for it gets the error
  if (launch.port !== null) tellPort(launch.port);
  const onReport = (line: EngineReport): void => {
    if ('port' in line) tellPort(line.port);
    else problem = line.problem;
  };
  const child: RunningProcess = startProcess({
    ambient,
    argv: launch.argv,
    cwd: folder,
    environment,
    extraEnvironment: launch.extraEnvironment ?? {},
    keepsInputOpen: true,
    isGuarded: true,
    keepBytes: KEEP_BYTES,
    ...(launch.firstLine !== undefined && { onText: reportReader(onReport) }),
  });
  if (launch.firstLine !== undefined) child.input?.write(launch.firstLine);
  const ended = child.done.then(({ ending, exitCode, signal, problem: cause }) => {
    if (ending === 'not-started') problem ??= 'not-started';
    ambient.log.info('engine.ended', { ending, exitCode, signal, problem: cause ?? problem ?? null });
    rejectPort(new Error('the engine ended'));
  });
  return { port, ended, problem: () => problem, stop: () => child.stop() };
}

/** Other output of libraries is ignored. */
function reportReader(onReport: (line: EngineReport) => void): (text: string, stream: 'stdout' | 'stderr') => void {
  let rest = '';
  return (text, stream) => {
    if (stream !== 'stdout') return;
    const lines = (rest + text).split('\n');
    rest = textStart(lines.pop() ?? '', MAX_LINE);
    for (const line of lines) {
      const report = readReport(line);
      if (report) onReport(report);
    }
  };
}

function readReport(line: string): EngineReport | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    if ('port' in value && typeof value.port === 'number') return { port: value.port };
    if ('problem' in value) return { problem: value.problem as EngineProblem };
  } catch {
    // Not a report.
  }
  return undefined;
}
