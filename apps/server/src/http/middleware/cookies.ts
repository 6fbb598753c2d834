import cookieParser from 'cookie-parser';

/** Values as they were sent: a token is no percent-encoded text. */
export const readCookies = cookieParser(undefined, { decode: String });
