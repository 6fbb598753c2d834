import type { EN_SCREEN_LOOK } from './en-screen-look.ts';

export const IT_SCREEN_LOOK: Record<keyof typeof EN_SCREEN_LOOK, string> = {
  'look.more-lines': '… altre {count} righe',
  'look.same-line': '1 riga uguale',
  'look.same-lines': '{count} righe uguali',
};
