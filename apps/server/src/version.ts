/** The program's version; the interface it serves has its own in the envelope's schema. */
export const VERSION = '0.1.0';
