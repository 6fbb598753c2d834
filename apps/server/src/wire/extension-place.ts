import * as z from 'zod';
import { mapped, renamed } from '../http/renamed.ts';
import { sessionId, text } from './common.ts';

/** A project by one of its sessions or by its folder; neither means every project. */
export const placeFields = { sessionId: sessionId.optional(), cartella: z.string().min(1).max(4_096).optional() };
export const placeNames = { cartella: 'path' } as const;
export const extensionPlace = renamed(z.strictObject(placeFields), placeNames);

export const scope = mapped({ ovunque: 'everywhere', progetto: 'project', file: 'file' });
export const ownScope = mapped({ ovunque: 'everywhere', progetto: 'project' });
export const SCOPES = { everywhere: 'ovunque', project: 'progetto', file: 'file' } as const;

export const targetNames = { ...placeNames, ambito: 'scope' } as const;
export const extensionTarget = renamed(z.strictObject({ ...placeFields, ambito: scope }), targetNames);
export const ownTarget = renamed(z.strictObject({ ...placeFields, ambito: ownScope }), targetNames);

export const extensionSwitch = renamed(z.strictObject({ ...placeFields, ambito: scope, attivo: z.boolean() }), {
  ...targetNames,
  attivo: 'isOn',
});
export const ownSwitch = renamed(z.strictObject({ ...placeFields, ambito: ownScope, attivo: z.boolean() }), {
  ...targetNames,
  attivo: 'isOn',
});

export const extensionId = text.max(200);
