import { readdir, readFile, readlink } from 'node:fs/promises';
import { textStart } from '@fucina/shared';
import { processesIn, socketsSeenBy } from './namespace-processes.ts';

/** The program of a connection, as the card names it. */
export interface ClientProgram {
  program?: string;
  /** Its command line, truncated. */
  command?: string;
}

const MAX_NAME = 40;
const MAX_COMMAND = 500;

/**
 * Which program connected from a port of a namespace; empty if unknown. Read from /proc, so names are the programs'
 * own.
 */
export async function clientOf(namespace: string, port: number | undefined): Promise<ClientProgram> {
  if (port === undefined) return {};
  const inside = await processesIn(namespace);
  const socket = inside[0] === undefined ? undefined : await socketOf(inside[0], port);
  if (socket === undefined) return {};
  const found = await Promise.all(inside.map((pid) => holds(pid, socket)));
  const pid = inside[found.lastIndexOf(true)];
  if (pid === undefined) return {};
  const words = (await read(`/proc/${pid}/cmdline`)).split('\0').filter(Boolean);
  const program = clean((await read(`/proc/${pid}/comm`)).trim(), MAX_NAME);
  const command = clean(words.join(' '), MAX_COMMAND);
  return { ...(program && { program: scriptName(program, words) }), ...(command && { command }) };
}

/** `node /usr/bin/npm ci` is shown as npm. */
function scriptName(program: string, words: readonly string[]): string {
  const script = words.slice(1).find((word) => !word.startsWith('-'));
  if (!/^(?:node|python[\d.]*|ruby|perl|php|bash|sh)$/.test(program) || script === undefined) return program;
  const name = clean(script.split('/').at(-1) ?? '', MAX_NAME).replace(/(?:-cli)?\.[cm]?js$|\.py$|\.rb$/, '');
  return name || program;
}

/** `socket:[inode]` of the connection that leaves from this port. */
async function socketOf(pid: string, port: number): Promise<string | undefined> {
  const found = (await socketsSeenBy(pid)).find((one) => one.port === port && !one.isListening && one.inode !== '0');
  return found && `socket:[${found.inode}]`;
}

async function holds(pid: string, socket: string): Promise<boolean> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  return targets.includes(socket);
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** A program chooses both itself: control characters and line breaks are removed. */
function clean(text: string, max: number): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain.length > max ? `${textStart(plain, max - 1)}…` : plain;
}
