import { text } from 'node:stream/consumers';
import type { Note } from '@fucina/host';
import { cleanText } from '../../clean-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { localTime } from '../../local-time.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, findById, oneLine, reportDone, shortId, show } from './listing.ts';

const idOf = ({ id }: Note): string => id;

export async function listNotes(flags: Flags, [wanted]: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const rows = await withHost(terminal.io, flags, async ({ services }) =>
    services.library.notes.list({ text: wanted }),
  );
  const cells = (note: Note) => [
    { text: shortId(note.id), paint: style.accent },
    { text: localTime(note.updatedAt), paint: style.muted },
    { text: oneLine(note.title, 60), paint: style.bold },
    { text: oneLine(note.content, 60), paint: style.muted },
  ];
  show({ name: 'notes', rows, empty: say('notes.none'), cells }, flags, terminal);
  return EXIT.done;
}

export async function showNote(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const note = await withHost(terminal.io, flags, async ({ services }) =>
    findById(services.library.notes.list(), id, idOf),
  );
  reportDone(`${terminal.style.bold(oneLine(note.title))}\n\n${cleanText(note.content)}`, note, { flags, terminal });
  return EXIT.done;
}

/** Without a text it is read from standard input. */
export async function addNote(flags: Flags, [title = '', content]: string[], terminal: Terminal): Promise<ExitCode> {
  const given = content ?? (await text(terminal.io.stdin));
  const note = await withHost(terminal.io, flags, ({ services }) =>
    services.library.notes.create({ title, content: given }, 'person'),
  );
  reportDone(terminal.say('kept.added', { id: shortId(note.id) }), note, { flags, terminal });
  return EXIT.done;
}

export async function deleteNote(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const note = await withHost(terminal.io, flags, ({ services: { library } }) =>
    library.notes.remove(findById(library.notes.list(), id, idOf).id),
  );
  reportDone(terminal.say('kept.deleted', { title: oneLine(note.title) }), note, { flags, terminal });
  return EXIT.done;
}
