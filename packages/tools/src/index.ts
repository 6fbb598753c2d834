export { changeFiles, type RequestedChange } from './change-files.ts';
export type { Commands } from './commands/commands.ts';
export type { OutputSlice, OutputWindow, WholeOutput } from './commands/output-slice.ts';
export type { OutputState, StreamName } from './commands/output-store.ts';
export type { UserCommand, UserCommandEnd } from './commands/user-command.ts';
export { isControlFile } from './control-files.ts';
export { plainText } from './documents/plain-text.ts';
export { writeReport } from './documents/write-report.ts';
export { readZip } from './documents/zip.ts';
export { type FileList, listFiles } from './file-list.ts';
export { createMapTool } from './map-tool.ts';
export type { WorkspaceToolsNeeds } from './needs.ts';
export type { NetworkTarget } from './permission-rules/host-pattern.ts';
export {
  createPermissionRules,
  type PermissionRules,
  type RuleMatch,
  type RuleTexts,
} from './permission-rules/permission-rules.ts';
export { rulesFor } from './permission-rules/rules-for.ts';
export type { ContainedProgram, ContainedPrograms, ProgramJob } from './sandbox/contained-programs.ts';
export { createNetworkRules, type NetworkRules, type NetworkVerdict } from './sandbox/network/network-rules.ts';
export type { NetworkQuestion, SessionNetworkNeeds } from './sandbox/network/session-network.ts';
export type { SandboxRefusalRecord } from './sandbox/recent-refusals.ts';
export type { ModeScope, NetworkMode, StoredRule } from './sandbox/rules/rule-store.ts';
export {
  createSandboxRules,
  type NetworkModes,
  type RulePlace,
  type SandboxRules,
} from './sandbox/rules/sandbox-rules.ts';
export type { Enforcement, SandboxState } from './sandbox/sandbox.ts';
export type { SelfTestReport, SelfTestResult } from './sandbox/self-test.ts';
export { detectTestCommand } from './test-command.ts';
export { createWorkspaceTools, type WorkspaceTools } from './workspace-tools.ts';
