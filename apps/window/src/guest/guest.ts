/**
 * Runs in the sandboxed guest page (`/api/v1/lettore/ospite`); these are its messages. The window waits for
 * `svc-lettore-ospite-pronto` (phase `attesa`), sends `svc-lettore-documento` once, and receives either
 * `svc-lettore-ospite-pronto` (phase `mostrato`, with `parti`: the number of parts) or `svc-lettore-ospite-errore`
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

/** The renderer of one format: it fills `sheet` and returns the number of parts. */
export type GuestReader = (document: GuestDocument, sheet: HTMLElement) => Promise<number>;

/** A document that cannot be shown, with the reason. */
export class GuestError extends Error {
  override readonly name = 'GuestError';
  readonly problem: GuestProblem;

  constructor(problem: GuestProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** Called once the renderer's script is loaded. */
export function offer(reader: GuestReader): void {
  (globalThis as unknown as { lettoreOspite: GuestReader }).lettoreOspite = reader;
}
