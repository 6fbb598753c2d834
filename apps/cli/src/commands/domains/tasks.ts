import type { Task } from '@fucina/host';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { localTime } from '../../local-time.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, findById, oneLine, reportDone, shortId, show } from './listing.ts';

const idOf = ({ id }: Task): string => id;

/** Open tasks, or all with --all. */
export async function listTasks(flags: Flags, [wanted]: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const status = flags.all ? undefined : 'open';
  const rows = await withHost(terminal.io, flags, async ({ services }) =>
    services.library.tasks.list({ text: wanted, status }),
  );
  const cells = (task: Task) => [
    { text: shortId(task.id), paint: style.accent },
    { text: say(`task.${task.status}`), paint: task.status === 'done' ? style.muted : style.success },
    { text: task.priority === 'normal' ? '' : say(`task.${task.priority}`) },
    { text: localTime(task.updatedAt), paint: style.muted },
    { text: oneLine(task.title), paint: style.bold },
  ];
  show({ name: 'tasks', rows, empty: say('tasks.none'), cells }, flags, terminal);
  return EXIT.done;
}

export async function addTask(
  flags: Flags,
  [title = '', description]: string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const priority = flags.priority as Task['priority'] | undefined;
  const task = await withHost(terminal.io, flags, ({ services }) =>
    services.library.tasks.create({ title, description, priority }, 'person'),
  );
  reportDone(terminal.say('kept.added', { id: shortId(task.id) }), task, { flags, terminal });
  return EXIT.done;
}

export async function setTask(
  status: Task['status'],
  flags: Flags,
  { id, terminal }: { id: string | undefined; terminal: Terminal },
): Promise<ExitCode> {
  const task = await withHost(terminal.io, flags, ({ services: { library } }) =>
    library.tasks.setStatus(findById(library.tasks.list(), id ?? '', idOf).id, status),
  );
  reportDone(`${terminal.say(`task.${status}`)}: ${oneLine(task.title)}`, task, { flags, terminal });
  return EXIT.done;
}

export async function deleteTask(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const task = await withHost(terminal.io, flags, ({ services: { library } }) =>
    library.tasks.remove(findById(library.tasks.list(), id, idOf).id),
  );
  reportDone(terminal.say('kept.deleted', { title: oneLine(task.title) }), task, { flags, terminal });
  return EXIT.done;
}
