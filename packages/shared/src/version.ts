/** Of the program and of the interface it serves; every package.json says the same. */
export const VERSION = '0.1.25';
