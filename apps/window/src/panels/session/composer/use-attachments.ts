import { type ClipboardEvent, useCallback, useEffect, useState } from 'react';
import { loadChunk } from '../../../wire/load-chunk.ts';
import type { Attachment, LateFile } from './attachment.ts';

export interface Attachments {
  all: readonly Attachment[];
  /** An upload is in progress. */
  isSending: boolean;
  /** Files are dragged over the window. */
  isDragging: boolean;
  add(files: readonly File[]): void;
  /** A text whose content is still to be read. */
  addLate(file: LateFile): void;
  remove(id: number): void;
  clear(): void;
  /** Restores the attachments of a refused message. */
  restore(taken: readonly Attachment[]): void;
  /** Attachments of the next message. */
  ready(): { images: { id: string; name: string }[]; paths: string[] };
  paste(event: ClipboardEvent): void;
}

/** Kept until the page is closed, like the draft. */
const kept = new Map<string, readonly Attachment[]>();

export { kept as keptAttachments };

let count = 0;

/** A longer pasted text becomes an attachment, in characters. */
const MOST_PASTED = 5_000;
const PASTED_NAME = 'pasted-text.txt';

const textFile = (name: string, text: string): File => new File([text], name, { type: 'text/plain' });

export const loadUploads = () => loadChunk(() => import('./uploads.ts'));

/** Calls back with files dropped anywhere on the page; otherwise the browser would open them. */
function useDrop(add: (files: readonly File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false);
    };
    const drop = (event: DragEvent) => {
      setIsDragging(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      add([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [add]);
  return isDragging;
}

/** `sessionId` undefined: there is no folder for files yet, so only images are accepted. */
export function useAttachments(name: string, sessionId: string | undefined): Attachments {
  const [state, setState] = useState({ name, all: kept.get(name) ?? [] });
  if (state.name !== name) setState({ name, all: kept.get(name) ?? [] });
  const { all } = state;
  const change = useCallback(
    (next: (before: readonly Attachment[]) => readonly Attachment[]) => {
      const now = next(kept.get(name) ?? []);
      kept.set(name, now);
      setState((before) => (before.name === name ? { name, all: now } : before));
    },
    [name],
  );
  const addOne = useCallback(
    (name: string, read: () => Promise<File>, text?: string) => {
      count += 1;
      const id = count;
      change((before) => [...before, { id, name, state: 'sending', ...(text === undefined ? {} : { text }) }]);
      const settle = (part: Partial<Attachment>) =>
        change((before) => before.map((one) => (one.id === id ? { ...one, ...part } : one)));
      Promise.all([loadUploads(), read()])
        .then(([{ upload }, file]) => upload(file, sessionId))
        .then(
          (sent) => settle({ state: 'ready', ...sent }),
          (error: unknown) => settle({ state: 'failed', error }),
        );
    },
    [change, sessionId],
  );
  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) addOne(file.name, () => Promise.resolve(file));
    },
    [addOne],
  );
  const isDragging = useDrop(add);
  return {
    all,
    isSending: all.some((one) => one.state === 'sending'),
    isDragging,
    add,
    addLate: ({ name: fileName, read }) => addOne(fileName, async () => textFile(fileName, await read())),
    remove: (id) => change((before) => before.filter((one) => one.id !== id)),
    clear: () => change(() => []),
    restore: (taken) => change((before) => [...taken, ...before]),
    ready: () => ({
      images: all.flatMap(({ image }) => (image ? [{ id: image.id, name: image.name }] : [])),
      paths: all.flatMap(({ path }) => (path ? [path] : [])),
    }),
    paste: (event) => {
      const files = [...event.clipboardData.files];
      const text = event.clipboardData.getData('text/plain');
      // Without a session there is no folder for it.
      const isAttached = files.length === 0 && sessionId !== undefined && text.length > MOST_PASTED;
      if (files.length === 0 && !isAttached) return;
      event.preventDefault();
      if (isAttached) addOne(PASTED_NAME, () => Promise.resolve(textFile(PASTED_NAME, text)), text);
      else add(files);
    },
  };
}
