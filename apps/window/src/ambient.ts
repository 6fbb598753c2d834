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
export function recall<Value>(name: string, isValid: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`fucina.${name}`) ?? 'null');
    return isValid(value) ? value : undefined;
  } catch {
    // A browser without storage, or text of somebody else: as if nothing had been kept.
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`fucina.${name}`, JSON.stringify(value));
  } catch {
    // Preferences that cannot be kept are still in force until the page closes.
  }
}
