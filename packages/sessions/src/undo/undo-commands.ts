import type { Command } from '@fucina/shared';
import type { Registry } from '../registry.ts';
import type { SkipReason } from '../state/custom-events.ts';
import type { SessionRecord } from '../store/store.ts';
import { exactText } from './change-events.ts';
import { diffsOf, fenced, unifiedDiff } from './diff-text.ts';
import type { FileChanges } from './file-changes.ts';
import type { FileHistory } from './file-history.ts';
import type { TurnChanges } from './turn-changes.ts';
import type { Skipped, Undo, UndoOptions, UndoOutcome } from './undo.ts';

interface UndoCommandsNeeds {
  registry: Registry;
  undo: Undo;
  changes: FileChanges;
  turnChanges: TurnChanges;
  history: FileHistory;
  /** The present text of a file of the session's folder; undefined when it is none that can be shown. */
  readTextFile(folder: string, path: string): Promise<string | undefined>;
}

const WISHES: Record<string, UndoOptions> = {
  '': { files: true, chat: false },
  file: { files: true, chat: false },
  files: { files: true, chat: false },
  chat: { files: false, chat: true },
  tutto: { files: true, chat: true },
  both: { files: true, chat: true },
};
const MAX_LISTED = 50;
const MAX_CONFLICT_TEXT = 2_000;
const MAX_CONFLICTS_SHOWN = 5;
const DIFF_LIMITS = { files: 60, characters: 24_000 };

/** /undo, /redo and /diff. They answer in the language of the session. */
export function undoCommands(needs: UndoCommandsNeeds): readonly Command[] {
  const { registry, undo } = needs;
  const recordOf = (sessionId: string | null): SessionRecord => registry.get(sessionId ?? '');
  return [
    {
      name: 'undo',
      summary: 'Take the last turn back: its files, its part of the conversation, or both',
      usage: '/undo [files | chat | both]',
      async run(argument, { sessionId, signal }) {
        const record = recordOf(sessionId);
        const wish = WISHES[argument.toLowerCase()];
        if (!wish) return told(record, 'Uso: `/undo [files | chat | both]`', 'Usage: `/undo [files | chat | both]`');
        return answer(record, { direction: 'undo', outcome: await undo.undo(record, wish, signal) }, needs);
      },
    },
    {
      name: 'redo',
      summary: 'Put back the turn that was taken back last',
      usage: '/redo',
      async run(_argument, { sessionId, signal }) {
        const record = recordOf(sessionId);
        return answer(record, { direction: 'redo', outcome: await undo.redo(record, signal) }, needs);
      },
    },
    {
      name: 'diff',
      summary: 'What a turn, or the whole session, changed in files',
      usage: '/diff [turn | session]',
      run: (argument, { sessionId }) => diff(recordOf(sessionId), argument.toLowerCase(), needs),
    },
  ];
}

function told({ settings }: SessionRecord, italian: string, english: string): string {
  return settings.language === 'en' ? english : italian;
}

async function diff(
  record: SessionRecord,
  asked: string,
  { changes, turnChanges }: UndoCommandsNeeds,
): Promise<string> {
  await changes.settled(record.header.sessionId);
  const turns = turnChanges.turns(record);
  const isUndone = (seq: number): boolean => record.fold.undone.some(({ turn, files }) => turn === seq && files);
  const isWhole = ['sessione', 'session'].includes(asked);
  // The last turn, by its name as without one.
  const argument = ['turno', 'turn'].includes(asked) ? '' : asked;
  const chosen = isWhole
    ? turns.filter(({ seq }) => !isUndone(seq))
    : argument
      ? turns.filter(({ number }) => String(number) === argument)
      : turns.filter((turn) => !isUndone(turn.seq) && turnChanges.hasChanged(record, turn)).slice(-1);
  if (argument && !isWhole && !chosen.length) {
    return told(
      record,
      `Non c’è un turno ${argument}: sono ${turns.length}.`,
      `There is no turn ${argument}: there are ${turns.length}.`,
    );
  }
  const net = turnChanges.ofAll(record, chosen);
  if (!net.length) return told(record, 'Nessun file cambiato.', 'No file was changed.');
  const { text, omitted } = await diffsOf(net, turnChanges.bytesOf, DIFF_LIMITS);
  const count =
    net.length === 1 ? told(record, 'un file', 'one file') : told(record, `${net.length} file`, `${net.length} files`);
  const [only] = chosen;
  const heading = isWhole
    ? told(record, `La sessione ha cambiato ${count}.`, `The session changed ${count}.`)
    : told(record, `Il turno ${only?.number} ha cambiato ${count}.`, `Turn ${only?.number} changed ${count}.`);
  const more = omitted ? told(record, `Altri ${omitted} non mostrati.`, `${omitted} more are not shown.`) : '';
  return [heading, text, more].filter(Boolean).join('\n\n');
}

