import type { Key } from './input.ts';
import { NAMED_KEYS } from './key-names.ts';

/** The context of a key. `app` applies everywhere except in an approval or a list; the composer adds its own. */
export type Context = 'app' | 'composer' | 'approval' | 'list';

interface ActionFacts {
  context: Context;
  keys: readonly string[];
}

/** Names are public: `ui.keymap` uses them. */
const ACTIONS = {
  interrupt: on('app', 'ctrl+c', 'escape'),
  exit: on('app', 'ctrl+d'),
  suspend: on('app', 'ctrl+z'),
  'transcript-search': on('app', 'alt+t'),
  'transcript-raw': on('app', 'alt+r'),
  'transcript-copy': on('app', 'alt+c'),
  'page-up': on('app', 'pageup'),
  'page-down': on('app', 'pagedown'),
  'permission-mode': on('app', 'shift+tab', 'alt+m'),
  'model-picker': on('app', 'ctrl+l'),
  'provider-picker': on('app', 'alt+p'),
  reasoning: on('app', 'ctrl+t'),
  'tool-details': on('app', 'ctrl+o'),

  submit: on('composer', 'enter'),
  newline: on('composer', 'shift+enter', 'ctrl+j', 'alt+enter'),
  steer: on('composer', 'alt+s'),
  undo: on('composer', 'alt+z', 'ctrl+_', 'ctrl+shift+-'),
  redo: on('composer', 'ctrl+shift+z', 'alt+shift+z', 'alt+/'),
  vim: on('composer', 'alt+v'),
  left: on('composer', 'left', 'ctrl+b'),
  right: on('composer', 'right', 'ctrl+f'),
  'line-start': on('composer', 'home', 'ctrl+a'),
  'line-end': on('composer', 'end', 'ctrl+e'),
  'word-left': on('composer', 'alt+b', 'ctrl+left', 'alt+left'),
  'word-right': on('composer', 'alt+f', 'ctrl+right', 'alt+right'),
  'select-left': on('composer', 'shift+left'),
  'select-right': on('composer', 'shift+right'),
  'select-up': on('composer', 'shift+up'),
  'select-down': on('composer', 'shift+down'),
  'select-line-start': on('composer', 'shift+home'),
  'select-line-end': on('composer', 'shift+end'),
  'select-word-left': on('composer', 'alt+shift+b', 'ctrl+shift+left', 'alt+shift+left'),
  'select-word-right': on('composer', 'alt+shift+f', 'ctrl+shift+right', 'alt+shift+right'),
  copy: on('composer', 'alt+w'),
  'cut-line-start': on('composer', 'ctrl+u'),
  'cut-line-end': on('composer', 'ctrl+k'),
  'cut-word': on('composer', 'ctrl+w', 'alt+backspace', 'ctrl+backspace'),
  'cut-word-right': on('composer', 'alt+d', 'ctrl+delete'),
  paste: on('composer', 'ctrl+y'),
  'paste-image': on('composer', 'ctrl+v'),
  'delete-left': on('composer', 'backspace', 'shift+backspace', 'ctrl+h'),
  'delete-right': on('composer', 'delete'),
  'history-previous': on('composer', 'up', 'ctrl+p'),
  'history-next': on('composer', 'down', 'ctrl+n'),
  'history-search': on('composer', 'ctrl+r'),
  complete: on('composer', 'tab'),
  editor: on('composer', 'ctrl+g'),
  help: on('composer', '?'),

  'approve-once': on('approval', '1'),
  'approve-session': on('approval', '2'),
  'approve-always': on('approval', '3'),
  'deny-once': on('approval', '4'),
  'deny-always': on('approval', '5'),
  'approve-everywhere': on('approval', '6'),
  'approval-cancel': on('approval', 'escape'),
  'approval-view': on('approval', 'v'),

  'list-up': on('list', 'up', 'ctrl+p'),
  'list-down': on('list', 'down', 'ctrl+n'),
  'list-page-up': on('list', 'pageup'),
  'list-page-down': on('list', 'pagedown'),
  'list-first': on('list', 'home'),
  'list-last': on('list', 'end'),
  'list-choose': on('list', 'enter'),
  'list-close': on('list', 'escape', 'ctrl+c'),
} as const satisfies Record<string, ActionFacts>;

