import type { Services, SessionRow, UsedWorktree } from '@fucina/host';
import { AppError } from '@fucina/shared';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import { columns } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, findById, oneLine, shortId } from './listing.ts';
import { mergeBack } from './worktrees.ts';

interface Compared {
  sessionId: string;
  name: string;
  model: string | null;
  worktree: string | null;
  branchPoint: string | null;
  files: { path: string; added: number | null; removed: number | null }[];
  durationMs: number | null;
  usd: number | null;
}

/** What each session changed since its branch point, with its time and cost. */
export async function compareSessions(flags: Flags, ids: string[], terminal: Terminal): Promise<ExitCode> {
  const base = typeof flags.base === 'string' ? flags.base : undefined;
  const sides = await withHost(terminal.io, flags, async ({ services }) => {
    const rows = await services.sessions.list();
    const worktrees = await services.worktrees.list({});
    const chosen = ids.map((id) => findById(rows, id, ({ header }) => header.sessionId));
    return Promise.all(chosen.map((row) => sideOf(row, services, { worktrees, base })));
  });
  if (flags.json) terminal.out(JSON.stringify({ sessions: sides }));
  else for (const line of table(sides, terminal)) terminal.out(line);
  return EXIT.done;
}

async function sideOf(
  { header, settings, name, lastReplyAt }: SessionRow,
  services: Services,
  { worktrees, base }: { worktrees: readonly UsedWorktree[]; base: string | undefined },
): Promise<Compared> {
  const { sessionId } = header;
  const own = worktrees.find(({ sessionIds }) => sessionIds.includes(sessionId));
  const named = base ?? own?.base.reference?.replace(/^refs\/(heads|remotes)\//, '');
  const changes = await services.sessionGit.reading.branchPoint(sessionId, named);
  const spent = services.usage.budget(sessionId).session;
  return {
    sessionId,
    name: name ?? '',
    model: settings.model,
    worktree: own?.name ?? null,
    branchPoint: changes.base?.commit ?? null,
    files: changes.files.map(({ path, added, removed }) => ({ path, added, removed })),
    durationMs: lastReplyAt === null ? null : lastReplyAt - header.startedAt,
    usd: spent && spent.callsWithoutCost === 0 ? spent.usd : null,
  };
}

function table(sides: readonly Compared[], { say, style }: Terminal): string[] {
  const sum = (files: Compared['files'], part: 'added' | 'removed'): number =>
    files.reduce((total, file) => total + (file[part] ?? 0), 0);
  const heads = sides.map(({ sessionId, name, worktree, model, files, durationMs, usd }) => [
    { text: shortId(sessionId), paint: style.accent },
    { text: oneLine(name, 50), paint: style.bold },
    { text: oneLine(worktree ?? '-', 50) },
    { text: oneLine(model, 50) },
    { text: say('compare.files', { count: files.length }) },
    { text: `+${sum(files, 'added')} -${sum(files, 'removed')}` },
    { text: durationMs === null ? '-' : `${Math.round(durationMs / 1000)} s` },
    { text: usd === null ? say('cost.unknown') : `$${usd.toFixed(4)}` },
  ]);
  const paths = [...new Set(sides.flatMap(({ files }) => files.map(({ path }) => path)))].sort();
  const rows = paths.map((path) => [
    { text: oneLine(path, 80), paint: style.accent },
    ...sides.map(({ files }) => {
      const file = files.find((one) => one.path === path);
      return { text: file ? `+${file.added ?? '?'} -${file.removed ?? '?'}` : '·' };
    }),
  ]);
  const titles = [{ text: '' }, ...sides.map(({ sessionId }) => ({ text: shortId(sessionId), paint: style.muted }))];
  return [...columns(heads), ...(rows.length > 0 ? ['', ...columns([titles, ...rows])] : [])];
}

/** Merges the worktree that a session works in. NOT_FOUND when it works in none. */
export async function mergeSession(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  return withHost(terminal.io, flags, async ({ services }) => {
    const row = findById(await services.sessions.list(), id, ({ header }) => header.sessionId);
    const own = (await services.worktrees.list({})).find(({ sessionIds }) => sessionIds.includes(row.header.sessionId));
    if (!own) throw new AppError('NOT_FOUND', { reason: 'worktree' });
    return mergeBack(own, { services, flags, terminal });
  });
}
