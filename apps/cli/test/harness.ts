import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type OutboundHttp, systemAmbient } from '@fucina/shared';
import { createModelServer, type ModelServer, type Script, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import type { Input, Io, Output } from '../src/io.ts';
import { run } from '../src/run.ts';

export interface Ended {
  exit: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Content of standard input; not used for a terminal. */
  input?: string;
  /** Standard input itself, for an interactive program. */
  stream?: Readable;
  /** All three streams are a terminal. Each question is answered by the next line. */
  answers?: readonly string[];
  env?: Record<string, string>;
  cwd?: string;
  http?: OutboundHttp;
  /** Called at every write with the output so far; may interrupt. */
  watch?(seen: { stdout: string; stderr: string }, interrupt: () => void): void;
}

/** A user's computer: data, settings, a project, and a scripted model behind the provider `ollama`. */
export interface TestComputer extends AsyncDisposable {
  model: ModelServer;
  project: TempRepo;
  dataDir: string;
  configDir: string;
  env: Record<string, string>;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** `-p go` with the scripted model. */
  go(args?: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Makes a second provider ready: a session that names no model is then rejected. */
  leaveNoDefaultModel(): Promise<void>;
}

/** `parent`: where its home is created; default: the temporary folder. */
export async function testComputer(
  script: Script,
  files?: Record<string, string>,
  parent?: string,
): Promise<TestComputer> {
  const own = await tempDir('fucina-', parent);
  const project = await tempRepo(files);
  const model = await createModelServer({ script });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: own.path,
    FUCINA_DATA_DIR: `${own.path}/data`,
    FUCINA_CONFIG_DIR: `${own.path}/config`,
    FUCINA_KEY_STORE: 'memory',
    FUCINA_PUBLIC_CATALOG: '0',
  };
  const runHere: TestComputer['run'] = (args, options = {}) =>
    runIn(args, { cwd: project.path, ...options, env: { ...env, ...options.env } }, own.path);
  await runHere(['provider', 'set-address', 'ollama', model.url]);
  return {
    model,
    project,
    dataDir: env.FUCINA_DATA_DIR,
    configDir: env.FUCINA_CONFIG_DIR,
    env,
    run: runHere,
    go: (args = [], options) => runHere(['-p', 'go', '--model', 'ollama:tiny', ...args], options),
    leaveNoDefaultModel: async () => void (await runHere(['provider', 'set-address', 'lmstudio', model.url])),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

/** Own settings without suggested titles, which ask the model once more; a test that has settings keeps them. */
export async function withoutTitles({ configDir }: TestComputer): Promise<void> {
  await mkdir(configDir, { recursive: true });
  const text = JSON.stringify({ version: 2, ui: { titles: false } });
  await writeFile(join(configDir, 'settings.json'), text, { flag: 'wx' }).catch(() => undefined);
}

async function runIn(args: readonly string[], options: RunOptions, home: string): Promise<Ended> {
  const { answers, input = '', stream, env = {}, cwd = home, watch, http } = options;
  const isTTY = answers !== undefined;
  const left = [...(answers ?? [])];
  const listeners = new Set<() => void>();
  const interrupt = (): void => {
    for (const listener of listeners) listener();
  };
  const seen = { stdout: '', stderr: '' };
  const typed = new PassThrough();
  const output = (name: keyof typeof seen): Output => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        seen[name] += String(chunk);
        watch?.(seen, interrupt);
        if (name === 'stderr' && String(chunk).includes('›')) typed.write(`${left.shift() ?? 'n'}\n`);
        done();
      },
    });
    return Object.assign(stream, { isTTY });
  };
  const stdin: Input = Object.assign(isTTY ? typed : (stream ?? Readable.from([input])), { isTTY });
  const io: Io = {
    env: { ...env },
    cwd,
    home,
    stdin,
    stdout: output('stdout'),
    stderr: output('stderr'),
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEnd: () => () => undefined,
    ambient: async (level) => systemAmbient(level),
    ...(http && { http }),
  };
  const exit = await run(args, io);
  return { exit, ...seen };
}

/** Text without colors. */
export function plain(text: string): string {
  return stripVTControlCharacters(text);
}
