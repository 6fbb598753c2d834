import type { Memory } from '@fucina/host';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, findById, oneLine, reportDone, shortId, show } from './listing.ts';

const idOf = ({ id }: Memory): string => id;

export async function listMemories(flags: Flags, [wanted]: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const rows = await withHost(terminal.io, flags, async ({ services }) =>
    services.library.memories.list({ text: wanted }),
  );
  const cells = (memory: Memory) => [
    { text: shortId(memory.id), paint: style.accent },
    { text: say(`memory.${memory.kind}`), paint: style.muted },
    { text: oneLine(memory.title, 60), paint: style.bold },
    { text: oneLine(memory.content) },
  ];
  show({ name: 'memories', rows, empty: say('memory.none'), cells }, flags, terminal);
  return EXIT.done;
}

export async function addMemory(
  flags: Flags,
  [title = '', content = '']: string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const kind = flags.kind as Memory['kind'] | undefined;
  const { memory, isDuplicate } = await withHost(terminal.io, flags, ({ services }) =>
    services.library.memories.create({ title, content, kind }, 'person'),
  );
  const sentence = terminal.say(isDuplicate ? 'memory.known' : 'kept.added', { id: shortId(memory.id) });
  reportDone(sentence, { ...memory, isDuplicate }, { flags, terminal });
  return EXIT.done;
}

export async function deleteMemory(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const memory = await withHost(terminal.io, flags, ({ services: { library } }) =>
    library.memories.remove(findById(library.memories.list(), id, idOf).id),
  );
  reportDone(terminal.say('kept.deleted', { title: oneLine(memory.title) }), memory, { flags, terminal });
  return EXIT.done;
}
