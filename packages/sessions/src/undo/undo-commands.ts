import { isAgentInstructions } from '@fucina/conversation';
import { LABELS_EN } from '@fucina/conversation/labels/en';
import { LABELS_IT } from '@fucina/conversation/labels/it';
import type { Command } from '@fucina/shared';
import type { Registry } from '../registry.ts';
import type { SkipReason } from '../state/custom-events.ts';
import type { SessionRecord } from '../store/store.ts';
import { exactText } from './change-events.ts';
import { diffsOf, fencedText, unifiedDiff } from './diff-text.ts';
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
  /** The current text of a file in the session's folder; undefined when it cannot be shown. */
  readTextFile(folder: string, path: string): Promise<string | undefined>;
}

const OPTIONS: Record<string, UndoOptions> = {
  '': { files: true, chat: false },
  file: { files: true, chat: false },
  files: { files: true, chat: false },
  chat: { files: false, chat: true },
  tutto: { files: true, chat: true },
  both: { files: true, chat: true },
};
/** Of `/undo 3 both`: the first turn that is undone, and what of it. */
const ARGUMENT = /^(?:([1-9]\d{0,5})(?:\s+|$))?(\S*)$/;
const UNDO_USAGE = '/undo [turn] [files | chat | both]';
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
      summary: LABELS_EN['slash.undo'],
      usage: UNDO_USAGE,
      async run(argument, { sessionId, signal }) {
        const record = recordOf(sessionId);
        const [, number, request] = ARGUMENT.exec(argument.toLowerCase()) ?? [];
        const options = request === undefined ? undefined : OPTIONS[request];
        if (!options) return textIn(record, `Uso: \`${UNDO_USAGE}\``, `Usage: \`${UNDO_USAGE}\``);
        if (!number)
          return answer(record, { direction: 'undo', outcomes: [await undo.undo(record, options, signal)] }, needs);
        const since = needs.turnChanges.turns(record).find((turn) => turn.number === Number(number));
        if (!since) return noSuchTurn(record, number, needs);
        const outcomes = await undo.undoSince(record, { ...options, since }, signal);
        return answer(record, { direction: 'undo', outcomes }, needs);
      },
    },
    {
      name: 'redo',
      summary: LABELS_EN['slash.redo'],
      usage: '/redo [all]',
      async run(argument, { sessionId, signal }) {
        const record = recordOf(sessionId);
        const isAll = ['all', 'tutto'].includes(argument.toLowerCase());
        const outcomes = isAll ? await undo.redoAll(record, signal) : [await undo.redo(record, signal)];
        return answer(record, { direction: 'redo', outcomes }, needs);
      },
    },
    {
      name: 'diff',
      summary: LABELS_EN['slash.diff'],
      usage: '/diff [turn | session]',
      run: (argument, { sessionId }) => diff(recordOf(sessionId), argument.toLowerCase(), needs),
    },
  ];
}

function textIn({ settings }: SessionRecord, italian: string, english: string): string {
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
  // Naming the last turn is the same as naming none.
  const argument = ['turno', 'turn'].includes(asked) ? '' : asked;
  const chosen = isWhole
    ? turns.filter(({ seq }) => !isUndone(seq))
    : argument
      ? turns.filter(({ number }) => String(number) === argument)
      : turns.filter((turn) => !isUndone(turn.seq) && turnChanges.hasChanged(record, turn)).slice(-1);
  if (argument && !isWhole && !chosen.length) {
    return noSuchTurn(record, argument, { turnChanges });
  }
  const net = turnChanges.ofAll(record, chosen);
  // Where no turn has a recorded change, any may have others.
  const mayHave = chosen.length > 0 ? chosen : turns.filter(({ seq }) => !isUndone(seq));
  const unrecorded = unrecordedTexts(record, turnChanges.unrecorded(record, mayHave));
  if (!net.length)
    return [textIn(record, 'Nessun file modificato.', 'No files changed.'), ...unrecorded].filter(Boolean).join('\n\n');
  const { text, omitted } = await diffsOf(net, turnChanges.bytesOf, DIFF_LIMITS);
  const count =
    net.length === 1
      ? textIn(record, 'un file', 'one file')
      : textIn(record, `${net.length} file`, `${net.length} files`);
  const [only] = chosen;
  const heading = isWhole
    ? textIn(record, `La sessione ha modificato ${count}.`, `The session changed ${count}.`)
    : textIn(record, `Il turno ${only?.number} ha modificato ${count}.`, `Turn ${only?.number} changed ${count}.`);
  const more = omitted
    ? textIn(record, `Altri ${omitted} file non mostrati.`, `${omitted} more files are not shown.`)
    : '';
  return [heading, instructionsNote(record, net), text, more, ...unrecorded].filter(Boolean).join('\n\n');
}

