import { PathError, parseRelativePath, type Tool } from '@fucina/shared';
import * as z from 'zod';
import { failure } from './located-path.ts';

const input = z.strictObject({
  percorso: z.string().max(4096).optional().describe('a folder, default all'),
  token: z.int().min(100).max(8_000).optional().describe('size of the answer, default 1,000'),
});
type Input = z.infer<typeof input>;

const DEFAULT_TOKENS = 1_000;
const MAX_MS = 20_000;

/** The ranked outline of a folder, or of what is below a path in it, in about so many tokens. */
export type OutlineRepository = (
  folder: string,
  wanted: { below: string; tokens: number },
  signal: AbortSignal,
) => Promise<string>;

export function createMapTool(outline: OutlineRepository): Tool<Input> {
  return {
    name: 'repo_map',
    description:
      'An outline of the code in the session folder or below percorso: the files whose declarations the rest of the code ' +
      'uses most, with their lines. For TypeScript, JavaScript, Python, Go, Rust and Java.',
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ percorso }) => ({ tipo: 'repo_map', ...(percorso && { percorso }) }),
    async run({ percorso = '', token = DEFAULT_TOKENS }, { folder, signal }) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
      try {
        const below = parseRelativePath(percorso, { allowRoot: true });
        const content = await outline(folder, { below, tokens: token }, limit);
        return { content: content || 'No declarations found here.' };
      } catch (error) {
        if (error instanceof PathError) return failure('The path must be that of a folder in the session folder.');
        signal.throwIfAborted();
        return failure('The map could not be made. List and search instead.');
      }
    },
  };
}
