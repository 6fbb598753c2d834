export { DEMO_STEPS } from './demo-scenario.ts';
export { detour } from './detour.ts';
export { gitIn, type TempDir, type TempRepo, tempDir, tempRepo } from './folders.ts';
export { createModelServer, type ModelServer, type ModelServerOptions, type Script } from './model-server.ts';
export type { Deltas, Fault, Reply, ScriptedToolCall, ScriptedUsage } from './reply.ts';
export type { ModelServerRequest } from './request.ts';
export { SAMPLE_BUG, SAMPLE_FILES, sampleProject } from './sample-project.ts';
export { SCENARIOS, type Scenario, type ScenarioRule, scriptOf } from './scenario.ts';
export type { WireName } from './wires/wire.ts';
