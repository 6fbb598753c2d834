/** The program's version, the same as the server's. */
export const VERSION = '0.1.0';
