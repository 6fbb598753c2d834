import { Readable, Writable } from 'node:stream';
import type { Host } from '@fucina/host';
import { systemAmbient } from '@fucina/shared';
import { choicesOf } from '../src/choices.ts';
import { readConfig } from '../src/config/config.ts';
import type { Io, Output } from '../src/io.ts';
import { openHost } from '../src/open-host.ts';
import { runProgram } from '../src/program.ts';
import { send } from '../src/screen/commands/send.ts';
import { createConversation, type LiveConversation } from '../src/screen/conversation/conversation.ts';
import { createKeymap } from '../src/screen/input/keymap.ts';
import type { Line } from '../src/screen/line.ts';
import type { PickerRequest, Workbench } from '../src/screen/workbench.ts';
import { createTerminal } from '../src/terminal.ts';
import type { TestComputer } from './harness.ts';

/** The screen's parts without a screen: the real host and conversation, and what would be shown. */
export interface Inside extends AsyncDisposable {
  workbench: Workbench;
  host: Host;
  conversation: LiveConversation;
  /** Notices so far, each with its tone and text. */
  reported: string[];
  pages: { title: string; text: string }[];
  picked: PickerRequest<unknown>[];
  /** Text that was restored in the composer. */
  restored: string[];
  isLeft(): boolean;
  /** As if it were typed and sent. */
  type(text: string): Promise<void>;
  /** Chooses the row of the newest picker whose label contains this text. */
  choose(label: string): Promise<void>;
  /** Resolves when no turn runs. */
  rests(): Promise<void>;
}

const WIDTH = 100;

export async function inside(computer: TestComputer, model = 'ollama:tiny'): Promise<Inside> {
  const io = ioOf(computer);
  const terminal = createTerminal(io);
  const config = readConfig(io, computer.project.path);
  const host = await openHost(io, { dir: computer.project.path });
  const { services } = host;
  const ambient = systemAmbient('silent');
  const seen = { reported: [] as string[], pages: [] as Inside['pages'], picked: [] as PickerRequest<unknown>[] };
  const restored: string[] = [];
  let isLeft = false;
  const conversation = createConversation({
    terminal,
    ambient,
    choices: choicesOf({ model }, config, { io, dir: computer.project.path }),
    busyInput: 'queue',
    services: Promise.resolve(services),
    changed: () => undefined,
    happened: () => undefined,
    failed: (error) => void seen.reported.push(`bug: ${String(error)}`),
  });
  const workbench: Workbench = {
    services,
    terminal,
    config,
    dir: computer.project.path,
    host: {},
    keymap: createKeymap(),
    conversation,
    tell: ({ tone, title, body }) =>
      void seen.reported.push(
        `${tone}: ${[title, typeof body === 'string' ? body : textOf(body)].filter(Boolean).join('\n')}`,
      ),
    pick: (request) => void seen.picked.push(request as unknown as PickerRequest<unknown>),
    page: (title, lines) => void seen.pages.push({ title, text: textOf(lines(WIDTH)) }),
    compose: (text) => void restored.push(text),
    suspend: (use) => use(),
    redraw: () => void seen.reported.push('redrawn'),
    exit: () => (isLeft = true),
    runProgram,
  };
  return {
    workbench,
    host,
    conversation,
    ...seen,
    restored,
    isLeft: () => isLeft,
    type: (text) => send({ text, images: [] }, undefined, { workbench, restore: (back) => void restored.push(back) }),
    async choose(label) {
      const request = seen.picked.at(-1);
      const row = (await request?.rows)?.find((one) => one.label.includes(label));
      if (!request || !row) throw new Error(`nothing to choose is called ${label}`);
      await request.choose(row.value);
    },
    async rests() {
      while (conversation.isBusy()) await ambient.sleep(5);
    },
    async [Symbol.asyncDispose]() {
      conversation.close();
      await host.close();
    },
  };
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

function ioOf(computer: TestComputer): Io {
  const sink = (): Output => new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    env: { ...computer.env },
    cwd: computer.project.path,
    home: String(computer.env.HOME),
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(),
    onInterrupt: () => () => undefined,
    onEnd: () => () => undefined,
    ambient: async (level) => systemAmbient(level),
  };
}
