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

/** For durations: milliseconds of a monotonic clock. */
export const monotonic = (): number => performance.now();

/** One call per animation frame; a hidden page has none, so there it is four calls a second. */
export function nextFrame(callback: () => void): () => void {
  if (document.visibilityState === 'hidden') return later(250, callback);
  const handle = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(handle);
}

/** Calls back once after the next frame is on screen; the returned function cancels it. */
export function afterPaint(callback: () => void): () => void {
  let cancel = nextFrame(() => {
    cancel = later(0, callback);
  });
  return () => cancel();
}

/** Calls back once, `ms` after the next frame is on screen; the returned function cancels it. */
export function afterPaintAnd(ms: number, callback: () => void): () => void {
  let cancel = afterPaint(() => {
    cancel = later(ms, callback);
  });
  return () => cancel();
}

/** The value stored under `name`, or undefined when it is absent, unreadable or of another shape. */
export function readStored<Value>(name: string, isValid: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`fucina.${name}`) ?? 'null');
    return isValid(value) ? value : undefined;
  } catch {
    // A browser without storage, or text of another program: treated as absent.
    return undefined;
  }
}

/** Whether it was stored: otherwise preferences apply until the page closes. */
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
    // A browser without storage has nothing to delete.
  }
}

/** Stored names with this prefix. */
export function storedNames(prefix: string): string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(`fucina.${prefix}`));
    return keys.map((key) => key.slice('fucina.'.length));
  } catch {
    return [];
  }
}

/** Local time of day, as `HH:MM`. */
export const clockTime = (): string => new Date(now()).toTimeString().slice(0, 5);
