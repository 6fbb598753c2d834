import { expect, test } from '@jest/globals';
import { gestureQueue, keyGestureOf, pointIn } from './gestures.ts';

const NONE = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

test('keys go to the page except window shortcuts', () => {
  expect(keyGestureOf({ ...NONE, key: 'è' })).toEqual({ kind: 'key', key: 'è', modifiers: 0 });
  expect(keyGestureOf({ ...NONE, shiftKey: true, key: 'Tab' })).toEqual({
    kind: 'key',
    key: 'Tab',
    modifiers: 8,
  });
  expect(keyGestureOf({ ...NONE, ctrlKey: true, key: 'a' })).toEqual({ kind: 'key', key: 'a', modifiers: 2 });
  for (const key of ['Escape', 'Shift', 'Dead', 'F5']) expect(keyGestureOf({ ...NONE, key })).toBeUndefined();
  expect(keyGestureOf({ ...NONE, ctrlKey: true, key: 'k' })).toBeUndefined();
});

test('maps pointer positions to the page when the frame is scaled', () => {
  const box = { left: 10, top: 20, width: 640, height: 400 };
  const page = { width: 1_280, height: 800 };
  expect(pointIn({ clientX: 330, clientY: 220 }, box, page)).toEqual({ x: 640, y: 400 });
  expect(pointIn({ clientX: 0, clientY: 9_999 }, box, page)).toEqual({ x: 0, y: 799 });
});

test('keeps the order of gestures and merges waiting wheel events', async () => {
  const sent: string[] = [];
  let go = (): void => undefined;
  const add = gestureQueue(async (gesture) => {
    sent.push(gesture.kind === 'wheel' ? `wheel ${gesture.deltaY}` : gesture.kind);
    await new Promise<void>((resolve) => (go = resolve));
  });
  add({ kind: 'click', x: 1, y: 1, modifiers: 0 });
  add({ kind: 'wheel', x: 1, y: 1, deltaX: 0, deltaY: 5 });
  add({ kind: 'wheel', x: 1, y: 1, deltaX: 0, deltaY: 7 });
  add({ kind: 'key', key: 'a', modifiers: 0 });
  for (let turn = 0; turn < 3; turn += 1) {
    go();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sent).toEqual(['click', 'wheel 12', 'key']);
});
