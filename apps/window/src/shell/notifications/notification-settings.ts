import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../ambient.ts';
import { ATTENTION_KINDS, type AttentionKind } from './attention.ts';

/** Per browser, because each one has its own permission. */
export interface NotificationSettings {
  isOn: boolean;
  kinds: readonly AttentionKind[];
  hasSound: boolean;
  /** Quiet hours as `HH:MM` in local time; the end may be on the next day. */
  quietHours: { from: string; to: string } | undefined;
  mutedSessions: readonly string[];
}

const DEFAULTS: NotificationSettings = {
  isOn: false,
  kinds: ATTENTION_KINDS,
  hasSound: false,
  quietHours: undefined,
  mutedSessions: [],
};

/** Limit of remembered sessions: a deleted one stays in the list. */
const MAX_MUTED = 500;

const isClockTime = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The stored settings, with defaults for missing or invalid values. */
export function settingsFrom(stored: Record<string, unknown>): NotificationSettings {
  const { isOn, kinds, hasSound, quietHours, mutedSessions } = stored;
  const hours = isRecord(quietHours) ? quietHours : {};
  return {
    isOn: isOn === true,
    kinds: Array.isArray(kinds) ? ATTENTION_KINDS.filter((kind) => kinds.includes(kind)) : DEFAULTS.kinds,
    hasSound: hasSound === true,
    quietHours: isClockTime(hours.from) && isClockTime(hours.to) ? { from: hours.from, to: hours.to } : undefined,
    mutedSessions: Array.isArray(mutedSessions) ? mutedSessions.filter((id) => typeof id === 'string') : [],
  };
}

let settings: NotificationSettings | undefined;
const listeners = new Set<() => void>();

export const notificationSettings = (): NotificationSettings =>
  (settings ??= settingsFrom(readStored('notifications', isRecord) ?? {}));

export function changeNotificationSettings(change: Partial<NotificationSettings>): void {
  settings = { ...notificationSettings(), ...change };
  writeStored('notifications', settings);
  for (const listener of listeners) listener();
}

export function muteSession(sessionId: string, isMuted: boolean): void {
  const others = notificationSettings().mutedSessions.filter((id) => id !== sessionId);
  changeNotificationSettings({ mutedSessions: isMuted ? [...others, sessionId].slice(-MAX_MUTED) : others });
}

/** Another tab of this browser may change them, too. */
function subscribe(listener: () => void): () => void {
  const reread = ({ key }: StorageEvent): void => {
    if (key !== 'fucina.notifications') return;
    settings = undefined;
    listener();
  };
  listeners.add(listener);
  addEventListener('storage', reread);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', reread);
  };
}

export const useNotificationSettings = (): NotificationSettings =>
  useSyncExternalStore(subscribe, notificationSettings);

/** Whether `clock` (`HH:MM`) is in the quiet hours. 22:00 to 07:00 includes midnight; equal times mean never. */
export function isQuietAt({ quietHours }: NotificationSettings, clock: string): boolean {
  if (!quietHours) return false;
  const { from, to } = quietHours;
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to;
}
