import { cleanLine } from '../../clean-text.ts';
import { diffTextLines } from '../commands/reports.ts';
import { wrapLine } from '../render/wrap.ts';
import type { PickerRow, Workbench } from '../workbench.ts';

const WIDTH = 100;
const MOST_FILES = 100;
const ACTS = ['show', 'discard', 'cancel'] as const;
type Act = (typeof ACTS)[number];

/** A file's unstaged changes, or one hunk of them. */
interface Change {
  sessionId: string;
  path: string;
  /** As it was read: the part of the diff that would be discarded. */
  text: string;
  hunk?: { index: number; fingerprint: string };
}

/** Steps through unstaged files and hunks; each can be shown, and discarded after a confirmation. */
export async function discardChanges(workbench: Workbench): Promise<void> {
  const { terminal, tell, pick, conversation } = workbench;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: terminal.say('no-conversation') });
  const rows = await changeRows(workbench, sessionId);
  if (rows.length === 0) return tell({ tone: 'info', body: terminal.say('discard.none') });
  pick({
    title: terminal.say('discard.title'),
    rows: Promise.resolve(rows),
    choose: (change) => confirm(workbench, change),
  });
}

/** Undoes the newest discard of the folder. */
export async function restoreDiscarded({ services, terminal, tell, conversation }: Workbench): Promise<void> {
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: terminal.say('no-conversation') });
  const { staging } = services.sessionGit;
  const [newest] = await staging.discards(sessionId);
  if (!newest) return tell({ tone: 'info', body: terminal.say('discard.nothing-stored') });
  const { restored, skipped } = await staging.undoDiscard(sessionId, newest.id);
  const shown = (paths: readonly string[]) => ({ paths: cleanLine(paths.join(', '), WIDTH) });
  if (restored.length > 0) tell({ tone: 'success', body: terminal.say('discard.restored', shown(restored)) });
  if (skipped.length > 0) tell({ tone: 'warning', body: terminal.say('discard.skipped', shown(skipped)) });
}

async function changeRows({ services, terminal }: Workbench, sessionId: string): Promise<PickerRow<Change>[]> {
  const { reading } = services.sessionGit;
  const { entries } = await reading.state(sessionId);
  const changed = entries.filter(
    ({ isUnstaged, isConflict, kind, isRepository }) =>
      (isUnstaged || kind === 'untracked') && !isConflict && !isRepository,
  );
  const rows: PickerRow<Change>[] = [];
  for (const { path, kind } of changed.slice(0, MOST_FILES)) {
    // A new folder has no text of its own, and a file may be reverted in the meantime.
    const diff = await reading.diff(sessionId, path, 'work').catch(() => undefined);
    const name = cleanLine(path, WIDTH);
    const text = diff?.text ?? '';
    rows.push({ value: { sessionId, path, text }, label: name, detail: terminal.say('discard.file') });
    if (kind !== 'modified' || !diff || diff.isCut) continue;
    const hunks = text.split(/^(?=@@ )/m).slice(1);
    for (const [index, hunk] of hunks.entries())
      rows.push({
        value: { sessionId, path, text: hunk, hunk: { index, fingerprint: diff.fingerprint } },
        label: `  ${name} ${/^@@ .*? @@/.exec(hunk)?.[0] ?? ''}`,
        detail: cleanLine(/^[+-].*/m.exec(hunk)?.[0] ?? '', WIDTH),
      });
  }
  return rows;
}

function confirm(workbench: Workbench, change: Change): void {
  const { terminal, pick } = workbench;
  pick({
    title: terminal.say(change.hunk ? 'discard.hunk-sure' : 'discard.file-sure', {
      path: cleanLine(change.path, WIDTH),
    }),
    rows: Promise.resolve(ACTS.map((value) => ({ value, label: terminal.say(`discard.${value}`) }))),
    choose: (act) => decide(workbench, change, act),
  });
}

async function decide(workbench: Workbench, change: Change, act: Act): Promise<void> {
  const { services, terminal, tell, page } = workbench;
  const { sessionId, path, text, hunk } = change;
  if (act === 'cancel') return;
  const name = cleanLine(path, WIDTH);
  if (act === 'show') {
    confirm(workbench, change);
    const lines = diffTextLines(text);
    return page(name, (width) => lines.flatMap((line) => wrapLine(line, width, { isExact: true })));
  }
  const { staging } = services.sessionGit;
  if (hunk) await staging.hunk(sessionId, { path, area: 'work', action: 'discard', ...hunk });
  else await staging.discard(sessionId, [path]);
  tell({ tone: 'success', body: terminal.say(hunk ? 'discard.hunk-done' : 'discard.file-done', { path: name }) });
  if ((await changeRows(workbench, sessionId)).length > 0) await discardChanges(workbench);
}
