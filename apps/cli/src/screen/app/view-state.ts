import type { Say } from '../../words/index.ts';
import type { CardLook } from '../cards/card.ts';
import type { Highlighter } from '../render/highlight.ts';
import type { UiSettings } from './ui-settings.ts';

/** The user's view options. */
export interface ViewState {
  lookFor(width: number): CardLook;
  isTurned(key: string): boolean;
  /** The own state of this item. */
  turn(key: string): void;
  toggle(what: 'reasoning' | 'details' | 'raw'): void;
}

export interface ViewNeeds {
  ui: UiSettings;
  say: Say;
  highlighter: Highlighter;
  /** Everything must be redrawn. */
  changed(): void;
}

export function createViewState({ ui, say, highlighter, changed }: ViewNeeds): ViewState {
  const is = { reasoning: ui.showsReasoning, details: false, raw: !ui.isMarkdown };
  const turned = new Set<string>();
  let look: CardLook | undefined;
  let version = highlighter.version();
  return {
    lookFor(width) {
      if (look?.width !== width || version !== highlighter.version()) {
        version = highlighter.version();
        look = {
          width,
          proseWidth: ui.maxProseWidth ?? width,
          say,
          isMarkdown: !is.raw,
          highlighter,
          showsReasoning: is.reasoning,
          isUnfolded: is.details,
        };
      }
      return look;
    },
    isTurned: (key) => turned.has(key),
    turn(key) {
      if (!turned.delete(key)) turned.add(key);
      changed();
    },
    toggle(what) {
      is[what] = !is[what];
      if (what === 'details') turned.clear();
      look = undefined;
      changed();
    },
  };
}
