import { sendFirstRequests } from './first-requests.ts';
import { CATALOGS, firstLanguage } from './words/first-words.ts';

sendFirstRequests();
// The texts of the first load arrive together with its code. A failure is handled by the code that needs them.
CATALOGS[firstLanguage()]().catch(() => undefined);
