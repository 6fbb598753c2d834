import cookieParser from 'cookie-parser';

/**
 * Raw values: a token is not percent-encoded. Of repeated cookies of one name, cookie-parser keeps the first only: a
 * server on another port of this computer can set one with our name. Who reads the token therefore also reads the
 * others, with `cookieValues` of access.ts.
 */
export const readCookies = cookieParser(undefined, { decode: String });
