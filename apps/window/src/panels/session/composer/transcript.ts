import { EMPTY, fold, type StreamEvent } from '@fucina/conversation';
import { readExport } from '../../../wire/export.ts';

/** Longer conversations keep their end. */
const MOST_CHARACTERS = 200_000;

interface TranscriptWords {
  user: string;
  agent: string;
}

/** The messages of a conversation as Markdown. */
export function transcriptOf(events: readonly StreamEvent[], { user, agent }: TranscriptWords): string {
  const { items } = fold(EMPTY, events);
  const parts = items.flatMap((item) => {
    if (item.kind === 'user' && !item.isRemoved) return [`## ${user}\n\n${item.text}`];
    return item.kind === 'text' && !item.isRemoved ? [`## ${agent}\n\n${item.text}`] : [];
  });
  return `${parts.join('\n\n').slice(-MOST_CHARACTERS)}\n`;
}

/** Throws ApiError. */
export async function readTranscript(sessionId: string, words: TranscriptWords): Promise<string> {
  return transcriptOf((await readExport(sessionId)).events, words);
}
