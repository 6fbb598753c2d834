/** What an agent asks leave for, as its event has it. */
export type AskedAction = Readonly<Record<string, unknown>>;

/** A command wants to reach a host. */
export function isNetwork({ tipo }: AskedAction): boolean {
  return tipo === 'rete';
}
