/** Where the bundles of a package lie: inside of it, so that they find its native dependencies. */
export const BUNDLES = 'node_modules/.cache/fucina-modules-beside';

/** In tests this stands for packages/shared/src/module-beside.ts: the module is taken from its bundle. */
export function moduleBeside(callerUrl, name) {
  return new URL(callerUrl.replace(/(?<=\/packages\/[^/]+\/)src\/.*/, `${BUNDLES}/${name}.js`));
}
