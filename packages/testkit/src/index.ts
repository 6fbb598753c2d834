export { archive } from './archive.ts';
export { bundleProgram, type ProgramSource } from './bundle-program.ts';
export { DEMO_STEPS, DEMO_TASK } from './demo-scenario.ts';
export {
  gitIn,
  type PullRequestRemote,
  pullRequestRemote,
  shellIn,
  type TempDir,
  type TempRepo,
  tempCopy,
  tempDir,
  tempRepo,
} from './folders.ts';
export { freePort } from './free-port.ts';
export { type GuardedMcpOptions, type GuardedMcpServer, guardedMcpServer } from './guarded-mcp-server.ts';
export {
  createHubServer,
  type HubIntercept,
  type HubRepositoryGiven,
  type HubServer,
  type HubServerRequest,
} from './hub-server.ts';
export { type ModelProgram, modelProgram, type ProgramFault } from './model-program.ts';
export { createModelServer, type ModelServer, type ModelServerOptions, type Script } from './model-server.ts';
export { createNpmRegistry, type NpmRegistry } from './npm-registry.ts';
export { pageServerCommand } from './page-server-command.ts';
export { processesBelow, processesWith } from './processes.ts';
export { redirectOrigins } from './redirect-origins.ts';
export type { Deltas, Fault, Reply, ScriptedToolCall, ScriptedUsage } from './reply.ts';
export type { ModelServerRequest } from './request.ts';
export { SAMPLE_BUG, SAMPLE_FILES, sampleProject } from './sample-project.ts';
export { SCENARIOS, type Scenario, type ScenarioRule, scriptOf } from './scenario.ts';
export { type AgentScript, type AgentStep, scriptedAgent } from './scripted-agent.ts';
export { OPEN_TO_ALL, OUTSIDE_TEMPORARY } from './test-places.ts';
export { MARKER, type ScriptedCall, type TinyModelOptions, tinyModel } from './tiny-model.ts';
export { type CollectedSpan, type TraceCollector, traceCollector } from './trace-collector.ts';
export { geminiChat, kimi, mistral, openRouter, reasoningField, thinkTag } from './vendor-rules/chat.ts';
export { claude } from './vendor-rules/claude.ts';
export { geminiRules } from './vendor-rules/gemini.ts';
export { responses } from './vendor-rules/responses.ts';
export { createVendorServer, type Vendor, type VendorPart, type VendorServer } from './vendor-rules/vendor.ts';
export type { WireName } from './wires/wire.ts';
