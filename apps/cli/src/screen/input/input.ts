/** Parsed terminal input. */
export type Input = Key | Paste | Mouse | Focus;

/** Letters are in lower case: see `isShift`. */
export interface Key {
  kind: 'key';
  /** `a`, `?`, `space`, `enter`, `escape`, `pageup`, `f5`, … */
  name: string;
  /** The character that it produces, if any. */
  text?: string;
  isCtrl: boolean;
  isAlt: boolean;
  isShift: boolean;
}

export interface Paste {
  kind: 'paste';
  /**
   * Lines end in
   * ; tab is the only other control character.
   */
  text: string;
}

export interface Mouse {
  kind: 'mouse';
  action: 'press' | 'release' | 'move' | 'wheel-up' | 'wheel-down';
  button: 'left' | 'middle' | 'right' | 'none';
  /** From 0, from the upper left corner of the terminal. */
  column: number;
  row: number;
  isCtrl: boolean;
  isAlt: boolean;
  isShift: boolean;
}

export interface Focus {
  kind: 'focus';
  isFocused: boolean;
}

export function key(name: string, given: Partial<Omit<Key, 'kind' | 'name'>> = {}): Key {
  return { kind: 'key', name, isCtrl: false, isAlt: false, isShift: false, ...given };
}
