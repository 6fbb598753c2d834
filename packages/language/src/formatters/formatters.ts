import { extname, join } from 'node:path';
import {
  type Ambient,
  capturedText,
  type Environment,
  type ProcessOutcome,
  runProcess,
  textStart,
} from '@fucina/shared';
import { languageError } from '../errors.ts';
import { isFile, isProgram, programOnPath } from '../programs.ts';
import type { ProgramTrust, ServersNeeds, TrustedProgram } from '../servers.ts';
import type { FormatterChoices } from './formatter-choices.ts';
import { FORMATTER_KINDS, type FormatterKind } from './formatter-table.ts';

/** A formatter that is installed for a project. */
export interface FormatterRow {
  id: string;
  extensions: readonly string[];
  /** Its program. */
  command: string;
  isOfProject: boolean;
  isOn: boolean;
  /** False when a program of the project changed since it was turned on: then it does not run. */
  isTrusted: boolean;
}

export interface FileToFormat {
  /** Absolute real path of the project. */
  folder: string;
  /** Relative. */
  path: string;
  text: string;
  signal: AbortSignal;
}

/** `problem` is a sentence in English, for the model. */
export type Formatted = { id: string } & ({ text: string } | { problem: string });

/** Formatters of projects: off until the user turns one on, and run only in the sandbox. */
export interface Formatters {
  /** Those that are installed and suit the project, and those that are on. */
  rows(folder: string): Promise<FormatterRow[]>;
  /** Turning on a program of the project is the trust in it as it is now. NOT_FOUND. */
  turn(folder: string, id: string, isOn: boolean): Promise<FormatterRow>;
  /** Undefined when no formatter for this file is on. Never rejects. */
  format(file: FileToFormat): Promise<Formatted | undefined>;
}

interface FormattersNeeds {
  ambient: Ambient;
  environment: Environment;
  contain: ServersNeeds['contain'];
  trust: ProgramTrust;
  choices: FormatterChoices;
  /** Default: ten seconds. */
  limitMs?: number | undefined;
}

interface Found {
  kind: FormatterKind;
  program: TrustedProgram;
}

const LIMIT_MS = 10_000;
const MEMORY_BYTES = 4 * 1024 ** 3;
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_PROBLEM = 200;

export function createFormatters(needs: FormattersNeeds): Formatters {
  const { trust, choices } = needs;
  let count = 0;
  const rowOf = async ({ kind, program }: Found): Promise<FormatterRow> => {
    const { id, extensions, isOfProject } = kind;
    const isOn = await choices.isOn(program.folder, id);
    const isTrusted = !isOfProject || (await trust.isTrusted(program));
    return { id, extensions, command: program.argv[0], isOfProject, isOn, isTrusted };
  };
  return {
    async rows(folder) {
      const found = await findAll(folder, needs.environment);
      const rows = await Promise.all(
        found.map(async (one) => ({ row: await rowOf(one), isFitting: await suits(one.kind, folder) })),
      );
      return rows.filter(({ row, isFitting }) => isFitting || row.isOn).map(({ row }) => row);
    },
    async turn(folder, id, isOn) {
      const found = (await findAll(folder, needs.environment)).find(({ kind }) => kind.id === id);
      if (!found) throw languageError('NOT_FOUND', { reason: 'formatter' });
      if (isOn && found.kind.isOfProject) await trust.trust(found.program);
      await choices.turn(folder, id, isOn);
      return rowOf(found);
    },
    async format(file) {
      try {
        const extension = extname(file.path).toLowerCase();
        for (const kind of FORMATTER_KINDS.filter(({ extensions }) => extensions.includes(extension))) {
          if (!(await choices.isOn(file.folder, kind.id))) continue;
          const found = await find(kind, file.folder, needs.environment);
          if (!found) return { id: kind.id, problem: 'it is not installed any more' };
          if (!(await rowOf(found)).isTrusted) return { id: kind.id, problem: 'it changed since the user trusted it' };
          return { id: kind.id, ...(await run(needs, { found, file, count: (count += 1) })) };
        }
      } catch (error) {
        needs.ambient.log.error('formatter.failed', { error });
      }
      return undefined;
    },
  };
}

type Outcome = { text: string } | { problem: string };

async function run(
  { ambient, environment, contain, limitMs = LIMIT_MS }: FormattersNeeds,
  { found, file, count }: { found: Found; file: FileToFormat; count: number },
): Promise<Outcome> {
  const { folder, path, text, signal } = file;
  if (Buffer.byteLength(text) > MAX_TEXT) return { problem: 'the file is larger than 4 MiB' };
  const argv = [found.program.argv[0], ...found.kind.args(path)] as [string, ...string[]];
  const job = { id: `formatter-${process.pid}-${count}`, argv, folder, memoryBytes: MEMORY_BYTES };
  const contained = await contain(job);
  if (!contained) return { problem: 'no sandbox works on this computer' };
  const { release, ...start } = contained;
  try {
    const limits = { timeoutMs: limitMs, keepBytes: 2 * MAX_TEXT, isStoppedAtLimit: true };
    const outcome = await runProcess({ ambient, environment, ...start, ...limits, input: text, signal });
    return outcomeOf(outcome, text);
  } finally {
    await release();
  }
}

function outcomeOf({ ending, exitCode, stdout, stderr }: ProcessOutcome, before: string): Outcome {
  if (ending === 'timeout') return { problem: 'it took too long' };
  const text = capturedText(stdout);
  if (ending === 'exit' && exitCode === 0 && (text !== '' || before.trim() === '')) return { text };
  const [line = ''] = capturedText(stderr).trim().split('\n');
  if (exitCode === 0 && line === '') return { problem: 'it printed nothing' };
  return { problem: textStart(line, MAX_PROBLEM) || `it ended with exit code ${exitCode ?? '-'}` };
}

async function suits({ markers }: FormatterKind, folder: string): Promise<boolean> {
  if (!markers) return true;
  return (await Promise.all(markers.map((name) => isFile(join(folder, name))))).includes(true);
}

async function findAll(folder: string, environment: Environment): Promise<Found[]> {
  const each = await Promise.all(FORMATTER_KINDS.map((kind) => find(kind, folder, environment)));
  return each.filter((found) => found !== undefined);
}

async function find(kind: FormatterKind, folder: string, environment: Environment): Promise<Found | undefined> {
  const { id, isOfProject } = kind;
  const name = isOfProject && process.platform === 'win32' ? `${kind.program}.cmd` : kind.program;
  const own = join(folder, 'node_modules/.bin', name);
  const program = isOfProject ? own : await programOnPath(name, { folder, environment });
  if (program === undefined || !(await isProgram(program))) return undefined;
  const manifest = join(folder, 'node_modules', kind.program, 'package.json');
  const files = isOfProject && (await isFile(manifest)) ? [manifest] : [];
  return { kind, program: { id: `formatter-${id}`, folder, argv: [program], files } };
}
