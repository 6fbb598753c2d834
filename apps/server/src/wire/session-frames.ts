import type { FollowItem } from '@fucina/host';
import type { Frame } from '../http/answers.ts';
import { queueOnWire } from './queue.ts';

/** The end of the replay and the queue have no id, so a client cannot resume from them. */
const REPLAYED: readonly Frame[] = [
  { json: JSON.stringify({ type: 'CUSTOM', name: 'svc.fine-rigiocata', value: null }) },
];

export async function* sessionFrames(items: AsyncIterable<FollowItem>): AsyncGenerator<readonly Frame[]> {
  for await (const item of items) yield framesOf(item);
}

function framesOf(item: FollowItem): readonly Frame[] {
  switch (item.kind) {
    case 'replayed':
      return REPLAYED;
    case 'queue':
      return [{ json: JSON.stringify({ type: 'CUSTOM', name: 'svc.coda', value: queueOnWire(item.queue) }) }];
    case 'events':
      return item.events.map(({ seq, json }) => ({ id: seq, json }));
  }
}
