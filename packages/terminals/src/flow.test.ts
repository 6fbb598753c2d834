import { fakeAmbient } from '@fucina/shared/testing';
import { expect, test } from '@jest/globals';
import { createFlow, type Viewer } from './flow.ts';

interface TestViewer extends Viewer {
  taken: (() => void)[];
  ended: string[];
}

function viewer({ isSlow = false } = {}): TestViewer {
  const taken: (() => void)[] = [];
  const ended: string[] = [];
  return {
    taken,
    ended,
    print: (_frame, done) => void (isSlow ? taken.push(done) : done()),
    tell: () => undefined,
    hold: () => undefined,
    end: (reason) => void ended.push(reason),
  };
}

function fixture() {
  const ambient = fakeAmbient();
  const holds: boolean[] = [];
  return { ambient, holds, flow: createFlow({ ambient, onHold: (isHeld) => holds.push(isHeld) }) };
}

const PIECE = Buffer.alloc(100 * 1024 + 1);

test('a slow viewer pauses the shell until it catches up', () => {
  const { flow, holds } = fixture();
  const slow = viewer({ isSlow: true });
  flow.join(slow);
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  expect(holds).toEqual([true]);
  for (const done of slow.taken.splice(0, 4)) done();
  expect(holds).toEqual([true]);
  for (const done of slow.taken.splice(0)) done();
  expect(holds).toEqual([true, false]);
});

test('a single slow viewer has no time limit', async () => {
  const { ambient, flow, holds } = fixture();
  const slow = viewer({ isSlow: true });
  flow.join(slow);
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  await ambient.advance(3_600_000);
  expect([holds, slow.ended]).toEqual([[true], []]);
});

test('a slow viewer is disconnected after a while when others watch', async () => {
  const { ambient, flow, holds } = fixture();
  const slow = viewer({ isSlow: true });
  const quick = viewer();
  flow.join(slow);
  flow.join(quick);
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  await ambient.advance(5_000);
  expect([slow.ended, quick.ended, holds, flow.count()]).toEqual([['slow'], [], [true, false], 1]);
  for (const done of slow.taken) done();
  expect(holds).toEqual([true, false]);
});

test('waits for acknowledgements and rejects more than were sent', () => {
  const { flow, holds } = fixture();
  const watcher = flow.join(viewer());
  flow.print(PIECE);
  watcher.acknowledge(1_000_000_000);
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  expect(holds).toEqual([true]);
  watcher.acknowledge(6 * PIECE.length);
  expect(holds).toEqual([true, false]);
});

test('resumes the shell when a slow viewer leaves', () => {
  const { flow, holds } = fixture();
  const watcher = flow.join(viewer({ isSlow: true }));
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  watcher.leave();
  expect(holds).toEqual([true, false]);
});
