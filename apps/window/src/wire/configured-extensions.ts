import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, amend, erase, read, send } from './call.ts';

type Schemas = components['schemas'];
export type Hook = Schemas['ConfiguredHook'];
export type HookDefinition = NonNullable<Hook['definizione']>;
export type HookEvent = HookDefinition['eventi'][number];
export type Skill = Schemas['ConfiguredSkill'];
export type SkillDetails = Schemas['SkillDetails'];
export type OwnScope = Skill['ambito'];

/** A project by its folder or one of its sessions; without either all projects. */
export interface ExtensionPlace {
  cartella?: string | undefined;
  sessionId?: string | undefined;
}

/** Of an existing hook or skill. */
export interface Named {
  id: string;
  ambito: Hook['ambito'];
}

/** A project's files may change at any time: polled while visible. */
const POLL_MS = 10_000;
const HOOKS = ['ext', 'hook'];
const SKILLS = ['ext', 'skill'];
const keyOf = (kind: string, { cartella, sessionId }: ExtensionPlace) =>
  ['configured-extensions', kind, cartella ?? '', sessionId ?? ''] as const;
const query = ({ cartella, sessionId }: ExtensionPlace) => ({ cartella, sessionId });

export const hooksQuery = (place: ExtensionPlace) =>
  queryOptions({
    queryKey: keyOf('hooks', place),
    queryFn: ({ signal }) =>
      read<{ hooks: readonly Hook[]; errore: string | null }>(address(HOOKS, query(place)), signal),
    refetchInterval: POLL_MS,
  });

export const skillsQuery = (place: ExtensionPlace) =>
  queryOptions({
    queryKey: keyOf('skills', place),
    queryFn: async ({ signal }) =>
      (await read<{ skills: readonly Skill[] }>(address(SKILLS, query(place)), signal)).skills,
    refetchInterval: POLL_MS,
  });

export const refreshConfigured = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['configured-extensions'] });

/** All of these throw WireError. */
const targetOf = (place: ExtensionPlace, { ambito }: Pick<Named, 'ambito'>) => ({ ...query(place), ambito });

export interface SavedHook extends Named {
  definizione: HookDefinition;
}

export const addHook = (place: ExtensionPlace, hook: SavedHook): Promise<unknown> =>
  send(address(HOOKS), { ...query(place), ...hook });

export const changeHook = (place: ExtensionPlace, { id, ...hook }: SavedHook): Promise<unknown> =>
  amend(address([...HOOKS, id]), { ...query(place), ...hook });

export const removeHook = (place: ExtensionPlace, hook: Named): Promise<unknown> =>
  erase(address([...HOOKS, hook.id], targetOf(place, hook)));

export const turnHook = (place: ExtensionPlace, hook: Named, attivo: boolean): Promise<unknown> =>
  send(address([...HOOKS, hook.id, 'scelte']), { ...targetOf(place, hook), attivo });

export const trustHook = (place: ExtensionPlace, hook: Named): Promise<unknown> =>
  send(address([...HOOKS, hook.id, 'fiducia']), targetOf(place, hook));

export interface SavedSkill extends Named {
  nome: string;
  descrizione: string;
  istruzioni: string;
}

export const addSkill = (place: ExtensionPlace, skill: SavedSkill): Promise<unknown> =>
  send(address(SKILLS), { ...query(place), ...skill });

export const changeSkill = (place: ExtensionPlace, { id, ...skill }: SavedSkill): Promise<unknown> =>
  amend(address([...SKILLS, id]), { ...query(place), ...skill });

export const readSkill = async (place: ExtensionPlace, skill: Named): Promise<SkillDetails> =>
  (await read<{ skill: SkillDetails }>(address([...SKILLS, skill.id], targetOf(place, skill)))).skill;

export const removeSkill = (place: ExtensionPlace, skill: Named): Promise<unknown> =>
  erase(address([...SKILLS, skill.id], targetOf(place, skill)));

export const turnSkill = (place: ExtensionPlace, skill: Named, attivo: boolean): Promise<unknown> =>
  send(address([...SKILLS, skill.id, 'scelte']), { ...targetOf(place, skill), attivo });

const PLUGINS = ['ext', 'plugin'];

export type Plugin = Schemas['ConfiguredPlugin'];
export type ShownPlugin = Schemas['ShownPlugin'];

export interface PluginList {
  plugin: readonly Plugin[];
  falliti: readonly { id: string; errore: string }[];
  errore: string | null;
}

export const pluginsQuery = (place: ExtensionPlace) =>
  queryOptions({
    queryKey: keyOf('plugins', place),
    queryFn: ({ signal }) => read<PluginList>(address(PLUGINS, query(place)), signal),
    refetchInterval: POLL_MS,
  });

export const previewPlugin = async (percorso: string): Promise<ShownPlugin> =>
  (await send<{ plugin: ShownPlugin }>(address([...PLUGINS, 'lettura']), { percorso })).plugin;

export const addPlugin = (
  place: ExtensionPlace,
  plugin: { percorso: string; impronta: string; ambito: OwnScope },
): Promise<unknown> => send(address(PLUGINS), { ...query(place), ...plugin });

export const removePlugin = (place: ExtensionPlace, plugin: Named): Promise<unknown> =>
  erase(address([...PLUGINS, plugin.id], targetOf(place, plugin)));

export const turnPlugin = (place: ExtensionPlace, plugin: Named, attivo: boolean): Promise<unknown> =>
  send(address([...PLUGINS, plugin.id, 'scelte']), { ...targetOf(place, plugin), attivo });

export const trustPlugin = (place: ExtensionPlace, plugin: Named): Promise<unknown> =>
  send(address([...PLUGINS, plugin.id, 'fiducia']), targetOf(place, plugin));
