/**
 * Signs in with the key of a launcher's page, `/#token=…`: a browser says of a page outside this server that it comes
 * from another site, from which the server lets nobody in. True while the page is replaced.
 */
export function enterWithKey(): boolean {
  if (location.pathname !== '/' || !location.hash.startsWith('#token=')) return false;
  location.replace(`/?${location.hash.slice(1)}`);
  return true;
}
