import { PassThrough } from 'node:stream';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import type { Host } from '@fucina/host';
import { systemAmbient } from '@fucina/shared';
import type { Reply, Script } from '@fucina/testkit';
import type { Choices } from '../src/choices.ts';
import type { Io } from '../src/io.ts';
import { openHost } from '../src/open-host.ts';
import { createConversation, type LiveConversation } from '../src/screen/conversation/conversation.ts';
import type { ScreenItem } from '../src/screen/conversation/state.ts';
import type { BusyInput } from '../src/screen/workbench.ts';
import { createTerminal } from '../src/terminal.ts';
import { type TestComputer, testComputer } from './harness.ts';

export interface OpenConversation extends AsyncDisposable {
  computer: TestComputer;
  host: Host;
  conversation: LiveConversation;
  /** Notifications, and background errors. */
  called: string[];
  failures: unknown[];
  say(text: string, how?: BusyInput): Promise<void>;
  until(is: () => boolean): Promise<void>;
  idle(): Promise<void>;
  /** Another one on the same data folder. */
  another(choices?: Partial<Choices>): Promise<OpenConversation>;
}

const CHOICES = {
  model: 'ollama:tiny',
  level: undefined,
  mode: undefined,
  isUnattended: false,
  effort: undefined,
  resume: undefined,
  doesContinue: false,
  doesFork: false,
  worktree: undefined,
} as const;

/** A conversation of the screen with a scripted model and real folders, without drawing. */
export async function open(
  script: Script,
  choices: Partial<Choices> = {},
  files?: Record<string, string>,
): Promise<OpenConversation> {
  const computer = await testComputer(script, files);
  if ('model' in choices && choices.model === undefined) await computer.leaveNoDefaultModel();
  const opened = await openOn(computer, choices);
  return {
    ...opened,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await computer[Symbol.asyncDispose]();
    },
  };
}

async function openOn(computer: TestComputer, choices: Partial<Choices>): Promise<OpenConversation> {
  const io: Io = {
    env: { ...computer.env },
    cwd: computer.project.path,
    home: computer.env.HOME ?? '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    onInterrupt: () => () => undefined,
    onEnd: () => () => undefined,
    ambient: async (level) => systemAmbient(level),
  };
  const host = await openHost(io, { dir: io.cwd });
  const called: string[] = [];
  const failures: unknown[] = [];
  const conversation = createConversation({
    terminal: createTerminal(io),
    ambient: systemAmbient('silent'),
    choices: { ...CHOICES, dir: io.cwd, host: { dir: io.cwd }, ...choices },
    busyInput: 'queue',
    services: Promise.resolve(host.services),
    changed: () => undefined,
    happened: (what) => called.push(what),
    failed: (error) => failures.push(error),
  });
  const until = async (is: () => boolean): Promise<void> => {
    // A message is being sent for a few milliseconds only.
    for (let left = 2_000; left > 0 && !is(); left -= 1) await immediate();
    for (let left = 6_000; !is(); left -= 1) {
      if (left === 0) throw new Error(`never came: ${JSON.stringify(conversation.state().items, undefined, 1)}`);
      await pause(10);
    }
  };
  return {
    computer,
    host,
    conversation,
    called,
    failures,
    until,
    say: (text, how) => conversation.say({ text, images: [] }, how),
    idle: () => until(() => !conversation.isBusy()),
    another: (more = {}) => openOn(computer, more),
    async [Symbol.asyncDispose]() {
      conversation.close();
      await host.close();
    },
  };
}
export const ofKind = <Kind extends ScreenItem['kind']>({ conversation }: OpenConversation, kind: Kind) =>
  conversation.state().items.filter((item): item is Extract<ScreenItem, { kind: Kind }> => item.kind === kind);
export const answers = (s: OpenConversation): string[] => ofKind(s, 'text').map(({ text }) => text);
export const said = (s: OpenConversation): string[] => ofKind(s, 'user').map(({ text }) => text);
export const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
