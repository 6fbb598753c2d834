import { LABELS_EN } from '@fucina/conversation/labels/en';
import type { Command } from '@fucina/shared';
import type { CompactionOutcome, Compactions } from '../context/compaction.ts';
import { conversationTokens } from '../context/context-use.ts';
import { folderBrief } from '../context/folder-brief.ts';
import type { SessionCost } from '../reading/session-cost.ts';
import type { Registry } from '../registry.ts';
import { answeringModel } from '../state/answering-model.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { SessionRecord } from '../store/store.ts';
import { instructionRows } from './instruction-rows.ts';
import type { SlashCommands } from './slash.ts';

interface BuiltInNeeds {
  registry: Registry;
  compactions: Compactions;
  costOf(record: SessionRecord): SessionCost;
  slash(): SlashCommands;
}

/** The built-in commands that need only the conversation. They answer in the language of the session. */
export function builtInCommands({ registry, compactions, costOf, slash }: BuiltInNeeds): readonly Command[] {
  const on = (act: (record: SessionRecord, argument: string) => Promise<string> | string): Command['run'] => {
    return async (argument, { sessionId }) => act(registry.get(sessionId ?? ''), argument);
  };
  return [
    {
      name: 'help',
      summary: LABELS_EN['slash.help'],
      usage: '/help',
      run: on(async (record) => {
        const commands = await slash().list(record.header.folder);
        return commands.map(({ usage, summary }) => `- \`${usage}\` ${summary}`).join('\n');
      }),
    },
    {
      name: 'compact',
      summary: LABELS_EN['slash.compact'],
      usage: '/compact',
      run: on(async (record) => {
        const outcome = await compactions.run(record, 'manuale');
        if (!outcome.isCompacted) return notCompacted(record, outcome);
        const { tokensBefore, tokensAfter } = outcome.compaction;
        return textIn(
          record,
          `Conversazione compattata: da circa ${tokensBefore} a circa ${tokensAfter} token.`,
          `Compacted: from about ${tokensBefore} to about ${tokensAfter} tokens.`,
        );
      }),
    },
    {
      name: 'status',
      summary: LABELS_EN['slash.status'],
      usage: '/status',
      run: on((record) => {
        const { settings, header, fold } = record;
        const rows = [
          [textIn(record, 'Modello', 'Model'), answeringModel(record)],
          [textIn(record, 'Permessi', 'Permissions'), settings.permissions],
          [
            textIn(record, 'Modalità', 'Mode'),
            settings.mode === 'plan' ? textIn(record, 'piano', 'plan') : textIn(record, 'normale', 'normal'),
          ],
          [textIn(record, 'Cartella', 'Folder'), header.folder],
          [textIn(record, 'Comando di prova', 'Test command'), header.testCommand ?? '–'],
          [textIn(record, 'Turni', 'Turns'), String(fold.runs)],
          ['Token', fold.total ? `${fold.total.promptTokens} + ${fold.total.completionTokens}` : '–'],
        ];
        return rows.map(([name, value]) => `- ${name}: ${value}`).join('\n');
      }),
    },
    {
      name: 'context',
      summary: LABELS_EN['slash.context'],
      usage: '/context',
      run: on(async (record) => {
        const { windowTokens, triggerTokens } = compactions.policy(record);
        const tokens = conversationTokens(registry.reread(record).messages());
        const size = windowTokens ?? textIn(record, 'sconosciuta', 'unknown');
        const use = textIn(
          record,
          `Conversazione: circa ${tokens} token. Contesto del modello: ${size}. Compattazione automatica a ${triggerTokens} token.`,
          `Conversation: about ${tokens} tokens. Context window: ${size}. Auto-compacts at ${triggerTokens} tokens.`,
        );
        return [use, ...instructionRows(record, (await folderBrief(record.header.folder)).sources)].join('\n');
      }),
    },
    {
      name: 'cost',
      summary: LABELS_EN['slash.cost'],
      usage: '/cost',
      run: on((record) => costRows(record, costOf(record)).join('\n')),
    },
    {
      name: 'plan',
      summary: LABELS_EN['slash.plan'],
      usage: '/plan',
      run: on((record) => {
        const mode = record.settings.mode === 'plan' ? 'normal' : 'plan';
        const value = {
          modalitaOperativa: mode === 'plan' ? 'piano' : 'normale',
          permessi: record.settings.permissions,
          motivo: 'comando',
        };
        registry.append(record, [customEvent(CUSTOM_EVENTS.settings, value)], {
          settings: { ...record.settings, mode },
        });
        return mode === 'plan'
          ? textIn(
              record,
              'Modalità piano attiva: descrivi cosa vuoi ottenere.',
              'Plan mode on: describe what you want to achieve.',
            )
          : textIn(record, 'Modalità piano disattivata.', 'Plan mode off.');
      }),
    },
  ];
}

function textIn({ settings }: SessionRecord, italian: string, english: string): string {
  return settings.language === 'en' ? english : italian;
}

function costRows(record: SessionRecord, cost: SessionCost): string[] {
  const { promptTokens, completionTokens, cachedTokens, usd, callsWithoutPrice } = cost;
  const price = usd === null ? textIn(record, 'Prezzo sconosciuto', 'Price unknown') : `$${usd.toFixed(4)}`;
  const without = textIn(
    record,
    ` (chiamate senza prezzo: ${callsWithoutPrice})`,
    ` (calls without a price: ${callsWithoutPrice})`,
  );
  const cached = textIn(record, ` (dalla cache: ${cachedTokens})`, ` (cached: ${cachedTokens})`);
  return [
    `- ${textIn(record, 'Token di input', 'Input tokens')}: ${promptTokens}${cachedTokens ? cached : ''}`,
    `- ${textIn(record, 'Token di output', 'Output tokens')}: ${completionTokens}`,
    `- ${textIn(record, 'Chiamate al modello', 'Model calls')}: ${cost.modelCalls}`,
    `- ${textIn(record, 'Costo', 'Cost')}: ${price}${usd !== null && callsWithoutPrice > 0 ? without : ''}`,
  ];
}

function notCompacted(record: SessionRecord, { why, failure }: NotMade): string {
  const reason = failure ? ` ${failure.message}` : '';
  switch (why) {
    case 'too-short':
      return textIn(
        record,
        'Niente da compattare: la conversazione è ancora breve.',
        'Nothing to compact: the conversation is still short.',
      );
    case 'in-progress':
      return textIn(record, 'Una compattazione è già in corso.', 'A compaction is in progress already.');
    case 'cancelled':
      return textIn(record, 'Compattazione annullata.', 'The compaction was cancelled.');
    case 'model-failed':
      return textIn(
        record,
        `Non compattata: il modello non ha dato un riassunto.${reason}`,
        `Not compacted: the model gave no summary.${reason}`,
      );
  }
}

type NotMade = Extract<CompactionOutcome, { isCompacted: false }>;
