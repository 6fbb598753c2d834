import { join } from 'node:path';
import {
  type AllowedContent,
  createBlockedPaths,
  createContainedPrograms,
  createSandbox,
  createSessionNetworks,
  createWaitingShells,
  findNamespacePrograms,
  isContainedProgram,
  isControlFile,
  type Sandbox,
  SELF_TEST_SESSION,
} from '@fucina/sandbox';
import type { Tool, ToolResult } from '@fucina/shared';
import { createShellTool, createTestTool } from './commands/command-tools.ts';
import { type Commands, createCommands } from './commands/commands.ts';
import { createOutputStore } from './commands/output-store.ts';
import { createProcessesTool } from './commands/processes-tool.ts';
import { type CommandRunner, createCommandRunner } from './commands/runner.ts';
import { isScript } from './commands/script-command.ts';
import { createDocumentTool } from './documents/document-tool.ts';
import { createEditTool } from './edit-tool.ts';
import { createListTool } from './list-tool.ts';
import type { WorkspaceToolsNeeds } from './needs.ts';
import { createPatchTool } from './patch/patch-tool.ts';
import { createReadTool } from './read-tool.ts';
import { createSearchTool } from './search-tool.ts';
import { createSeenTexts } from './seen-texts.ts';
import { createWriteTool } from './write-tool.ts';

export interface WorkspaceTools {
  /** The agent's tools: elenca, cerca, leggi, scrivi, file_edit, apply_patch, document_create, prova, shell, processi. */
  tools: readonly Tool[];
  /** What the user and the window need to know about commands. */
  commands: Commands;
}

/** Control files that the agent writes itself were allowed by the user: commands that still run may not change them. */
function allowed(tool: Tool, sandbox: Pick<Sandbox, 'allow'>): Tool {
  if (tool.effect !== 'write') return tool;
  const contentsOf = ({ changes = [] }: ToolResult): AllowedContent[] =>
    changes.flatMap(({ path, after }) => (after !== null && isControlFile(path) ? [{ path, content: after }] : []));
  return {
    ...tool,
    run: (input, context) => sandbox.allow(context.folder, () => tool.run(input, context), contentsOf),
  };
}

/** After a pause, an agent reads files before it runs the next command. */
function expectingMore(tool: Tool, runner: Pick<CommandRunner, 'expectMore'>): Tool {
  return {
    ...tool,
    run(input, context) {
      runner.expectMore(context);
      return tool.run(input, context);
    },
  };
}

export function createWorkspaceTools(needs: WorkspaceToolsNeeds): WorkspaceTools {
  const { rules, network } = needs;
  const networks = createSessionNetworks({
    ...needs,
    ...network,
    mode: (session) => (isContainedProgram(session.sessionId) ? 'off' : (rules?.mode(session) ?? 'listed')),
    async ask(question, signal) {
      const isUnattended = question.sessionId === SELF_TEST_SESSION || isScript(question.sessionId);
      return isUnattended ? 'deny' : ((await network?.ask?.(question, signal)) ?? 'deny');
    },
    programs: () => findNamespacePrograms(needs.environment),
  });
  const sandbox = createSandbox({ ...needs, networks });
  const outputs = createOutputStore(needs.ambient, join(needs.dataDir, 'outputs'));
  const runner = createCommandRunner({ ...needs, sandbox, outputs, waiting: createWaitingShells(needs) });
  const blockedPaths = createBlockedPaths(needs);
  const programs = createContainedPrograms(sandbox);
  const parts = { ...needs, sandbox, networks, outputs, runner, blockedPaths, programs };
  const texts = createSeenTexts();
  const beforeCommands = [
    createListTool(needs),
    createSearchTool(needs),
    createReadTool({ ...needs, texts }),
    createWriteTool({ ...needs, texts }),
    createEditTool({ ...needs, texts }),
    createPatchTool({ texts }),
    createDocumentTool(),
  ];
  return {
    tools: [
      ...beforeCommands.map((tool) => expectingMore(allowed(tool, sandbox), runner)),
      createTestTool(parts),
      createShellTool(parts),
      createProcessesTool(parts),
    ],
    commands: createCommands(parts),
  };
}
