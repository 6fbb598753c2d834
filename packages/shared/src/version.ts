/** Version of the program and of its interface; every package.json has the same. */
export const VERSION = '0.1.25';
