import type { Words } from '../../words/words.ts';
import { ACTION_NAMES, type Action, type Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import { textSpan, wrapLine } from '../render/wrap.ts';
import type { Workbench } from '../workbench.ts';
import { customCommands } from './custom-commands.ts';

/** A command of the screen, as help lists it. */
interface HelpCommand {
  name: string;
  usage?: string;
  about: keyof Words;
}

/** All current commands and keys. */
export async function showHelp(workbench: Workbench, commands: readonly HelpCommand[]): Promise<void> {
  const { terminal, keymap, page } = workbench;
  const { say } = terminal;
  const written = (await customCommands(workbench))
    .filter(({ name }) => !commands.some((command) => command.name === name))
    .map(({ usage, summary }) => ({ name: usage, about: summary }));
  const rows: HelpRow[] = [
    { heading: say('help.screen-commands') },
    ...commands.map(({ name, usage = '', about }) => ({ name: `/${name} ${usage}`.trim(), about: say(about) })),
    ...(written.length ? [{ heading: say('help.screen-project') }, ...written] : []),
    { heading: say('help.screen-signs') },
    { name: '@path', about: say('help.screen-file') },
    { name: '!command', about: say('help.screen-shell') },
    { name: '\\ Enter', about: say('key.newline') },
    { heading: say('help.screen-keys') },
    ...ACTION_NAMES.flatMap((action) => keyRow(action, keymap, say(`key.${action}`))),
    { heading: '' },
    { about: say('help.screen-keymap') },
  ];
  page(say('help.screen-title'), (width) => rows.flatMap((row) => drawRow(row, width)));
}

interface HelpRow {
  heading?: string;
  name?: string;
  about?: string;
}

function keyRow(action: Action, keymap: Keymap, about: string): HelpRow[] {
  const keys = keymap.keysOf(action).map(shownKey).join(', ');
  return keys ? [{ name: keys, about }] : [];
}

/** `ctrl+shift+z` with the labels of a keyboard. */
export function shownKey(key: string): string {
  return key
    .split(/\+(?=.)/)
    .map(
      (part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1)),
    )
    .join('+');
}

const NAMES: Readonly<Record<string, string>> = {
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

const NAME_WIDTH = 46;
const NAME_SHARE = 0.45;

function drawRow({ heading, name, about = '' }: HelpRow, width: number): Line[] {
  if (heading !== undefined) return [[], [textSpan(heading, { token: 'accent', isBold: true })]];
  if (name === undefined) return wrapLine([textSpan(about, { token: 'muted' })], width);
  const words = textSpan(name, { isBold: true });
  const room = Math.min(NAME_WIDTH, Math.floor(width * NAME_SHARE));
  if (words.text.length >= room)
    return [
      ...wrapLine([{ text: '  ' }, words], width),
      ...wrapLine([textSpan(about)], width, { first: [{ text: '      ' }] }),
    ];
  const first: Line = [{ text: '  ' }, { ...words, text: words.text.padEnd(room) }];
  return wrapLine([textSpan(about)], width, { first, rest: [{ text: ' '.repeat(room + 2) }] });
}
