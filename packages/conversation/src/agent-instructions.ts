import { netChanges } from './conversation.ts';
import type { FileChange } from './items.ts';

/** Files in which agents look for their instructions, in any folder. */
const FILES: ReadonlySet<string> = new Set(
  `
  agents.md agents.override.md agents.local.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md skill.md
  copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .rules .augment-guidelines
  `
    .trim()
    .split(/\s+/),
);

/** Names with a free part: `python.instructions.md`, `.roorules-code`. */
const NAMED = /\.(?:instructions|chatmode|agent)\.md$|^\.(?:roo|cline)rules-/;

/** Folders in which every file is an instruction, at any depth. */
const FOLDERS: readonly (readonly string[])[] = [
  ['.svc', 'agents'],
  ['.svc', 'commands'],
  ['.svc', 'skills'],
  ['.claude', 'agents'],
  ['.claude', 'commands'],
  ['.claude', 'rules'],
  ['.claude', 'skills'],
  ['.agents'],
  ['.github', 'instructions'],
  ['.github', 'agents'],
  ['.cursor', 'rules'],
  ['.cursor', 'commands'],
  ['.windsurf', 'rules'],
  ['.windsurf', 'workflows'],
  ['.clinerules'],
  ['.roo'],
  ['.kiro', 'steering'],
  ['.continue', 'rules'],
  ['.opencode', 'agent'],
  ['.opencode', 'command'],
  ['.codex', 'prompts'],
  ['.gemini', 'commands'],
  ['.amazonq', 'rules'],
  ['.augment', 'rules'],
  ['.trae', 'rules'],
  ['.junie'],
  ['.openhands', 'microagents'],
];

/** Whether agents obey the file of this path, here or in another program. In any case: some file systems ignore it. */
export function isAgentInstructions(path: string): boolean {
  const segments = path.toLowerCase().split(/[\\/]/);
  const name = segments.at(-1) ?? '';
  if (FILES.has(name) || NAMED.test(name)) return true;
  const folders = segments.slice(0, -1);
  return folders.some((_, at) => FOLDERS.some((wanted) => wanted.every((part, step) => folders[at + step] === part)));
}

/** The instructions for agents among these changes, each once. */
export function changedInstructions(changes: readonly FileChange[]): string[] {
  return netChanges(changes).flatMap(({ path }) => (isAgentInstructions(path) ? [path] : []));
}
