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

test('a viewer that is behind stops the shell until it has caught up', () => {
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

test('alone it may take as long as it likes', async () => {
  const { ambient, flow, holds } = fixture();
  const slow = viewer({ isSlow: true });
  flow.join(slow);
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  await ambient.advance(3_600_000);
  expect([holds, slow.ended]).toEqual([[true], []]);
});

test('with others it is sent away after a while, and they go on', async () => {
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

test('one that says what it has shown is waited for, and cannot claim more than it was given', () => {
  const { flow, holds } = fixture();
  const watcher = flow.join(viewer());
  flow.print(PIECE);
  watcher.acknowledge(1_000_000_000);
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  expect(holds).toEqual([true]);
  watcher.acknowledge(6 * PIECE.length);
  expect(holds).toEqual([true, false]);
});

test('one that leaves while it is behind sets the shell free', () => {
  const { flow, holds } = fixture();
  const watcher = flow.join(viewer({ isSlow: true }));
  for (let count = 0; count < 6; count += 1) flow.print(PIECE);
  watcher.leave();
  expect(holds).toEqual([true, false]);
});
