export { isControlFile } from './control-files.ts';
export type { ToolsNeeds } from './needs.ts';
export { detectTestCommand } from './test-command.ts';
export { createTools } from './tools.ts';
