import { PathError, type Tool, type ToolResult, textStart, writeFileInside } from '@fucina/shared';
import * as z from 'zod';
import type { ImageGenerator } from './image-generator.ts';
import { ImageError, type Picture } from './image-providers.ts';

const input = z.strictObject({
  prompt: z.string().trim().min(1).max(4_000),
  shape: z.enum(['square', 'portrait', 'landscape']).optional().describe('default square'),
});
type Input = z.infer<typeof input>;

const FOLDER = 'immagini';
const MAX_SLUG = 48;
const MAX_NAMES = 100;
const ENDINGS: Record<Picture['mimeType'], string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** Generates an image and saves it in the session's folder, under `immagini/`. */
export function createImageTool(maker: ImageGenerator): Tool<Input> {
  return {
    name: 'generate_image',
    description:
      'Make a picture from a description and save it in the folder immagini of the project. Costs money at a provider; ' +
      'use it only when a picture is asked for.',
    category: 'extended',
    effect: 'write',
    gate: 'generate_image',
    input,
    async dependency() {
      const painter = await maker.painter();
      return painter === undefined
        ? { state: 'missing', detail: 'a key of OpenAI, Gemini or OpenRouter is needed' }
        : { state: 'ready', detail: painter };
    },
    action: ({ prompt, shape = 'square' }) => ({
      tipo: 'generate_image',
      titolo: textStart(prompt, 400),
      formato: shape,
      percorso: `${FOLDER}/${slugOf(prompt)}`,
    }),
    async run({ prompt, shape = 'square' }, { folder, signal }) {
      try {
        const picture = await maker.make({ prompt, shape, signal });
        if (!picture)
          return failure('Making pictures is not configured: a key of OpenAI, Gemini or OpenRouter is needed.');
        return await saved(folder, slugOf(prompt), picture);
      } catch (error) {
        if (error instanceof ImageError) return failure(PROBLEMS[error.problem]);
        if (error instanceof PathError) return failure(`The picture cannot be saved in ${FOLDER}: ${error.problem}.`);
        throw error;
      }
    },
  };
}

const PROBLEMS: Record<ImageError['problem'], string> = {
  refused: 'The provider refused to make this picture. Describe it otherwise, or go on without it.',
  'key-refused': 'The provider refused the key, or the account has no credit left.',
  busy: 'The provider cannot make pictures right now. Try again later.',
  unreachable: 'The provider cannot be reached.',
  'no-picture': 'The provider answered without a picture.',
};

async function saved(folder: string, slug: string, picture: Picture): Promise<ToolResult> {
  const { bytes, mimeType } = picture;
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const name = `${slug}${number > 1 ? `-${number}` : ''}.${ENDINGS[mimeType]}`;
    const path = `${FOLDER}/${name}`;
    try {
      await writeFileInside(folder, path, { data: bytes, createFolders: true, ifExists: 'fail' });
    } catch (error) {
      if (error instanceof PathError && error.problem === 'exists') continue;
      throw error;
    }
    const attachment = { nome: name, formato: ENDINGS[mimeType], byte: bytes.length };
    return {
      content: `Saved ${path} (${Math.ceil(bytes.length / 1024)} KiB).`,
      changes: [{ path, before: null, after: '', attachment }],
      images: [{ mimeType, bytes }],
    };
  }
  return failure(`There are already ${MAX_NAMES} pictures named ${slug}.`);
}

function failure(content: string): ToolResult {
  return { content, isError: true };
}

/** Letters and digits of the description, without accents. */
function slugOf(prompt: string): string {
  const plain = prompt.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return textStart(words, MAX_SLUG).replace(/-+$/, '') || 'immagine';
}
