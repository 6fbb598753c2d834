import type { TextItem } from '@fucina/conversation';
import type { Language } from '@fucina/shared/sentences';
import type { NoticeItem, ScreenItem } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import { cutLine } from '../render/wrap.ts';
import { createMarkdownTexts, type MarkdownTexts } from './answers.ts';
import type { CardLook } from './card.ts';
import { eventCard } from './event-card.ts';
import { endCard, noticeHead, planFeedback, planHead, questionsCard, toneOf } from './other-cards.ts';
import { isEmptyProse, reasoningCard, userCard } from './prose-cards.ts';
import { toolCard, userCommandCard } from './tool-card.ts';

/** Draws items as lines, cached while neither the item nor the options change. */
export interface ItemDrawer {
  /** No lines for an empty item. */
  draw(item: ScreenItem, look: CardLook, isUnfolded: boolean): readonly Line[];
}

interface Drawn {
  look: CardLook;
  isUnfolded: boolean;
  lines: readonly Line[];
}

export function createItemDrawer(language: Language): ItemDrawer {
  const drawn = new WeakMap<ScreenItem, Drawn>();
  const texts = createMarkdownTexts();
  return {
    draw(item, look, isUnfolded) {
      const known = drawn.get(item);
      if (known?.look === look && known.isUnfolded === isUnfolded) return known.lines;
      const lines = drawItem(item, { look, isUnfolded, language, texts });
      drawn.set(item, { look, isUnfolded, lines });
      return lines;
    },
  };
}

interface Way {
  look: CardLook;
  isUnfolded: boolean;
  language: Language;
  texts: MarkdownTexts;
}

function drawItem(item: ScreenItem, { look, isUnfolded, language, texts }: Way): readonly Line[] {
  if (isEmptyProse(item)) return [];
  switch (item.kind) {
    case 'user':
      return userCard(item, look, isUnfolded);
    case 'text':
      return answer(item, look, texts);
    case 'reasoning':
      return reasoningCard(item, look, isUnfolded);
    case 'tool':
      return toolCard(item, look, isUnfolded);
    case 'command':
      return userCommandCard(item, look, isUnfolded);
    case 'question':
      return questionsCard(item, look, isUnfolded);
    case 'plan':
      return [...planHead(item.state, look), ...texts.whole(item.content, look), ...planFeedback(item.feedback, look)];
    case 'end':
      return endCard(item, look, language);
    case 'notice':
      return noticeCard(item, look, texts);
    case 'approval':
      // The call that needed approval shows the answer.
      return [];
    default:
      return eventCard(item, look, isUnfolded);
  }
}

function answer({ key, text, isOpen, isRemoved }: TextItem, look: CardLook, texts: MarkdownTexts): readonly Line[] {
  if (isRemoved) return [[{ text: look.say('card.removed'), token: 'muted' }]];
  if (isOpen) return texts.growing(key, text, look);
  texts.forget(key);
  return texts.whole(text, look);
}

function noticeCard({ notice }: NoticeItem, look: CardLook, texts: MarkdownTexts): readonly Line[] {
  const { body } = notice;
  const bar: Line = [{ text: '▎ ', token: toneOf(notice) }];
  const inner = { ...look, width: look.width - 2 };
  const lines = typeof body === 'string' ? texts.whole(body, inner) : body;
  return [...noticeHead(notice, inner), ...lines].map((line) => cutLine([...bar, ...line], look.width));
}
