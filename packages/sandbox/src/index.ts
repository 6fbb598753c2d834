export { type BlockedPath, type BlockedPaths, createBlockedPaths } from './blocked-paths.ts';
export {
  type ContainedProgram,
  type ContainedPrograms,
  createContainedPrograms,
  isContainedProgram,
  type ProgramJob,
} from './contained-programs.ts';
export { isControlFile } from './control-files/control-files.ts';
export type { AllowedContent } from './control-files/control-watch.ts';
export { type GitFolderLink, linksInGitFolders } from './git-folder-links.ts';
export { type AddressDecision, type AddressInput, decideAddress } from './network/address-policy.ts';
export { findNamespacePrograms } from './network/namespace.ts';
export { createNetworkRules, type NetworkRules, type NetworkVerdict } from './network/network-rules.ts';
export { type OpenHosts, openHosts } from './network/open-hosts.ts';
export {
  createSessionNetworks,
  type NetworkQuestion,
  type NetworkSession,
  type SessionNetworkNeeds,
  type SessionNetworks,
} from './network/session-network.ts';
export type { SessionServer } from './network/session-servers.ts';
export { commandPrefixes } from './permission-rules/command-prefix.ts';
export { type HostPattern, type NetworkTarget, parseHostPattern } from './permission-rules/host-pattern.ts';
export {
  createPermissionRules,
  type PermissionRules,
  type RuleMatch,
  type RuleTexts,
  type UnreadableRule,
} from './permission-rules/permission-rules.ts';
export { rulesFor } from './permission-rules/rules-for.ts';
export { isSending } from './permission-rules/sending-commands.ts';
export { recentRefusals, type SandboxRefusalRecord } from './recent-refusals.ts';
export { SandboxRefusal } from './refusal.ts';
export type { ModeScope, NetworkMode, StoredRule } from './rules/rule-store.ts';
export {
  createSandboxRules,
  NETWORK_TOOLS,
  type NetworkModes,
  type NetworkTool,
  NO_RULES,
  type RulePlace,
  type RulesInForce,
  type SandboxRules,
} from './rules/sandbox-rules.ts';
export {
  type ContainedJob,
  createSandbox,
  type Enforcement,
  type Sandbox,
  type SandboxNeeds,
  type SandboxState,
} from './sandbox.ts';
export { runSelfTest, SELF_TEST_SESSION, type SelfTestReport, type SelfTestResult } from './self-test.ts';
export { safeName } from './session-name.ts';
export type { DeniedReading } from './view/denied-files.ts';
export { createWaitingShells, type ShellProgram, type WaitingShells } from './waiting-shells.ts';
export {
  createWriteView,
  type OpenView,
  type ViewPlaces,
  ViewRefused,
  type WriteView,
  type WriteViewState,
} from './write-view/write-view.ts';
