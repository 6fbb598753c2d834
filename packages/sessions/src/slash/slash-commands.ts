import type { Command } from '@fucina/shared';
import type { Compactions } from '../context/compaction.ts';
import { conversationTokens } from '../context/context-use.ts';
import type { SessionCost } from '../reading/session-cost.ts';
import type { Registry } from '../registry.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { SessionRecord } from '../store/store.ts';
import { answeringModel } from '../turn/provider-fallback.ts';
import type { SlashCommands } from './slash.ts';

interface BuiltInNeeds {
  registry: Registry;
  compactions: Compactions;
  costOf(record: SessionRecord): SessionCost;
  slash(): SlashCommands;
}

/** The commands of a conversation that need nothing but the conversation. They answer in the language of the session. */
export function builtInCommands({ registry, compactions, costOf, slash }: BuiltInNeeds): readonly Command[] {
  const on = (act: (record: SessionRecord, argument: string) => Promise<string> | string): Command['run'] => {
    return async (argument, { sessionId }) => act(registry.get(sessionId ?? ''), argument);
  };
  return [
    {
      name: 'help',
      summary: 'Available commands',
      usage: '/help',
      run: on(async (record) => {
        const commands = await slash().list(record.header.folder);
        return commands.map(({ usage, summary }) => `- \`${usage}\` ${summary}`).join('\n');
      }),
    },
    {
      name: 'compact',
      summary: 'Compact the conversation now',
      usage: '/compact',
      run: on(async (record) => {
        const outcome = await compactions.run(record, 'manuale');
        if (!outcome.isCompacted) return told(record, 'Niente da compattare.', 'Nothing to compact.');
        const { tokensBefore, tokensAfter } = outcome.compaction;
        return told(
          record,
          `Conversazione riassunta: da circa ${tokensBefore} a circa ${tokensAfter} token.`,
          `Summed up: from about ${tokensBefore} to about ${tokensAfter} tokens.`,
        );
      }),
    },
    {
      name: 'status',
      summary: 'Model, permissions, folder and usage of this session',
      usage: '/status',
      run: on((record) => {
        const { settings, header, fold } = record;
        const rows = [
          [told(record, 'Modello', 'Model'), answeringModel(record)],
          [told(record, 'Permessi', 'Permissions'), settings.permissions],
          [
            told(record, 'Modalità', 'Mode'),
            settings.mode === 'plan' ? told(record, 'piano', 'plan') : told(record, 'normale', 'normal'),
          ],
          [told(record, 'Cartella', 'Folder'), header.folder],
          [told(record, 'Comando di prova', 'Test command'), header.testCommand ?? '–'],
          [told(record, 'Turni', 'Turns'), String(fold.runs)],
          ['Token', fold.total ? `${fold.total.promptTokens} + ${fold.total.completionTokens}` : '–'],
        ];
        return rows.map(([name, value]) => `- ${name}: ${value}`).join('\n');
      }),
    },
    {
      name: 'context',
      summary: "How full the model's window is",
      usage: '/context',
      run: on((record) => {
        const { windowTokens, triggerTokens } = compactions.policy(record);
        const tokens = conversationTokens(registry.reread(record).messages());
        const size = windowTokens ?? told(record, 'sconosciuta', 'unknown');
        return told(
          record,
          `Conversazione: circa ${tokens} token. Finestra del modello: ${size}. Riassunto automatico da ${triggerTokens}.`,
          `Conversation: about ${tokens} tokens. Window of the model: ${size}. Summed up by itself from ${triggerTokens}.`,
        );
      }),
    },
    {
      name: 'cost',
      summary: 'Tokens and cost of this session',
      usage: '/cost',
      run: on((record) => costRows(record, costOf(record)).join('\n')),
    },
    {
      name: 'plan',
      summary: 'Turn plan mode on or off: no changes until you approve a plan',
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
          ? told(
              record,
              'Modalità piano: descrivi che cosa vuoi ottenere.',
              'Plan mode: describe what you want to achieve.',
            )
          : told(record, 'Modalità normale.', 'Normal mode.');
      }),
    },
  ];
}

function told({ settings }: SessionRecord, italian: string, english: string): string {
  return settings.language === 'en' ? english : italian;
}

function costRows(record: SessionRecord, cost: SessionCost): string[] {
  const { promptTokens, completionTokens, cachedTokens, usd, callsWithoutPrice } = cost;
  const price = usd === null ? told(record, 'Prezzo sconosciuto', 'Price unknown') : `$${usd.toFixed(4)}`;
  const without = told(
    record,
    ` (chiamate senza prezzo: ${callsWithoutPrice})`,
    ` (calls without a price: ${callsWithoutPrice})`,
  );
  const cached = told(record, ` (dalla cache: ${cachedTokens})`, ` (cached: ${cachedTokens})`);
  return [
    `- ${told(record, 'Token di input', 'Input tokens')}: ${promptTokens}${cachedTokens ? cached : ''}`,
    `- ${told(record, 'Token di output', 'Output tokens')}: ${completionTokens}`,
    `- ${told(record, 'Chiamate al modello', 'Model calls')}: ${cost.modelCalls}`,
    `- ${told(record, 'Costo', 'Cost')}: ${price}${usd !== null && callsWithoutPrice > 0 ? without : ''}`,
  ];
}
