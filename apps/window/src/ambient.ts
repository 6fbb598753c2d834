/** Time, as the window reads it: wall milliseconds. */
export const now = (): number => Date.now();

/** Calls back once after `ms`; the returned function cancels it. */
export function later(ms: number, callback: () => void): () => void {
  const handle = setTimeout(callback, ms);
  return () => clearTimeout(handle);
}

export function every(ms: number, callback: () => void): () => void {
  const handle = setInterval(callback, ms);
  return () => clearInterval(handle);
}

/** For durations: milliseconds from some beginning, never going back. */
export const monotonic = (): number => performance.now();

/** One call per painted frame; a page nobody sees is not painted, so there it is four calls a second. */
export function nextFrame(callback: () => void): () => void {
  if (document.visibilityState === 'hidden') return later(250, callback);
  const handle = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(handle);
}

/** What was kept under `name`, or undefined when it is absent, unreadable or not of the shape asked for. */
export function readStored<Value>(name: string, isValid: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`fucina.${name}`) ?? 'null');
    return isValid(value) ? value : undefined;
  } catch {
    // A browser without storage, or text of someone else: as if nothing had been kept.
    return undefined;
  }
}

/** Whether it is stored: preferences that are not are still in force until the page closes. */
export function writeStored(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(`fucina.${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function removeStored(name: string): void {
  try {
    localStorage.removeItem(`fucina.${name}`);
  } catch {
    // A browser without storage has nothing to forget.
  }
}

/** Names that begin with `prefix` under which something was kept. */
export function storedNames(prefix: string): string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(`fucina.${prefix}`));
    return keys.map((key) => key.slice('fucina.'.length));
  } catch {
    return [];
  }
}

/** The time of day on the user's clock, as `HH:MM`. */
export const clockTime = (): string => new Date(now()).toTimeString().slice(0, 5);