/** Empty without changed instructions for agents. */
function instructionsNote(record: SessionRecord, net: readonly { path: string }[]): string {
  const paths = net.map(({ path }) => path).filter(isAgentInstructions);
  const name = textIn(record, LABELS_IT['instructions.changed'], LABELS_EN['instructions.changed']);
  return paths.length > 0 ? listed(paths, name) : '';
}

function noSuchTurn(
  record: SessionRecord,
  number: string,
  { turnChanges }: Pick<UndoCommandsNeeds, 'turnChanges'>,
): string {
  const { length } = turnChanges.turns(record);
  return textIn(
    record,
    `Non c’è un turno ${number}: sono ${length}.`,
    `There is no turn ${number}: there are ${length}.`,
  );
}

type Done = Extract<UndoOutcome, { kind: 'done' }>;

type Left = Pick<Done, 'skipped' | 'omitted' | 'isPartial'>;

function leftOf(outcomes: readonly UndoOutcome[]): Left {
  const lefts = outcomes.flatMap((one) => (one.kind === 'busy' ? [] : [one]));
  return {
    skipped: [...new Map(lefts.flatMap((one) => one.skipped.map((skip) => [skip.path, skip] as const))).values()],
    omitted: lefts.reduce((sum, { omitted }) => sum + omitted, 0),
    isPartial: lefts.some(({ isPartial }) => isPartial),
  };
}

/** The combined result of several turns: a file left unchanged by one of them counts as not restored. */
function merged(
  outcomes: readonly Done[],
  skipped: readonly Skipped[],
): Pick<Done, 'done' | 'chat'> & { numbers: number[] } {
  const isSkipped = new Set(skipped.map(({ path }) => path));
  return {
    numbers: outcomes.map(({ turn }) => turn.number).sort((one, other) => one - other),
    done: [...new Set(outcomes.flatMap(({ done }) => done))].filter((path) => !isSkipped.has(path)).sort(),
    chat: outcomes.find(({ chat }) => chat !== 'not-asked')?.chat ?? 'not-asked',
  };
}

