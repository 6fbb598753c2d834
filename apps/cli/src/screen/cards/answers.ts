import type { Line } from '../line.ts';
import { createMarkdownView, type MarkdownView, markdownLines } from '../render/markdown/view.ts';
import type { CardLook } from './card.ts';
import { plainText } from './prose-cards.ts';

/** Markdown as lines; a streaming text is drawn only where it grew. */
export interface MarkdownTexts {
  whole(text: string, look: CardLook): readonly Line[];
  /** `key` identifies the text while it grows. */
  growing(key: string, text: string, look: CardLook): readonly Line[];
  /** It no longer grows. */
  forget(key: string): void;
}

export function createMarkdownTexts(): MarkdownTexts {
  const views = new Map<string, { view: MarkdownView; length: number }>();
  return {
    whole(text, look) {
      return look.isMarkdown ? markdownLines(text, optionsOf(look)) : plainText(text.trimEnd(), look);
    },
    growing(key, text, look) {
      if (!look.isMarkdown) return plainText(text.trimEnd(), look);
      const known = views.get(key) ?? { view: createMarkdownView(), length: 0 };
      views.set(key, known);
      known.view.push(text.slice(known.length));
      known.length = text.length;
      return known.view.lines({ ...optionsOf(look), version: look.highlighter.version() });
    },
    forget: (key) => void views.delete(key),
  };
}

function optionsOf({ width, proseWidth, highlighter }: CardLook) {
  return { width: Math.min(width, proseWidth), highlight: highlighter.highlight };
}
