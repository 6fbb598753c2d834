import { type Ambient, readFileInside, textStart, writeFileInside } from '@fucina/shared';
import { isAbsent } from '../own-folder.ts';
import { LIBRARY_FOLDER, openContent, readItem } from './item-files.ts';
import type { Item } from './item-meta.ts';

/** Extracts the text of a document in a process with limits of time and memory; undefined when it has none. */
export type SearchedText = (file: { name: string; bytes: Buffer }, signal: AbortSignal) => Promise<string | undefined>;

export interface ItemTexts {
  /** Its text; '' when it has none or is unreadable. Extracted once, then stored beside the item. */
  textOf(project: string, item: Item, signal: AbortSignal): Promise<string>;
}

const READ_BYTES = 32 * 1024 * 1024;
const STORED_BYTES = 4 * 1024 * 1024;
const TEXT = 'testo.txt';

export function createItemTexts({ ambient, readText }: { ambient: Ambient; readText: SearchedText }): ItemTexts {
  return {
    async textOf(project, { id, name, mediaType }, signal) {
      const place = `${LIBRARY_FOLDER}/${id}/${TEXT}`;
      try {
        return (await readFileInside(project, place, STORED_BYTES)).bytes.toString('utf8');
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
      if (mediaType.startsWith('image/')) return '';
      const found = await readItem(project, id);
      if (!found) return '';
      const { handle } = await openContent(project, found.meta, READ_BYTES);
      const bytes = await handle.readFile().finally(() => handle.close());
      const text = textStart((await readText({ name, bytes }, signal)) ?? '', STORED_BYTES / 4);
      await writeFileInside(project, place, { data: text }).catch((error: unknown) =>
        ambient.log.warn('library.text-not-kept', { error }),
      );
      return text;
    },
  };
}