export type Action = keyof typeof ACTIONS;

export const ACTION_NAMES: readonly Action[] = Object.keys(ACTIONS) as Action[];

export interface Keymap {
  /** The action of the key in that context. In the composer, its own actions come first. */
  actionOf(key: Key, context: Context): Action | undefined;
  /** In the notation of a settings file; empty when the user removed them. */
  keysOf(action: Action): readonly string[];
}

/** Invalid parts of a settings file. */
export interface KeymapProblem {
  action: string;
  /** Absent: there is no such action. */
  key?: string;
}

/** The default keys, overridden by the user's: a key assigned by the user loses its default action. */
export function createKeymap(chosen: Readonly<Record<string, readonly string[]>> = {}): Keymap {
  const keys = new Map<Action, readonly string[]>();
  const bound = new Map<string, Action>();
  const bind = (action: Action, list: readonly string[], isDefault: boolean): void => {
    const { context } = ACTIONS[action];
    const good = list.flatMap((written) => signatureOf(written) ?? []);
    const free = isDefault ? good.filter((signature) => !bound.has(`${context} ${signature}`)) : good;
    for (const signature of free) bound.set(`${context} ${signature}`, action);
    keys.set(action, free);
  };
  const own = ACTION_NAMES.filter((action) => isOwn(chosen[action]));
  for (const action of own) bind(action, chosen[action] ?? [], false);
  for (const action of ACTION_NAMES) if (!own.includes(action)) bind(action, ACTIONS[action].keys, true);
  return {
    actionOf(key, context) {
      const signature = signatureOfKey(key);
      const found = bound.get(`${context} ${signature}`);
      return found ?? (context === 'composer' ? bound.get(`app ${signature}`) : undefined);
    },
    keysOf: (action) => keys.get(action) ?? [],
  };
}

/** In the order of the file. */
export function keymapProblems(chosen: Readonly<Record<string, readonly string[]>>): KeymapProblem[] {
  return Object.entries(chosen).flatMap(([action, keys]): KeymapProblem[] => {
    if (!Object.hasOwn(ACTIONS, action)) return [{ action }];
    return keys.filter((key) => signatureOf(key) === undefined).map((key) => ({ action, key }));
  });
}

function on(context: Context, ...keys: string[]): ActionFacts {
  return { context, keys };
}

/** An empty list removes the keys; one without a valid key changes nothing. */
function isOwn(keys: readonly string[] | undefined): boolean {
  return keys !== undefined && (keys.length === 0 || keys.some((key) => signatureOf(key) !== undefined));
}

const MODIFIERS: Readonly<Record<string, 'ctrl' | 'alt' | 'shift'>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  alt: 'alt',
  option: 'alt',
  meta: 'alt',
  shift: 'shift',
};

const SYNONYMS: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  pgup: 'pageup',
  pgdn: 'pagedown',
  del: 'delete',
  ins: 'insert',
};

/** `Ctrl+Shift+Z` in canonical order; undefined for an invalid key. */
function signatureOf(written: string): string | undefined {
  const lower = written.trim().toLowerCase();
  const endsInPlus = lower === '+' || lower.endsWith('++');
  const parts = endsInPlus ? [...lower.split('+').slice(0, -2), '+'] : lower.split('+');
  const last = parts.pop() ?? '';
  const name = SYNONYMS[last] ?? last;
  const held = parts.map((part) => MODIFIERS[part.trim()]);
  if (held.includes(undefined)) return undefined;
  if ([...name].length !== 1 && !NAMED_KEYS.has(name)) return undefined;
  return joined(name, (modifier) => held.includes(modifier));
}

function signatureOfKey({ name, isCtrl, isAlt, isShift }: Key): string {
  return joined(name, (modifier) => ({ ctrl: isCtrl, alt: isAlt, shift: isShift })[modifier]);
}

function joined(name: string, has: (modifier: 'ctrl' | 'alt' | 'shift') => boolean): string {
  return [...(['ctrl', 'alt', 'shift'] as const).filter(has), name].join('+');
}
