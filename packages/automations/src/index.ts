export type { Schedule } from '@fucina/conversation/schedule';
export { type Automations, createAutomations } from './automations.ts';
export type { AutomationPatch, NewAutomation, NewLegacy } from './editing.ts';
export type { HookView } from './hooks.ts';
export type { AutomationsNeeds, RunReport } from './needs.ts';
export type { AnyAutomation, Automation, LegacyAutomation, Origin, Run } from './records.ts';
export { automationTools } from './tools/tools.ts';
