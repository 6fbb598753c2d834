import type { Schedule } from '@fucina/conversation/schedule';
import { PERMISSION_LEVELS } from '@fucina/shared';
import * as z from 'zod';
import type { AutomationPatch } from '../editing.ts';

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** As the interface names it. */
const schedule = z.discriminatedUnion('tipo', [
  z.strictObject({ tipo: z.literal('manuale') }),
  z.strictObject({ tipo: z.literal('ogni-ora'), minuto: z.int().min(0).max(59) }),
  z.strictObject({ tipo: z.literal('giornaliera'), ora: time }),
  z.strictObject({ tipo: z.literal('feriali'), ora: time }),
  z.strictObject({ tipo: z.literal('settimanale'), ora: time, giorno: z.int().min(0).max(6).describe('0 is Sunday') }),
  z.strictObject({ tipo: z.literal('ogni-n-minuti'), minuti: z.int().min(5).max(525_600) }),
  z.strictObject({ tipo: z.literal('cron'), espressione: z.string().max(200).describe('five fields') }),
  z.strictObject({ tipo: z.literal('una-volta'), quando: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/) }),
]);

export const automationToolFields = {
  nome: z.string().min(1).max(80),
  istruzioni: z.string().min(1).max(20_000).describe('what to do each time; it is all a run knows'),
  cartella: z.string().min(1).max(4_096).describe('absolute; default: this folder'),
  modello: z.string().min(1).max(240).nullable(),
  permessi: z.enum(PERMISSION_LEVELS).describe('default: Workspace write'),
  coordinazione: z.boolean().describe('may start agents by itself; default: no'),
  pianificazione: schedule,
  fusoOrario: z.string().min(1).max(100).describe('IANA; default: the system’s'),
  ripeti: z.int().min(1).nullable().describe('null: for ever'),
};

export type SentFields = Partial<z.infer<z.ZodObject<typeof automationToolFields>>>;

/** The fields that were sent, by the names of the domain. */
export function patchOf(sent: SentFields): AutomationPatch {
  const { nome, istruzioni, cartella, modello, permessi, coordinazione, pianificazione, fusoOrario, ripeti } = sent;
  return {
    name: nome,
    instructions: istruzioni,
    folder: cartella,
    model: modello,
    permissions: permessi,
    coordinates: coordinazione,
    schedule: pianificazione && scheduleOf(pianificazione),
    zone: fusoOrario,
    repeats: ripeti,
  };
}

export function scheduleOf(sent: z.infer<typeof schedule>): Schedule {
  switch (sent.tipo) {
    case 'manuale':
      return { kind: 'manual' };
    case 'ogni-ora':
      return { kind: 'hourly', minute: sent.minuto };
    case 'giornaliera':
      return { kind: 'daily', time: sent.ora };
    case 'feriali':
      return { kind: 'weekdays', time: sent.ora };
    case 'settimanale':
      return { kind: 'weekly', time: sent.ora, day: sent.giorno };
    case 'ogni-n-minuti':
      return { kind: 'every', minutes: sent.minuti };
    case 'cron':
      return { kind: 'cron', expression: sent.espressione };
    case 'una-volta':
      return { kind: 'once', at: sent.quando };
  }
}
