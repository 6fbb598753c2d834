import { join, relative, sep } from 'node:path';
import { commonError, type Environment, isWithin } from '@fucina/shared';
import { sandboxError } from '../errors.ts';
import { isOpened } from './rule-mounts.ts';
import {
  createRuleStore,
  type DeniedTool,
  type ModeScope,
  type NetworkMode,
  type RuleStoreNeeds,
  type StoredRule,
} from './rule-store.ts';
import { readSandboxRule, type SandboxRule, storedRule } from './sandbox-rule.ts';

/**
 * What the user's stored rules allow for the commands in one folder: global rules, and those of the projects around it.
 */
export interface RulesInForce {
  /** Rules `Network(…)`. */
  network: readonly string[];
  /** Absolute real paths that commands may read. */
  reads: readonly string[];
  /**
   * Paths of control files that commands may write: relative to the folder, `/`-separated, or a bare name for any
   * folder.
   */
  writes: readonly string[];
}

export interface NetworkModes {
  everywhere: NetworkMode | null;
  project: NetworkMode | null;
  session: NetworkMode | null;
  /** The effective setting: of the session or its ancestor, the project, the global one, or `listed`. */
  effective: NetworkMode;
}

/** A session, as far as rules need it. */
export interface RulePlace {
  /** Absolute real path of the session's folder. */
  folder?: string | undefined;
  /** Its id, then those of its ancestors, whose settings apply to it, too. */
  lineage?: readonly string[] | undefined;
}

/** The user's rules for sandboxed commands, stored in the data folder, shared by the server and the command line. */
export interface SandboxRules extends AsyncDisposable {
  /** Oldest first. */
  list(): readonly StoredRule[];
  /** Null: for every project. PERMISSIONS_INVALID, with the reason, for a rule that allows nothing or too much. */
  add(text: string, folder: string | null): Promise<StoredRule>;
  /** NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Never throws: if the rules cannot be read, there are none. */
  inForce(folder: string): RulesInForce;
  /** Whether a rule lets this path of a project be written although it is a control file. */
  opens(folder: string, path: string): boolean;
  modes(place: RulePlace): NetworkModes;
  /** Never throws: if the setting cannot be read, the network is off. */
  mode(place: RulePlace): NetworkMode;
  /** Null: inherit from the wider scope. The name is a folder, a session, or empty for the global scope. */
  setMode(scope: ModeScope, name: string, mode: NetworkMode | null): Promise<void>;
  /** Tools of the network that the user denied for the session or its ancestors, the project or everywhere. */
  deniedTools(place: RulePlace): readonly DeniedTool[];
  /** The same, by name. Never throws: if the setting cannot be read, all of them are denied. */
  isToolDenied(tool: string, place: RulePlace): boolean;
  /** Of one scope; the name as in `setMode`. */
  setDeniedTool(denied: { scope: ModeScope; name: string; tool: NetworkTool }, isDenied: boolean): Promise<void>;
  /**
   * Deletes the settings of a deleted session. Never throws, so that an unreadable store does not prevent the deletion.
   */
  forget(sessionId: string): Promise<void>;
}

export interface SandboxRulesNeeds extends RuleStoreNeeds {
  environment: Environment;
}

/** Tools that have no permission of their own in a session's settings. */
export const NETWORK_TOOLS = ['naviga', 'web_search', 'browser_open'] as const;
export type NetworkTool = (typeof NETWORK_TOOLS)[number];

export const NO_RULES: RulesInForce = { network: [], reads: [], writes: [] };

