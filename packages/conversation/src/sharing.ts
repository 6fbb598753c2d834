import { LABELS_EN } from './labels/en.ts';
import { LABELS_IT } from './labels/it.ts';
import { SHARE_EN } from './labels/share-en.ts';
import { SHARE_IT } from './labels/share-it.ts';
import type { ShareLabels } from './share/share.ts';

export { shareMarkdown } from './share/markdown.ts';
export { sharePage } from './share/page.ts';
export type { RemovedSecret, SecretKind } from './share/secrets.ts';
export { type Share, type ShareChoice, type ShareLabels, shareOf } from './share/share.ts';

const LABELS = { en: { ...LABELS_EN, ...SHARE_EN }, it: { ...LABELS_IT, ...SHARE_IT } } as const;

/** The labels of a shared conversation; a key without a label is returned as it is. */
export function shareLabels(language: 'en' | 'it'): ShareLabels {
  const labels = new Map<string, string>(Object.entries(LABELS[language]));
  return (key) => labels.get(key) ?? key;
}
