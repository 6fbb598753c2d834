/** The number of waiting sessions on the icon of the application, in the dock or task bar. */
export interface Badge {
  /** 0 removes it. A desktop that has no badges ignores it. */
  show(waiting: number): void;
  /** Removes it; resolves when that was sent. */
  close(): Promise<void>;
}

/** How many sessions wait, by the title of the window's page: `(2) name · Fucina`. */
export function waitingIn(title: string): number {
  return Number(/^\((\d{1,6})\) /.exec(title)?.[1] ?? 0);
}
