import type { Items, NewItem } from '@fucina/library';
import type { Sessions } from '@fucina/sessions';
import { type Ambient, readFileInside, type Tool } from '@fucina/shared';

/** Copies what agents produce and what the user attaches into the project's library. */
export interface LibraryCopies {
  /** The same tools; those that create documents and images also store a copy. */
  keeping(tools: readonly Tool[]): readonly Tool[];
  /** A file attached by the user. */
  keepGiven(sessionId: string, file: { folder: string; path: string }): Promise<void>;
}

interface LibraryCopiesNeeds {
  ambient: Ambient;
  items(): Pick<Items, 'add'>;
  sessions(): Pick<Sessions, 'read'>;
}

const MAKERS: ReadonlySet<string> = new Set(['document_create', 'generate_image']);
/** Larger files are not copied. */
const MAX_BYTES = 100 * 1024 * 1024;

export function createLibraryCopies({ ambient, items, sessions }: LibraryCopiesNeeds): LibraryCopies {
  const modelOf = async (sessionId: string): Promise<string | undefined> =>
    (await sessions().read(sessionId)).settings.model ?? undefined;
  /** The file itself exists: a failed copy is not a failure of the tool. */
  const keep = async (file: { folder: string; path: string }, facts: Omit<NewItem, 'name' | 'content'>) => {
    try {
      const { bytes } = await readFileInside(file.folder, file.path, MAX_BYTES);
      const name = file.path.split('/').at(-1) ?? file.path;
      const model = facts.madeBy && facts.sessionId ? await modelOf(facts.sessionId) : undefined;
      await items().add(file.folder, { ...facts, name, content: bytes, path: file.path, model });
    } catch (error) {
      ambient.log.warn('library.copy-not-kept', { error });
    }
  };
  return {
    keeping: (tools) =>
      tools.map((tool) => {
        if (!MAKERS.has(tool.name)) return tool;
        return {
          ...tool,
          async run(input, context) {
            const result = await tool.run(input, context);
            const { folder, sessionId } = context;
            for (const { path, attachment } of result.isError ? [] : (result.changes ?? [])) {
              if (!attachment) continue;
              await keep({ folder, path }, { origin: 'generated', madeBy: tool.name, sessionId });
            }
            return result;
          },
        };
      }),
    keepGiven: (sessionId, file) => keep(file, { origin: 'uploaded', sessionId }),
  };
}
