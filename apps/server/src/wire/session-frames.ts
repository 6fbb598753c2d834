import type { FollowItem } from '@fucina/host';
import type { Frame } from '../http/answers.ts';

/** After the replay: its end, and the queue as it stands. Neither has an id, so neither is a place to resume from. */
const REPLAYED: readonly Frame[] = [
  { json: JSON.stringify({ type: 'CUSTOM', name: 'svc.fine-rigiocata', value: null }) },
  { json: JSON.stringify({ type: 'CUSTOM', name: 'svc.coda', value: { voci: [], inPausa: false } }) },
];

export async function* sessionFrames(items: AsyncIterable<FollowItem>): AsyncGenerator<readonly Frame[]> {
  for await (const item of items) {
    yield item.kind === 'replayed' ? REPLAYED : item.events.map(({ seq, json }) => ({ id: seq, json }));
  }
}
