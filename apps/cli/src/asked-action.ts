/** What an agent asks leave for, as its event has it. */
export type AskedAction = Readonly<Record<string, unknown>>;
