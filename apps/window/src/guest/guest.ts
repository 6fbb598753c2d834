/**
 * What runs in the sandboxed guest page (`/api/v1/lettore/ospite`), and how it and the window speak. The window waits for
 * `svc-lettore-ospite-pronto` (phase `attesa`), sends `svc-lettore-documento` once, and hears either
 * `svc-lettore-ospite-pronto` (phase `mostrato`, with `parti`: of how many parts it is) or `svc-lettore-ospite-errore`
 * (with `motivo`, a `GuestProblem`).
 */
export interface GuestDocument {
  type: 'svc-lettore-documento';
  formato: 'documento' | 'presentazione';
  bytes: ArrayBuffer;
  lingua: 'it' | 'en';
  aspetto: 'light' | 'dark';
}

export type GuestProblem = 'formato' | 'troppo-grande' | 'danneggiato' | 'lettore-assente';

/** What a reader of one format gives the page: it fills `sheet` and answers of how many parts it is. */
export type GuestReader = (document: GuestDocument, sheet: HTMLElement) => Promise<number>;

/** A document that cannot be shown, and why. */
export class GuestError extends Error {
  override readonly name = 'GuestError';
  readonly problem: GuestProblem;

  constructor(problem: GuestProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** The page calls it once the reader's script is there. */
export function offer(reader: GuestReader): void {
  (globalThis as unknown as { lettoreOspite: GuestReader }).lettoreOspite = reader;
}
