import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { backupChoice, backupView } from '../../wire/backup.ts';

const tag = 'Extensions';
/** They write files where the caller says: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const answer = json(z.object({ backup: backupView }));

export const readBackups = operation({
  id: 'ext.backup.read',
  tag,
  summary: 'When the running server makes backups, the last one, and its failure',
  method: 'GET',
  path: '/ext/backup',
  answer,
  handle: async ({ services }) => ({ backup: await services.backups.view() }),
});

export const scheduleBackups = operation({
  id: 'ext.backup.schedule',
  tag,
  summary: 'Set when the running server makes backups, where, and how many remain',
  method: 'POST',
  path: '/ext/backup',
  body: backupChoice,
  answer,
  guards,
  handle: async ({ body, services }) => ({ backup: await services.backups.choose(body) }),
});

export const startBackup = operation({
  id: 'ext.backup.start',
  tag,
  summary: 'Make a backup now, unless one is being made',
  method: 'POST',
  path: '/ext/backup/start',
  answer,
  guards,
  handle: async ({ services }) => ({ backup: await services.backups.start() }),
});
