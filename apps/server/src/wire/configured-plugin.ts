import type { ConfiguredPlugin, ConfiguredPluginList, PluginRow } from '@fucina/host';
import type { Language } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { text } from './common.ts';
import { plugin, pluginOnWire } from './extension.ts';
import { extensionId, ownScope, placeFields, SCOPES, targetNames } from './extension-place.ts';

export const pluginParams = z.strictObject({ pluginId: extensionId });

const path = z.string().min(1).max(4_096);
export const pluginFolder = renamed(z.strictObject({ percorso: path }), { percorso: 'source' });
export const newPlugin = renamed(
  z.strictObject({ ...placeFields, ambito: ownScope, percorso: path, impronta: text.max(200) }),
  { ...targetNames, percorso: 'source', impronta: 'hash' },
);

const configured = plugin
  .extend({ ambito: z.enum(['ovunque', 'progetto', 'file']), attivo: z.boolean(), sostituito: z.boolean() })
  .meta({ id: 'ConfiguredPlugin' });

const onWire = (row: ConfiguredPlugin, language: Language): z.output<typeof configured> => ({
  ...pluginOnWire(row, language),
  ambito: SCOPES[row.scope],
  attivo: row.isOn,
  sostituito: row.isReplaced,
});

export const configuredPlugin = encoded(
  z.object({ plugin: configured }),
  ({ row, language }: { row: ConfiguredPlugin; language: Language }) => ({ plugin: onWire(row, language) }),
);

export const shownPlugin = encoded(
  z.object({ plugin: plugin.extend({ impronta: z.string() }).meta({ id: 'ShownPlugin' }) }),
  ({ row, language }: { row: PluginRow & { hash: string }; language: Language }) => ({
    plugin: { ...pluginOnWire(row, language), impronta: row.hash },
  }),
);

export const configuredPlugins = encoded(
  z.object({
    plugin: z.array(configured),
    falliti: z.array(z.object({ id: z.string(), errore: z.string() })),
    errore: z.string().nullable(),
  }),
  ({ list, language }: { list: ConfiguredPluginList; language: Language }) => ({
    plugin: list.rows.map((row) => onWire(row, language)),
    falliti: list.broken.map(({ id, problem }) => ({ id, errore: problem })),
    errore: list.problem,
  }),
);
