import { type Input, key } from '../src/screen/input/input.ts';
import { createKeymap } from '../src/screen/input/keymap.ts';
import type { Line } from '../src/screen/line.ts';
import type { ScreenPart } from '../src/screen/part.ts';
import type { PanelNeeds } from '../src/screen/requests/panel.ts';
import { createRequestPanel } from '../src/screen/requests/request-panel.ts';
import type { OpenRequest, RequestAnswer } from '../src/screen/workbench.ts';
import { createTerminal } from '../src/terminal.ts';

/** A card, the pressed keys and their effects. */
export interface RequestFixture {
  panel: ScreenPart<Input>;
  answers: RequestAnswer[];
  pages: string[];
  screen(width?: number, height?: number): string;
  press(...names: string[]): boolean[];
  wait(ms: number): Promise<void>;
  composer: { text: string };
  /** Direct output to the terminal. */
  written: string[];
}

export const shown = (lines: readonly Line[]): string =>
  lines
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n');

function pressed(name: string): Input {
  if (name === 'space') return key('space', { text: ' ' });
  return name.length === 1 ? key(name.toLowerCase(), { text: name }) : key(name);
}

/** The card with a manual clock; half a second has passed unless `isFresh`. */
export async function requestFixture(
  request: OpenRequest,
  {
    isFresh = false,
    rules = ['Bash(npm test)'],
    keys = {},
    fails = false,
    language = 'en',
  }: {
    isFresh?: boolean;
    rules?: readonly string[];
    keys?: Record<string, string[]>;
    fails?: boolean;
    language?: string;
  } = {},
): Promise<RequestFixture> {
  let now = 0;
  const timers: { at: number; act: () => void }[] = [];
  const composer = { text: '' };
  const answers: RequestAnswer[] = [];
  const pages: string[] = [];
  const written: string[] = [];
  const stdout = { write: (text: string) => written.push(text) };
  const io = { env: { LANG: language }, stdout, stderr: {} } as never;
  const needs = {
    terminal: createTerminal(io),
    ambient: {
      monotonic: () => now,
      timer: (ms: number, act: () => void) => {
        timers.push({ at: now + ms, act });
        return () => undefined;
      },
    },
    keymap: createKeymap(keys),
    highlight: () => undefined,
    isComposerEmpty: () => composer.text === '',
    changed: () => undefined,
    page: (title: string, lines: (width: number) => readonly Line[]) =>
      void pages.push(`${title}\n${shown(lines(80))}`),
    rules: async () => rules,
    respond: async (answer: RequestAnswer) => {
      answers.push(answer);
      if (fails) throw new Error('busy');
    },
  } as unknown as PanelNeeds;
  const panel = createRequestPanel(request, needs);
  const wait = async (ms: number): Promise<void> => {
    now += ms;
    for (const timer of timers.splice(0))
      if (timer.at <= now) timer.act();
      else timers.push(timer);
    await Promise.resolve();
    await Promise.resolve();
  };
  await wait(isFresh ? 0 : 500);
  return {
    panel,
    answers,
    pages,
    composer,
    written,
    wait,
    screen: (width = 60, height = 14) => shown(panel.draw({ width, height }).lines),
    press: (...names) => names.map((name) => panel.take(pressed(name))),
  };
}
