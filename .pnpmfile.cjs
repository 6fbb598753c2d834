/** SQLite's driver comes in two versions; each Node installs the one that works there (packages/shared/src/sqlite-driver.ts). */
const NODE_OF_12 = '<22.14 || >=23 <23.6';
const NODE_OF_13 = '^22.14 || >=23.6';

function readPackage(manifest) {
  if (manifest.name === 'better-sqlite3')
    manifest.engines = { node: manifest.version.startsWith('12.') ? NODE_OF_12 : NODE_OF_13 };
  return manifest;
}

module.exports = { hooks: { readPackage } };
