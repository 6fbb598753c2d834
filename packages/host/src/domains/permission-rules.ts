import type {
  DeniedReading,
  NetworkRules,
  NetworkTarget,
  NetworkVerdict,
  PermissionRules,
  RuleTexts,
} from '@fucina/sandbox';
import type { RuleVerdict, ToolAction } from '@fucina/shared';

/** The user's permission rules, which may change at any time. */
export interface SavedRules {
  /** Undefined when no rule applies. */
  judge(action: ToolAction, folder: string): Promise<RuleVerdict | undefined>;
  /** Whether a rule denies reading a file, or asks: absolute paths, without links. Undefined if no rule does. */
  guardsReading(folder: string): Promise<((path: string) => boolean) | undefined>;
  /** The rules that deny reading a file; undefined if none does. */
  deniesReading(folder: string): Promise<DeniedReading | undefined>;
  /** The same for a host that a command wants to reach. */
  judgeNetwork(target: NetworkTarget, folder: string): Promise<NetworkVerdict | undefined>;
  /** The hosts that these rules name. */
  hostPatterns(folder: string): Promise<NetworkRules['patterns']>;
  /** Ports of this computer that rules allow individually. */
  localPorts(folder: string): Promise<readonly number[]>;
  /** Takes effect from the next call. */
  replace(texts: RuleTexts): void;
  /** The rules that would answer this call in that way from now on; empty if none can. */
  textsFor(action: ToolAction, folder: string, verdict: 'allow' | 'deny'): Promise<readonly string[]>;
}

/** Loaded on demand, because it includes the shell grammar. */
export async function loadPermissionRules(texts: RuleTexts): Promise<PermissionRules> {
  return (await import('@fucina/sandbox')).createPermissionRules(texts);
}

/** `stored`: the `Network(…)` rules that the user added for a project, in addition to the initial ones. */
export function createSavedRules(
  first: RuleTexts = { allow: [], ask: [], deny: [] },
  stored: (folder: string) => Promise<readonly string[]> = async () => [],
): SavedRules {
  let texts = first;
  let rules: Promise<PermissionRules> | undefined;
  let network: { key: string; rules: NetworkRules } | undefined;
  const networkRules = async (folder: string): Promise<NetworkRules> => {
    const [{ createNetworkRules }, added] = await Promise.all([import('@fucina/sandbox'), stored(folder)]);
    const key = added.join('\n');
    if (network?.key !== key) {
      network = { key, rules: createNetworkRules({ ...texts, allow: [...texts.allow, ...added] }) };
    }
    return network.rules;
  };
  return {
    async judge(action, folder) {
      if (texts.allow.length + texts.ask.length + texts.deny.length === 0) return undefined;
      return (await (await (rules ??= loadPermissionRules(texts))).judge(action, folder))?.verdict;
    },
    async guardsReading(folder) {
      if (texts.ask.length + texts.deny.length === 0) return undefined;
      return (await (rules ??= loadPermissionRules(texts))).guardsReading(folder);
    },
    async deniesReading(folder) {
      if (texts.deny.length === 0) return undefined;
      return (await (rules ??= loadPermissionRules(texts))).deniesReading(folder);
    },
    judgeNetwork: async (target, folder) => (await networkRules(folder)).judge(target),
    hostPatterns: async (folder) => (await networkRules(folder)).patterns,
    localPorts: async (folder) => (await networkRules(folder)).localPorts,
    replace(next) {
      texts = next;
      rules = undefined;
      network = undefined;
    },
    textsFor: async (...call) => (await import('@fucina/sandbox')).rulesFor(...call),
  };
}
