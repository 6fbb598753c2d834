import type { Page } from 'playwright-core';
import { browserError } from '../errors.ts';

export interface Modifiers {
  alt: boolean;
  ctrl: boolean;
  meta: boolean;
  shift: boolean;
}

/** A gesture of the user; coordinates in CSS pixels of the visible page. */
export type Gesture =
  | {
      kind: 'click';
      x: number;
      y: number;
      button: 'left' | 'right' | 'middle';
      isDouble: boolean;
      modifiers: Modifiers;
    }
  | { kind: 'key'; key: string; modifiers: Modifiers }
  | { kind: 'wheel'; x: number; y: number; deltaX: number; deltaY: number; modifiers: Modifiers };

/**
 * `pairs`: how many press/release pairs to send: two for a double click, one when its first click was already sent on
 * its own; `key`: as it was pressed.
 */
export interface GestureOutcome {
  pairs?: number;
  key?: string;
}

const NAMED = new Set(
  `Enter Backspace Tab Escape ArrowLeft ArrowRight ArrowUp ArrowDown Delete Home End PageUp PageDown Insert
   F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12`
    .trim()
    .split(/\s+/),
);
const NAVIGATION = new Set(['BrowserBack', 'BrowserForward', 'BrowserRefresh']);
const HELD = { alt: 'Alt', ctrl: 'Control', meta: 'Meta', shift: 'Shift' } as const;

/** Throws BROWSER_VIVO_GESTO_IGNOTO for an unknown key. */
export function checkedKey(key: string): string {
  if (key === 'Space' || key === 'Spacebar') return ' ';
  const isCharacter = [...key].length === 1 && !isControl(key);
  if (!isCharacter && !NAMED.has(key) && !NAVIGATION.has(key))
    throw browserError('BROWSER_VIVO_GESTO_IGNOTO', { reason: 'key', params: { field: 'tasto' } });
  return key;
}

/** `isBegun`: the first click of a double click was just sent. */
export async function perform(page: Page, gesture: Gesture, isBegun = false): Promise<GestureOutcome> {
  switch (gesture.kind) {
    case 'click': {
      const { x, y, button, isDouble, modifiers } = gesture;
      const clickCount = isDouble ? 2 : 1;
      await holding(page, modifiers, async () => {
        if (!isDouble || !isBegun) return page.mouse.click(x, y, { button, clickCount });
        await page.mouse.move(x, y);
        await page.mouse.down({ button, clickCount });
        await page.mouse.up({ button, clickCount });
      });
      return { pairs: isBegun ? 1 : clickCount };
    }
    case 'wheel': {
      const { x, y, deltaX, deltaY, modifiers } = gesture;
      await holding(page, modifiers, async () => {
        await page.mouse.move(x, y);
        await page.mouse.wheel(deltaX, deltaY);
      });
      return {};
    }
    case 'key':
      return pressKey(page, checkedKey(gesture.key), gesture.modifiers);
  }
}

async function pressKey(page: Page, key: string, modifiers: Modifiers): Promise<GestureOutcome> {
  if (!(await navigate(page, key))) await holding(page, modifiers, () => press(page, key, modifiers));
  return { key };
}

/** A character that no key produces is inserted as text. */
async function press(page: Page, key: string, { alt, ctrl, meta }: Modifiers): Promise<void> {
  const isText = [...key].length === 1 && !alt && !ctrl && !meta;
  if (isText && !/^[\x20-\x7e]$/.test(key)) await page.keyboard.insertText(key);
  else await page.keyboard.press(key);
}

/** Keys that the browser itself handles. They do not wait for the page to load. */
async function navigate(page: Page, key: string): Promise<boolean> {
  const soon = { waitUntil: 'commit' } as const;
  if (key === 'BrowserBack') await page.goBack(soon);
  else if (key === 'BrowserForward') await page.goForward(soon);
  else if (key === 'BrowserRefresh') await page.reload(soon);
  else return false;
  return true;
}

async function holding(page: Page, modifiers: Modifiers, act: () => Promise<void>): Promise<void> {
  const held = (Object.keys(HELD) as (keyof Modifiers)[]).filter((name) => modifiers[name]);
  for (const name of held) await page.keyboard.down(HELD[name]);
  try {
    await act();
  } finally {
    for (const name of held.reverse()) await page.keyboard.up(HELD[name]);
  }
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

const DOUBLE_MS = 500;
const DOUBLE_PIXELS = 6;

/** Whether a double click continues the click before it. */
export function clickMemory(): (gesture: Gesture, nowMs: number) => boolean {
  let last: { x: number; y: number; button: string; at: number } | undefined;
  return (gesture, nowMs) => {
    const before = last;
    last = undefined;
    if (gesture.kind !== 'click') return false;
    const { x, y, button, isDouble } = gesture;
    if (!isDouble) last = { x, y, button, at: nowMs };
    if (!isDouble || before === undefined || before.button !== button) return false;
    const isNear = Math.abs(before.x - x) <= DOUBLE_PIXELS && Math.abs(before.y - y) <= DOUBLE_PIXELS;
    return isNear && nowMs - before.at <= DOUBLE_MS;
  };
}
