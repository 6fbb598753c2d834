import type { Ambient } from '@fucina/shared';
import type { Input, Key } from '../input/input.ts';

/** Long enough that a key press or typed text is no longer meant for something else. */
const SETTLING_MS = 300;

export interface FocusNeeds {
  ambient: Pick<Ambient, 'monotonic' | 'timer'>;
  isComposerEmpty(): boolean;
  changed(): void;
}

/**
 * Whether a key answers a card. A card may appear while the user types: it accepts no key before a short pause, and
 * none while there is text in the composer, unless the user moves the focus to it with Tab.
 */
export interface Focus {
  /** Ready, and it has the focus. */
  has(): boolean;
  /** There was a pause without a key. */
  isSettled(): boolean;
  /** `mine`: the card may use it. `taken`: it moved the focus. `early`: too soon. `other`: for the next part. */
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

/** A card's handling of terminal input. */
export interface Taking {
  focus: Focus;
  /** Text is being typed in the card. */
  field: { take(input: Input): boolean } | undefined;
  /** False: not a key of this card. */
  act(key: Key): boolean;
  /** A character that answers. Pressed too soon it is neither an answer nor the start of a message. */
  isAnswer(key: Key): boolean;
  changed(): void;
}

/** A key without a meaning for the card is typed in the composer, which gets the focus. */
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

/** A card with numbered answers and a text field. */
export interface NumberedCard {
  focus: Focus;
  field: Taking['field'];
  isAnswered: boolean;
}

/** After the answer, a repeated number must not be typed into the composer. */
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
