import type { Tool } from '@fucina/shared';
import { createShellTool, createTestTool } from './command-tools.ts';
import { createEditTool } from './edit-tool.ts';
import { createListTool } from './list-tool.ts';
import type { ToolsNeeds } from './needs.ts';
import { createReadTool } from './read-tool.ts';
import { createSearchTool } from './search-tool.ts';
import { createWriteTool } from './write-tool.ts';

/** The agent's own hands: elenca, cerca, leggi, scrivi, file_edit, prova, shell. */
export function createTools(needs: ToolsNeeds): readonly Tool[] {
  return [
    createListTool(needs),
    createSearchTool(needs),
    createReadTool(),
    createWriteTool(),
    createEditTool(),
    createTestTool(needs),
    createShellTool(needs),
  ];
}
