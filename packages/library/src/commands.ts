import { type Command, textStart } from '@fucina/shared';
import type { Memories } from './notes-tasks-memories/memories.ts';
import type { Notes } from './notes-tasks-memories/notes.ts';
import type { LibraryRecord } from './notes-tasks-memories/record-table.ts';
import type { Tasks } from './notes-tasks-memories/tasks.ts';

const SHOWN = 20;

interface Shelf<Record extends LibraryRecord> {
  name: string;
  summary: string;
  empty: { it: string; en: string };
  list(text: string): readonly Record[];
  row(record: Record): string;
}

/** /notes, /tasks and /memory: lists the stored records, in any client. */
export function recordCommands(kept: { notes: Notes; tasks: Tasks; memories: Memories }): readonly Command[] {
  return [
    listing({
      name: 'notes',
      summary: 'The notes you keep, or those that hold a text',
      empty: { it: 'Nessuna nota.', en: 'No notes.' },
      list: (text) => kept.notes.list({ text, limit: SHOWN + 1 }),
      row: ({ title, content }) => `**${plain(title)}** ${plain(content)}`,
    }),
    listing({
      name: 'tasks',
      summary: 'Your open tasks, or those that hold a text',
      empty: { it: 'Nessuna attività aperta.', en: 'No open tasks.' },
      list: (text) => kept.tasks.list({ text, status: 'open', limit: SHOWN + 1 }),
      row: ({ title, status, priority }) => `**${plain(title)}** ${status}, ${priority}`,
    }),
    listing({
      name: 'memory',
      summary: 'What is kept for later, or what of it holds a text',
      empty: { it: 'Nessuna memoria.', en: 'No memories.' },
      list: (text) => kept.memories.list({ text, limit: SHOWN + 1 }),
      row: ({ title, content, kind }) => `**${plain(title)}** (${kind}) ${plain(content)}`,
    }),
  ];
}

function listing<Record extends LibraryRecord>({ name, summary, empty, list, row }: Shelf<Record>): Command {
  return {
    name,
    summary,
    usage: `/${name} [text]`,
    async run(argument, { language }) {
      const records = list(argument);
      if (!records.length) return empty[language];
      const more = language === 'it' ? `Ce ne sono più di ${SHOWN}.` : `There are more than ${SHOWN}.`;
      const rows = records.slice(0, SHOWN).map((record) => `- ${row(record)}`);
      return [...rows, ...(records.length > SHOWN ? ['', more] : [])].join('\n');
    },
  };
}

const LINE = 160;

/** One line without Markdown. */
function plain(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const cut = line.length > LINE ? `${textStart(line, LINE)}…` : line;
  return cut.replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
