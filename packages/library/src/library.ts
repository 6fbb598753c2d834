import type { Command, Tool } from '@fucina/shared';
import { recordCommands } from './commands.ts';
import { createItemTexts, type SearchedText } from './items/item-texts.ts';
import { createItems, type Items } from './items/items.ts';
import { createMemories, type Memories } from './notes-tasks-memories/memories.ts';
import { createNotes, type Notes } from './notes-tasks-memories/notes.ts';
import { openStore, type StoreNeeds } from './notes-tasks-memories/store.ts';
import { createTasks, type Tasks } from './notes-tasks-memories/tasks.ts';
import { type Exported, type ExportNeeds, type ExportOptions, exportResearch } from './research/exports/export.ts';
import { researchCommand } from './research/research-command.ts';
import { createResearchRuns, type ResearchDetail, type ResearchNeeds, type ResearchRuns } from './research/runs.ts';
import { itemTools } from './tools/item-tools.ts';
import { memoryTools } from './tools/memory-tools.ts';
import { noteTools } from './tools/note-tools.ts';
import { researchTools } from './tools/research-tools.ts';
import { taskTools } from './tools/task-tools.ts';

export interface LibraryNeeds extends StoreNeeds, ExportNeeds {
  readText: SearchedText;
  isControlFile(path: string): boolean | Promise<boolean>;
  research: Omit<ResearchNeeds, 'ambient' | 'items'>;
}

/** The user's data across projects: one store for the window and for the agent's tools. */
export interface Library extends AsyncDisposable {
  notes: Notes;
  tasks: Tasks;
  memories: Memories;
  /** Each belongs to one project. */
  items: Items;
  research: ResearchRuns;
  exportResearch(detail: ResearchDetail, as: ExportOptions): Promise<Exported>;
  tools: readonly Tool[];
  commands: readonly Command[];
  /** The result of `read`; null, never an empty list, when the store cannot be opened or read. */
  orNull<Records>(read: () => Promise<Records> | Records): Promise<Records | null>;
}

/** Opened at first use. */
export function createLibrary(needs: LibraryNeeds): Library {
  const { ambient } = needs;
  const store = openStore(needs);
  const kept = {
    notes: createNotes({ ambient, store }),
    tasks: createTasks({ ambient, store }),
    memories: createMemories({ ambient, store }),
  };
  const items = createItems({ ambient });
  const texts = createItemTexts({ ambient, readText: needs.readText });
  const research = createResearchRuns({ ...needs.research, ambient, items });
  return {
    ...kept,
    items,
    research,
    exportResearch: (detail, as) => exportResearch(needs, detail, as),
    tools: [
      ...itemTools({ ...needs, items, texts }),
      ...noteTools(kept.notes),
      ...taskTools(kept.tasks),
      ...memoryTools(kept.memories),
      ...researchTools(research),
    ],
    commands: [...recordCommands(kept), researchCommand(research)],
    async orNull(read) {
      try {
        return await read();
      } catch (error) {
        ambient.log.error('library.not-read', { error });
        return null;
      }
    },
    async [Symbol.asyncDispose]() {
      await items[Symbol.asyncDispose]();
      store.close();
    },
  };
}
