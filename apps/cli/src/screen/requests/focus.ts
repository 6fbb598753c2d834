import type { Ambient } from '@fucina/shared';
import type { Input, Key } from '../input/input.ts';

/** Long enough for a key that was on its way, for words that were being typed. */
const SETTLING_MS = 300;

export interface FocusNeeds {
  ambient: Pick<Ambient, 'monotonic' | 'timer'>;
  isComposerEmpty(): boolean;
  changed(): void;
}

/**
 * Whether a key answers a card. A card comes while a user types: it takes no key before there was a moment without one,
 * and none while something is written in the composer, unless the user goes over to it with Tab.
 */
export interface Focus {
  /** Settled, and nothing else has the keys. */
  has(): boolean;
  /** There was a moment without a key. */
  isSettled(): boolean;
  /** `mine`: the card may use it. `taken`: it moved the focus. `early`: too soon. `other`: it is for whoever comes next. */
  turn(key: Key): 'mine' | 'taken' | 'early' | 'other';
  /** Back to the composer. */
  leave(): void;
}

export function createFocus({ ambient, isComposerEmpty, changed }: FocusNeeds): Focus {
  let quietFrom = ambient.monotonic();
  let isGiven = false;
  let isSettled = false;
  const settle = (): void => {
    const left = quietFrom + SETTLING_MS - ambient.monotonic();
    if (left > 0) return void ambient.timer(left, settle);
    isSettled = true;
    changed();
  };
  settle();
  const has = (): boolean => isSettled && (isGiven || isComposerEmpty());
  return {
    has,
    isSettled: () => isSettled,
    leave() {
      isGiven = false;
    },
    turn(key) {
      if (!isSettled) {
        quietFrom = ambient.monotonic();
        return isComposerEmpty() ? 'early' : 'other';
      }
      const isTab = key.name === 'tab' && !key.isCtrl && !key.isAlt && !key.isShift;
      if (isTab && !isComposerEmpty()) {
        isGiven = !isGiven;
        return 'taken';
      }
      return has() ? 'mine' : 'other';
    },
  };
}

/** What a card does with what the terminal sends. */
export interface Taking {
  focus: Focus;
  /** Words that are being written in the card. */
  field: { take(input: Input): boolean } | undefined;
  /** False: not a key of this card. */
  act(key: Key): boolean;
  /** A sign that answers. Pressed too soon it is neither an answer nor the beginning of a message. */
  isAnswer(key: Key): boolean;
  changed(): void;
}

/** A key that the card has no use for is written in the composer, where the focus goes with it. */
export function takeInput(input: Input, { focus, field, act, isAnswer, changed }: Taking): boolean {
  let isTaken = false;
  if (input.kind === 'paste') isTaken = focus.has() && field?.take(input) === true;
  else if (input.kind === 'key') {
    const turn = focus.turn(input);
    isTaken = turn === 'taken' || (turn === 'mine' && act(input)) || (turn === 'early' && isAnswer(input));
    if (turn === 'mine' && !isTaken) focus.leave();
  }
  if (isTaken) changed();
  return isTaken;
}

/** A card whose answers have numbers, and which words can be written in. */
export interface NumberedCard {
  focus: Focus;
  field: Taking['field'];
  isAnswered: boolean;
}

/** Once it is answered, a second press of a number must not end up in the composer. */
export function takeNumbered(
  input: Input,
  { focus, field, isAnswered }: NumberedCard,
  deeds: Pick<Taking, 'act' | 'changed'>,
): boolean {
  if (isAnswered) return input.kind === 'key' && isNumber(input);
  return takeInput(input, { ...deeds, focus, field, isAnswer: isNumber });
}

/** The numbers of answers. */
export function isNumber({ text = '' }: Key): boolean {
  return /^[1-9]$/.test(text);
}
