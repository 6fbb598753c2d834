/** The value of a custom event, of unknown form. */
export type Fields = Record<string, unknown>;

export const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

export const numberIn = (field: unknown): number | undefined => (typeof field === 'number' ? field : undefined);

export const textIn = (field: unknown): string | undefined => (typeof field === 'string' ? field : undefined);