async function answer(
  record: SessionRecord,
  { direction, outcome }: { direction: 'undo' | 'redo'; outcome: UndoOutcome },
  needs: UndoCommandsNeeds,
): Promise<string> {
  if (outcome.kind === 'busy') {
    return told(
      record,
      'Un agente di questa conversazione sta ancora lavorando.',
      'An agent of this conversation still works.',
    );
  }
  if (outcome.kind === 'nothing') {
    return direction === 'undo'
      ? told(record, 'Niente da annullare.', 'There is nothing to take back.')
      : told(record, 'Niente da ripetere.', 'There is nothing to put back.');
  }
  const { turn, done, skipped, chat, omitted } = outcome;
  const heading =
    direction === 'undo'
      ? told(record, `Annullato il turno ${turn.number}.`, `Took turn ${turn.number} back.`)
      : told(record, `Ripristinato il turno ${turn.number}.`, `Put turn ${turn.number} back.`);
  const isEmpty = !done.length && chat !== 'done';
  return [
    isEmpty
      ? told(record, `Turno ${turn.number}: niente è cambiato.`, `Turn ${turn.number}: nothing was changed.`)
      : heading,
    done.length ? listed(done, told(record, 'File', 'Files')) : '',
    chat === 'done' && direction === 'undo'
      ? told(record, 'Il modello non lo vede più.', 'The model no longer sees it.')
      : '',
    chat === 'done' && direction === 'redo'
      ? told(record, 'Il modello lo vede di nuovo.', 'The model sees it again.')
      : '',
    chat === 'summed-up'
      ? told(
          record,
          'La conversazione resta: il modello ne ha solo un riassunto.',
          'The conversation stays: the model has only a summary of it.',
        )
      : '',
    await conflicts(record, skipped, needs),
    omitted
      ? told(
          record,
          `Altri ${omitted} file cambiati non sono stati annotati.`,
          `${omitted} more changed files were not noted.`,
        )
      : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function listed(paths: readonly string[], name: string): string {
  const shown = paths.slice(0, MAX_LISTED).map((path) => `- \`${path}\``);
  const rest = paths.length - shown.length;
  return [`${name}:`, ...shown, ...(rest ? [`- … +${rest}`] : [])].join('\n');
}

const REASONS: Record<SkipReason, [italian: string, english: string]> = {
  cambiato: ['cambiato nel frattempo', 'changed since'],
  'non-conservato': ['il contenuto di prima non è conservato', 'what it held before is not kept'],
  'troppo-grande': ['troppo grande per essere conservato', 'too large to be kept'],
  'non-accessibile': ['non si può leggere o scrivere', 'cannot be read or written'],
  fermato: ['fermato prima', 'stopped before it'],
};

async function conflicts(
  record: SessionRecord,
  skipped: readonly Skipped[],
  needs: UndoCommandsNeeds,
): Promise<string> {
  if (!skipped.length) return '';
  const rows = skipped.slice(0, MAX_LISTED).map(({ path, reason, left, present }) => {
    const facts = reason === 'cambiato' && left ? ` (${shortHash(left.sha256)} → ${presentFacts(present)})` : '';
    return `- \`${path}\`: ${told(record, ...REASONS[reason])}${facts}`;
  });
  const rest = skipped.length - rows.length;
  const shown: string[] = [];
  for (const one of skipped.filter(({ reason }) => reason === 'cambiato').slice(0, MAX_CONFLICTS_SHOWN)) {
    shown.push(await conflictDiff(record, one, needs));
  }
  const heading = told(record, 'Lasciati come sono:', 'Left as they are:');
  return [[heading, ...rows, ...(rest ? [`- … +${rest}`] : [])].join('\n'), ...shown].filter(Boolean).join('\n\n');
}

function presentFacts(present: Skipped['present']): string {
  return present ? `${shortHash(present.sha256 ?? undefined)}, ${present.sizeBytes} B` : '–';
}

function shortHash(sha256: string | undefined): string {
  return sha256?.slice(0, 12) ?? '–';
}

/** From what the turn left to what is there now. */
async function conflictDiff(
  { header }: SessionRecord,
  { path, left, present }: Skipped,
  { turnChanges, readTextFile }: UndoCommandsNeeds,
): Promise<string> {
  const bytes = left?.isThere ? await turnChanges.bytesOf(left) : Buffer.alloc(0);
  const before = bytes && exactText(bytes);
  const after = present ? await readTextFile(header.folder, path) : '';
  const patch = before !== undefined && after !== undefined ? unifiedDiff(path, before, after) : undefined;
  return patch ? fenced(patch, MAX_CONFLICT_TEXT) : '';
}
