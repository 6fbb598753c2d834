import { isAbsolute, resolve } from 'node:path';

/** Address in the window of what the user wants to see first: `/`, `/?folder=…` or `/sessions/…`. */
export type WindowPath = string;

const LINK = 'fucina:';
const SESSION = /^[\w-]{1,64}$/;

/**
 * What `fucina app <folder or link>` opens; undefined for a link that is not one of ours. A link only selects what is
 * shown: any page may contain one, so it never starts anything.
 */
export function windowPath(target: string | undefined, cwd: string): WindowPath | undefined {
  if (target === undefined || target === '') return '/';
  if (!target.startsWith(LINK)) return pathOfFolder(resolve(cwd, target));
  return URL.canParse(target) ? pathOfLink(new URL(target)) : undefined;
}

/** `fucina://new`, `fucina://open?folder=/a/folder`, `fucina://session/<id>`. */
function pathOfLink({ host, pathname, searchParams }: URL): WindowPath | undefined {
  const rest = pathname.replace(/^\/|\/$/g, '');
  if (host === 'new' && rest === '') return '/';
  if (host === 'session') return SESSION.test(rest) ? `/sessions/${rest}` : undefined;
  const folder = searchParams.get('folder');
  return host === 'open' && rest === '' && folder !== null && isAbsolute(folder) ? pathOfFolder(folder) : undefined;
}

function pathOfFolder(folder: string): WindowPath {
  return `/?folder=${encodeURIComponent(folder)}`;
}
