import cookieParser from 'cookie-parser';

/** Raw values: a token is not percent-encoded. */
export const readCookies = cookieParser(undefined, { decode: String });
