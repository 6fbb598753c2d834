import { localDay, type Schedule } from '@fucina/conversation/schedule';
import type { SelectablePermissionLevel } from '@fucina/shared';
import { checkSchedule, checkZone } from './check-schedule.ts';
import { automationsError } from './errors.ts';
import type { AutomationsNeeds } from './needs.ts';
import type { Automation, LegacyAutomation, Origin } from './records.ts';

export interface NewAutomation {
  name: string;
  instructions: string;
  /** An absolute path. */
  folder: string;
  model?: string | null | undefined;
  permissions?: SelectablePermissionLevel | undefined;
  coordinates?: boolean | undefined;
  schedule: Schedule;
  /** Default: the system's. */
  zone?: string | undefined;
  repeats?: number | null | undefined;
}

/** In the legacy form. */
export interface NewLegacy {
  taskId: string;
  intervalMinutes: number;
  name?: string | undefined;
  dailyLimit?: number | undefined;
  model?: string | null | undefined;
  coordinates?: boolean | undefined;
}

export type AutomationPatch = Partial<NewAutomation>;

const NAME_CHARS = 80;
const INSTRUCTIONS_CHARS = 20_000;
const DAILY_LIMIT = 3;
const MIN_INTERVAL_MINUTES = 5;

type EditNeeds = Pick<AutomationsNeeds, 'ambient' | 'folderOf' | 'templateName' | 'isModelId' | 'systemZone'>;

/** A new record, not stored yet and without a next run. Throws every error of `AutomationsService.create`. */
export async function newAutomation(given: NewAutomation, origin: Origin, needs: EditNeeds): Promise<Automation> {
  const now = needs.ambient.now();
  const record: Automation = {
    version: 2,
    id: needs.ambient.newId(),
    name: given.name.trim(),
    instructions: given.instructions,
    folder: given.folder,
    model: given.model ?? null,
    permissions: given.permissions ?? 'Workspace write',
    coordinates: given.coordinates ?? false,
    asksAddresses: true,
    schedule: given.schedule,
    zone: given.zone ?? needs.systemZone,
    repeats: given.schedule.kind === 'once' ? 1 : (given.repeats ?? null),
    executed: 0,
    isOn: true,
    origin,
    createdAt: now,
    changedAt: now,
    lastRunAt: null,
    nextRunAt: null,
    waitsUntil: null,
    running: null,
  };
  return checked(record, needs, { hasNewTiming: true, hasNewFolder: true });
}

/** The record with the requested changes. Throws every error of `AutomationsService.change`. */
export async function changed(record: Automation, patch: AutomationPatch, needs: EditNeeds): Promise<Automation> {
  const sent = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as AutomationPatch;
  if (Object.keys(sent).length === 0) throw invalid('nothing-to-change');
  const hasNewTiming = sent.schedule !== undefined || sent.zone !== undefined;
  const merged = { ...record, ...sent, asksAddresses: true, changedAt: needs.ambient.now() } as Automation;
  const next: Automation = {
    ...merged,
    name: merged.name.trim(),
    // A new schedule resets the counters.
    executed: sent.schedule || sent.repeats !== undefined ? 0 : merged.executed,
    repeats: repeatsOf(merged, record, sent),
  };
  return checked(next, needs, { hasNewTiming, hasNewFolder: sent.folder !== undefined });
}

/** A one-time schedule always has one run; that limit is not carried over to another schedule. */
function repeatsOf(merged: Automation, { schedule, repeats }: Automation, sent: AutomationPatch): number | null {
  if (merged.schedule.kind === 'once') return 1;
  if (sent.repeats !== undefined) return sent.repeats;
  return schedule.kind === 'once' ? null : repeats;
}

async function checked(
  record: Automation,
  needs: EditNeeds,
  { hasNewTiming, hasNewFolder }: { hasNewTiming: boolean; hasNewFolder: boolean },
): Promise<Automation> {
  checkName(record.name);
  const length = [...record.instructions].length;
  if (record.instructions.trim() === '' || length > INSTRUCTIONS_CHARS) throw invalid('istruzioni');
  checkModel(record.model, needs);
  if (record.repeats !== null && !(Number.isInteger(record.repeats) && record.repeats >= 1)) throw invalid('ripeti');
  checkZone(record.zone);
  if (hasNewTiming) checkSchedule(record, needs.ambient.now());
  if (!hasNewFolder) return record;
  const folder = await needs.folderOf(record.folder);
  if (folder === undefined) throw automationsError('AUTOMATION_FOLDER_UNAVAILABLE', { params: { field: 'cartella' } });
  return { ...record, folder };
}

export async function newLegacy(given: NewLegacy, needs: EditNeeds): Promise<LegacyAutomation> {
  const now = needs.ambient.now();
  const { intervalMinutes, dailyLimit = DAILY_LIMIT } = given;
  if (!Number.isInteger(intervalMinutes) || intervalMinutes < MIN_INTERVAL_MINUTES) throw invalid('intervalloMinuti');
  if (!Number.isInteger(dailyLimit) || dailyLimit < 1 || dailyLimit > 10) throw invalid('limiteAlGiorno');
  checkModel(given.model ?? null, needs);
  const name = given.name?.trim() ?? (await needs.templateName(given.taskId));
  checkName(name);
  if (given.name !== undefined) await needs.templateName(given.taskId);
  return {
    version: 1,
    id: needs.ambient.newId(),
    taskId: given.taskId,
    name,
    intervalMinutes,
    dailyLimit,
    model: given.model ?? null,
    coordinates: given.coordinates ?? false,
    isOn: false,
    createdAt: now,
    lastRunAt: null,
    nextRunAt: null,
    executedToday: 0,
    countedDay: localDay(needs.systemZone, now),
    running: null,
    waitsUntil: null,
  };
}

function checkName(name: string): void {
  if (name === '' || [...name].length > NAME_CHARS) throw invalid('nome');
}

function checkModel(model: string | null, { isModelId }: EditNeeds): void {
  if (model !== null && !isModelId(model)) throw invalid('modello');
}

function invalid(field: string) {
  return automationsError('AUTOMATION_INVALID', { params: { field } });
}
