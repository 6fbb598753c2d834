/** The window of the desktop application, whatever program draws it. */
export interface DesktopWindow {
  /** Shows an address, a page of the server or a file, and brings the window to the front. */
  show(address: string): Promise<void>;
  /** Lets pages of this origin show notifications of the system. */
  allowNotifications(origin: string): Promise<void>;
  /** Closes it. Its size and place are kept for the next time. */
  close(): Promise<void>;
  /** Resolves when the user closed it, or its program ended. */
  readonly closed: Promise<void>;
}

export interface WindowRequest {
  /** Folder for what the program that draws it stores. Absolute. */
  profileDir: string;
  /** Origin of the pages that belong in the window; undefined while there is no server. */
  ownOrigin(): string | undefined;
  /** The title of the window's page, after each change. */
  onTitle(title: string): void;
  /** Opens a page of another site where the user reads pages. */
  openExternally(address: string): void;
}

export type OpenWindow = (request: WindowRequest) => Promise<DesktopWindow>;

/** Why no window opened. */
export type NotOpened =
  /** `code` is the system's: `ENOENT`, `EACCES`. */
  | { kind: 'not-started'; code: string }
  /** `end` as `exit code 1` or `SIGSEGV`. */
  | { kind: 'ended'; end: string }
  /** It ran on without a window, and was ended. */
  | { kind: 'no-window' };

/** The program of the window could not be started, ended, or showed no window in time. */
export class WindowNotOpened extends Error {
  readonly reason: NotOpened;
  /** The newest lines that the program printed. */
  readonly lines: readonly string[];

  constructor(reason: NotOpened, lines: readonly string[] = [], options?: ErrorOptions) {
    super(`no window: ${reason.kind}`, options);
    this.reason = reason;
    this.lines = lines;
  }
}
