import type { Files } from '@fucina/files';
import type {
  ModeScope,
  NetworkMode,
  NetworkModes,
  NetworkTool,
  SandboxRefusalRecord,
  SandboxRules,
  SandboxState,
  SelfTestReport,
  StoredRule,
} from '@fucina/sandbox';
import type { Sessions } from '@fucina/sessions';
import { commonError, isWithin } from '@fucina/shared';
import { folderOfPlace, type Place } from '../sessions/place-folder.ts';
import type { SessionResolver } from '../sessions/session-resolver.ts';
import type { ToolList } from './tool-list.ts';

export type SandboxPlace = Place;

export interface SandboxView {
  state: SandboxState;
  /** Anyone who reaches the port of this server is served. */
  isWithoutToken: boolean;
  network: NetworkModes;
  /** Absolute real path of the requested project. */
  folder: string | null;
}

/** A tool without a permission of its own in a session's settings. */
export interface NetworkToolView {
  tool: NetworkTool;
  /** By any scope. */
  isDenied: boolean;
  deniedBy: readonly ModeScope[];
}

export interface DeniedToolSetting {
  tool: NetworkTool;
  scope: ModeScope;
  isDenied: boolean;
}

/**
 * The user's view and decisions about the sandbox of commands. Throws NOT_FOUND for an unknown session,
 * WORKSPACE_NOT_AVAILABLE for an unusable folder.
 */
export interface SandboxControl {
  /** Tests it in the background, because a command may run soon. Never throws: the command reports the same error. */
  prepare(): void;
  view(place: SandboxPlace): Promise<SandboxView>;
  /** Rules of all projects, oldest first; with a place, those that apply there. */
  rules(place: SandboxPlace): Promise<readonly StoredRule[]>;
  /** Without a place for every project. PERMISSIONS_INVALID for a rule that allows nothing or too much. */
  addRule(rule: { text: string } & SandboxPlace): Promise<StoredRule>;
  /** NOT_FOUND. */
  removeRule(id: string): Promise<void>;
  /**
   * Null: inherit from the wider scope. Returns the effective value. QUERY_INVALID for a scope that does not fit the
   * place.
   */
  setNetwork(setting: { scope: ModeScope; mode: NetworkMode | null } & SandboxPlace): Promise<NetworkModes>;
  /** Which tools of the network are denied there, and by which scope. */
  networkTools(place: SandboxPlace): Promise<readonly NetworkToolView[]>;
  /** QUERY_INVALID for a scope that does not fit the place. Returns the same list afterwards. */
  denyTool(setting: DeniedToolSetting & SandboxPlace): Promise<readonly NetworkToolView[]>;
  /** The newest first. */
  refusals(): Promise<readonly SandboxRefusalRecord[]>;
  test(): Promise<SelfTestReport>;
}

export interface SandboxControlNeeds {
  isWithoutToken: boolean;
  rules(): Promise<SandboxRules>;
  toolList: Pick<ToolList, 'commands'>;
  sessions(): Pick<Sessions, 'lineage'>;
  resolver: SessionResolver;
  files(): Files;
}

export function createSandboxControl(needs: SandboxControlNeeds): SandboxControl {
  const { toolList, isWithoutToken } = needs;
  const folderOf = (place: SandboxPlace): Promise<string | undefined> => folderOfPlace(needs, place);
  const lineageOf = ({ sessionId }: SandboxPlace): readonly string[] =>
    sessionId === undefined ? [] : needs.sessions().lineage(sessionId);
  const networkTools = async (place: SandboxPlace): Promise<NetworkToolView[]> => {
    const [rules, folder, { NETWORK_TOOLS }] = await Promise.all([
      needs.rules(),
      folderOf(place),
      import('@fucina/sandbox'),
    ]);
    const denied = rules.deniedTools({ folder, lineage: lineageOf(place) });
    return NETWORK_TOOLS.map((tool) => {
      const deniedBy = denied.filter((one) => one.tool === tool).map(({ scope }) => scope);
      return { tool, isDenied: deniedBy.length > 0, deniedBy: [...new Set(deniedBy)] };
    });
  };
  return {
    prepare: () =>
      void toolList
        .commands()
        .then((commands) => commands.sandboxState())
        .catch(() => undefined),
    async view(place) {
      const [rules, folder] = await Promise.all([needs.rules(), folderOf(place)]);
      const state = await (await toolList.commands()).sandboxState();
      const network = rules.modes({ folder, lineage: lineageOf(place) });
      return { state, isWithoutToken, network, folder: folder ?? null };
    },
    async rules(place) {
      const [rules, folder] = await Promise.all([needs.rules(), folderOf(place)]);
      return rules
        .list()
        .filter((rule) => folder === undefined || rule.folder === null || isWithin(rule.folder, folder));
    },
    async addRule({ text, ...place }) {
      const folder = await folderOf(place);
      return (await needs.rules()).add(text, folder ?? null);
    },
    removeRule: async (id) => (await needs.rules()).remove(id),
    async setNetwork({ scope, mode, ...place }) {
      const [rules, folder] = await Promise.all([needs.rules(), folderOf(place)]);
      await rules.setMode(scope, nameOf(scope, { folder, ...place }), mode);
      return rules.modes({ folder, lineage: lineageOf(place) });
    },
    networkTools,
    async denyTool({ tool, scope, isDenied, ...place }) {
      const [rules, folder] = await Promise.all([needs.rules(), folderOf(place)]);
      await rules.setDeniedTool({ scope, name: nameOf(scope, { folder, ...place }), tool }, isDenied);
      return networkTools(place);
    },
    refusals: async () => (await toolList.commands()).sandboxRefusals(),
    test: async () => (await toolList.commands()).testSandbox(),
  };
}

/** QUERY_INVALID for a scope that does not fit the place. */
function nameOf(
  scope: ModeScope,
  { folder, sessionId }: { folder: string | undefined; sessionId?: string | undefined },
): string {
  const name = { everywhere: '', project: folder, session: sessionId }[scope];
  if (name === undefined) throw commonError('QUERY_INVALID', { reason: 'sandbox-place' });
  return name;
}
