import type { FollowItem } from '@fucina/host';
import type { Frame } from '../http/answers.ts';
import { queueOnWire } from './queue.ts';

/** Neither the end of the replay nor the queue has an id, so neither is a place to resume from. */
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