async function answer(
  record: SessionRecord,
  { direction, outcomes }: { direction: 'undo' | 'redo'; outcomes: readonly UndoOutcome[] },
  needs: UndoCommandsNeeds,
): Promise<string> {
  if (outcomes.some(({ kind }) => kind === 'busy')) {
    return textIn(
      record,
      'Un agente di questa conversazione sta ancora lavorando.',
      'An agent of this conversation is still running.',
    );
  }
  const all = outcomes.filter((outcome) => outcome.kind === 'done');
  const left = leftOf(outcomes);
  if (!all.length) {
    const nothing =
      direction === 'undo'
        ? textIn(record, 'Niente da annullare.', 'Nothing to undo.')
        : textIn(record, 'Niente da ripetere.', 'Nothing to redo.');
    return [nothing, ...(await leftTexts(record, left, needs))].filter(Boolean).join('\n\n');
  }
  const { numbers, done, chat } = merged(all, left.skipped);
  const isEmpty = !done.length && chat !== 'done';
  return [
    headingOf(record, isEmpty ? 'nothing' : direction, numbers),
    done.length ? listed(done, textIn(record, 'File', 'Files')) : '',
    chat === 'done' && direction === 'undo'
      ? textIn(record, 'Il turno non è più nel contesto del modello.', 'The turn is no longer in the model’s context.')
      : '',
    chat === 'done' && direction === 'redo'
      ? textIn(record, 'Il turno è di nuovo nel contesto del modello.', 'The turn is in the model’s context again.')
      : '',
    chat === 'compacted'
      ? textIn(
          record,
          'I messaggi non sono stati annullati: la conversazione è stata compattata dopo questo turno.',
          'The messages were not undone: the conversation was compacted after this turn.',
        )
      : '',
    ...(await leftTexts(record, left, needs)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

async function leftTexts(
  record: SessionRecord,
  { skipped, ...left }: Left,
  needs: UndoCommandsNeeds,
): Promise<string[]> {
  return [await conflicts(record, skipped, needs), ...unrecordedTexts(record, left)];
}

function unrecordedTexts(record: SessionRecord, { omitted, isPartial }: Omit<Left, 'skipped'>): string[] {
  const more = textIn(
    record,
    `Altri ${omitted} file modificati non sono stati registrati.`,
    `${omitted} more changed files were not tracked.`,
  );
  const partial = textIn(
    record,
    'I comandi possono aver modificato altri file: qui non tutti i file sono registrati (cartella home, o più di 100.000 file).',
    'Commands may have changed other files: not all files are tracked here (home folder, or more than 100,000 files).',
  );
  return [omitted ? more : '', isPartial ? partial : ''];
}

type Sentence = [italian: string, english: string];

const HEADINGS: Record<'undo' | 'redo' | 'nothing', { one: Sentence; many: Sentence }> = {
  undo: {
    one: ['Annullato il turno {turns}.', 'Undid turn {turns}.'],
    many: ['Annullati i turni {turns}.', 'Undid turns {turns}.'],
  },
  redo: {
    one: ['Ripetuto il turno {turns}.', 'Redid turn {turns}.'],
    many: ['Ripetuti i turni {turns}.', 'Redid turns {turns}.'],
  },
  nothing: {
    one: ['Turno {turns}: nessuna modifica.', 'Turn {turns}: no changes.'],
    many: ['Turni {turns}: nessuna modifica.', 'Turns {turns}: no changes.'],
  },
};

function headingOf(record: SessionRecord, outcome: keyof typeof HEADINGS, numbers: readonly number[]): string {
  const words = HEADINGS[outcome][numbers.length === 1 ? 'one' : 'many'];
  return textIn(record, ...words).replace('{turns}', numbers.join(', '));
}

function listed(paths: readonly string[], name: string): string {
  const shown = paths.slice(0, MAX_LISTED).map((path) => `- \`${path}\``);
  const rest = paths.length - shown.length;
  return [`${name}:`, ...shown, ...(rest ? [`- … +${rest}`] : [])].join('\n');
}

const REASONS: Record<SkipReason, [italian: string, english: string]> = {
  cambiato: ['modificato nel frattempo', 'changed since then'],
  'non-conservato': ['il contenuto precedente non è stato salvato', 'its previous content was not saved'],
  'troppo-grande': ['troppo grande per essere salvato', 'too large to save'],
  'non-accessibile': ['non si può leggere o scrivere', 'cannot be read or written'],
  fermato: ['operazione interrotta prima di questo file', 'stopped before this file'],
  incerto: [
    'non è chiaro chi lo ha modificato: intanto era in corso altro nella cartella',
    'not clear who changed it: something else was running in the folder',
  ],
};

async function conflicts(
  record: SessionRecord,
  skipped: readonly Skipped[],
  needs: UndoCommandsNeeds,
): Promise<string> {
  if (!skipped.length) return '';
  const rows = skipped.slice(0, MAX_LISTED).map(({ path, reason, left, present }) => {
    const facts = reason === 'cambiato' && left ? ` (${shortHash(left.sha256)} → ${presentFacts(present)})` : '';
    return `- \`${path}\`: ${textIn(record, ...REASONS[reason])}${facts}`;
  });
  const rest = skipped.length - rows.length;
  const shown: string[] = [];
  for (const one of skipped.filter(({ reason }) => reason === 'cambiato').slice(0, MAX_CONFLICTS_SHOWN)) {
    shown.push(await conflictDiff(record, one, needs));
  }
  const heading = textIn(record, 'Non modificati:', 'Not changed:');
  return [[heading, ...rows, ...(rest ? [`- … +${rest}`] : [])].join('\n'), ...shown].filter(Boolean).join('\n\n');
}

function presentFacts(present: Skipped['present']): string {
  return present ? `${shortHash(present.sha256 ?? undefined)}, ${present.sizeBytes} B` : '–';
}

function shortHash(sha256: string | undefined): string {
  return sha256?.slice(0, 12) ?? '–';
}

/** From the turn's result to the current content. */
async function conflictDiff(
  { header }: SessionRecord,
  { path, left, present }: Skipped,
  { turnChanges, readTextFile }: UndoCommandsNeeds,
): Promise<string> {
  const bytes = left?.isThere ? await turnChanges.bytesOf(left) : Buffer.alloc(0);
  const before = bytes && exactText(bytes);
  const after = present ? await readTextFile(header.folder, path) : '';
  const patch = before !== undefined && after !== undefined ? unifiedDiff(path, before, after) : undefined;
  return patch ? fencedText(patch, MAX_CONFLICT_TEXT) : '';
}