export function createSandboxRules(needs: SandboxRulesNeeds): SandboxRules {
  const { ambient } = needs;
  const store = createRuleStore(needs);
  const orElse = <Value>(read: () => Value, otherwise: Value): Value => {
    try {
      return read();
    } catch (error) {
      ambient.log.error('sandbox.rules-not-read', { error });
      return otherwise;
    }
  };
  const inForce = (folder: string): RulesInForce =>
    orElse(() => {
      const rules = store.list().flatMap((rule) => ruleIn(folder, rule) ?? []);
      return sorted(rules);
    }, NO_RULES);
  const modes = ({ folder, lineage = [] }: RulePlace): NetworkModes => {
    const everywhere = store.modes('everywhere').get('') ?? null;
    const project = folder === undefined ? null : nearest(store.modes('project'), folder);
    const sessions = store.modes('session');
    const [session = null] = lineage.flatMap((id) => sessions.get(id) ?? []);
    return { everywhere, project, session, effective: session ?? project ?? everywhere ?? 'listed' };
  };
  const deniedTools = ({ folder, lineage = [] }: RulePlace): readonly DeniedTool[] =>
    store.deniedTools().filter(({ scope, name }) => {
      if (scope === 'session') return lineage.includes(name);
      return scope === 'everywhere' || (folder !== undefined && isWithin(name, folder));
    });

  return {
    list: () => store.list(),
    async add(text, folder) {
      const rule = await readSandboxRule(text, needs);
      if ('problem' in rule)
        throw sandboxError('PERMISSIONS_INVALID', { reason: rule.problem, params: { rule: text } });
      return store.add(rule.text, folder);
    },
    async remove(id) {
      if (!(await store.remove(id))) throw commonError('NOT_FOUND', { reason: 'sandbox-rule' });
    },
    inForce,
    opens(folder, path) {
      const inside = isWithin('/', path) ? insideOf(folder, path) : path.split(sep).join('/');
      return inside !== undefined && isOpened(inForce(folder).writes, inside);
    },
    modes,
    mode: (place) => orElse(() => modes(place).effective, 'off'),
    setMode: (scope, name, mode) => store.setMode(scope, name, mode),
    deniedTools,
    isToolDenied: (tool, place) =>
      orElse(
        () => deniedTools(place).some((denied) => denied.tool === tool),
        (NETWORK_TOOLS as readonly string[]).includes(tool),
      ),
    setDeniedTool: (denied, isDenied) => store.setDenied(denied, isDenied),
    async forget(sessionId) {
      if (orElse(() => store.modes('session').has(sessionId), false)) await store.setMode('session', sessionId, null);
      const own = orElse(() => store.deniedTools(), []).filter(
        ({ scope, name }) => scope === 'session' && name === sessionId,
      );
      for (const denied of own) await store.setDenied(denied, false);
    },
    async [Symbol.asyncDispose]() {
      store[Symbol.dispose]();
    },
  };
}

function sorted(rules: readonly SandboxRule[]): RulesInForce {
  const pathsOf = (kind: 'read' | 'write'): string[] => rules.flatMap((one) => (one.kind === kind ? [one.path] : []));
  return {
    network: rules.flatMap((one) => (one.kind === 'network' ? [one.text] : [])),
    reads: pathsOf('read'),
    writes: pathsOf('write'),
  };
}

/** A project's rules also apply in its subfolders, with adjusted paths. Undefined if it has none there. */
function ruleIn(folder: string, { rule: text, folder: project }: StoredRule): SandboxRule | undefined {
  const rule = storedRule(text);
  if (project === null || project === folder || rule === undefined) return rule;
  if (!isWithin(project, folder)) return undefined;
  if (rule.kind !== 'write' || !rule.path.includes('/')) return rule;
  const path = relative(folder, join(project, rule.path)).split(sep).join('/');
  // With a slash: a bare name would match in any folder.
  return path.startsWith('../') ? undefined : { ...rule, path: path.includes('/') ? path : `./${path}` };
}

/** That of the folder or of the closest parent with one. */
function nearest(modes: ReadonlyMap<string, NetworkMode>, folder: string): NetworkMode | null {
  const around = [...modes].filter(([project]) => isWithin(project, folder));
  return around.sort(([one], [other]) => other.length - one.length)[0]?.[1] ?? null;
}

function insideOf(folder: string, path: string): string | undefined {
  return isWithin(folder, path) ? relative(folder, path).split(sep).join('/') : undefined;
}
