/** Folder of a package's test bundles: inside the package, so that they find its native dependencies. */
export const BUNDLES = 'node_modules/.cache/fucina-modules-beside';

/** Replaces packages/shared/src/module-beside.ts in tests: returns the module's bundle. */
export function moduleBeside(callerUrl, name) {
  return new URL(callerUrl.replace(/(?<=\/packages\/[^/]+\/)src\/.*/, `${BUNDLES}/${name}.js`));
}
