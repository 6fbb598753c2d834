import { realpath, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ExportOptions, ResearchRow, Services } from '@fucina/host';
import { systemCode } from '@fucina/shared';
import { cleanText } from '../../clean-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { localTime } from '../../local-time.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, findById, oneLine, reportDone, shortId, show } from './listing.ts';

const idOf = ({ meta }: ResearchRow): string => meta.id;

/** The research reports of the current folder. */
export async function listResearch(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const rows = await withHost(io, flags, async ({ services }) => (await inFolder(services, io.cwd)).rows);
  const cells = ({ meta, state }: ResearchRow) => [
    { text: shortId(meta.id), paint: style.accent },
    { text: localTime(meta.avviataAlle), paint: style.muted },
    { text: say(`research.${state}`) },
    { text: oneLine(meta.titolo ?? meta.domanda), paint: style.bold },
  ];
  const facts = ({ meta, state, distinctProofs }: ResearchRow) => ({
    id: meta.id,
    question: meta.domanda,
    title: meta.titolo,
    depth: meta.profondita,
    state,
    sources: distinctProofs,
    startedAt: meta.avviataAlle,
  });
  show({ name: 'research', rows, empty: say('research.none'), cells, facts }, flags, terminal);
  return EXIT.done;
}

export async function showResearch(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const detail = await withHost(io, flags, async ({ services }) => {
    const { folder, rows } = await inFolder(services, io.cwd);
    return services.library.research.read(folder, idOf(findById(rows, id, idOf)));
  });
  const { meta, state, rejected } = detail;
  const report = detail.report ?? rejected;
  const head = `${style.bold(oneLine(meta.titolo ?? meta.domanda))}\n${style.muted(say(`research.${state}`))}${detail.report === null && rejected !== null ? `\n${style.danger(say('research.unproved'))}` : ''}`;
  reportDone(report ? `${head}\n\n${cleanText(report)}` : head, { ...meta, state, report }, { flags, terminal });
  return EXIT.done;
}

/** Into the current folder, or the file of --output. */
export async function exportResearch(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, language } = terminal;
  const format = (flags.format ?? 'md') as ExportOptions['format'];
  const { name, bytes } = await withHost(io, flags, async ({ services: { library }, services }) => {
    const { folder, rows } = await inFolder(services, io.cwd);
    const detail = await library.research.read(folder, idOf(findById(rows, id, idOf)));
    return library.exportResearch(detail, { format, tone: 'report', language });
  });
  const path = resolve(io.cwd, typeof flags.output === 'string' ? flags.output : name);
  if (!(await isWritten(path, bytes))) {
    terminal.err(`fucina: ${say('file-exists', { path: oneLine(path, 500) })}`);
    return EXIT.failed;
  }
  reportDone(
    say('research.exported', { path: oneLine(path, 500) }),
    { path, bytes: bytes.length },
    { flags, terminal },
  );
  return EXIT.done;
}

export async function deleteResearch(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say } = terminal;
  const meta = await withHost(io, flags, async ({ services }) => {
    const { folder, rows } = await inFolder(services, io.cwd);
    return services.library.research.remove(folder, idOf(findById(rows, id, idOf)));
  });
  reportDone(
    say('kept.deleted', { title: oneLine(meta.titolo ?? meta.domanda) }),
    { id: meta.id },
    { flags, terminal },
  );
  return EXIT.done;
}

async function inFolder({ library }: Services, cwd: string): Promise<{ folder: string; rows: ResearchRow[] }> {
  const folder = await realpath(cwd);
  return { folder, rows: (await library.research.list(folder)).rows };
}

/** False when the file exists: nothing is overwritten. */
async function isWritten(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}
