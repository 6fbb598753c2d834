import { systemAmbient } from '@fucina/shared';
import { startTreeWatch, type TreeWatch } from './tree-watch.ts';
import type { FromWatching, ToWatching } from './watch-messages.ts';

/** The process that watches folders: reading a large one takes a second, and its native part may fail. */
const ambient = systemAmbient('silent');
const watches = new Map<number, TreeWatch>();
const say = (message: FromWatching): void => void process.send?.(message, () => undefined);

process.on('message', (message: ToWatching) => {
  const { id } = message;
  if (message.kind === 'watch') watches.set(id, startTreeWatch({ ambient, say }, message));
  else if (message.kind === 'scan') watches.get(id)?.scan();
  else {
    const ending = watches.get(id);
    watches.delete(id);
    void ending?.end();
  }
});
process.once('disconnect', () => process.exit(0));
