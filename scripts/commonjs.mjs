// Turns the ES modules of a bundle into CommonJS: Node loads those without its loader of ES modules, and V8 can read
// back their compiled code, which it cannot for modules.
import { transform } from 'esbuild';

/** Imports of these modules stay `import()`: they may be ES modules. */
const IMPORTS_ELSEWHERE = /\bimport\((?="(?!\.\/|node:)|[\w$]+\))/;
/** A file of the same bundle is already a namespace; esbuild treats it as an external CommonJS module. */
const OWN_NAMESPACE = /\b__toESM\d*\((require\("\.\/[^"]+"\)),1\)/g;
const PROLOGUE = 'const __import=require.import??(name=>import(name));';
const LATER = 'const __later=load=>{let loaded;return()=>loaded??=load()};';

/**
 * The file as CommonJS, with its source map. Other files of the bundle, and Node's own modules, run at their first use:
 * they only declare things when they run. One that is imported for its effects alone still runs at once.
 */
export async function toCommonJs(code, map) {
  const usesImport = IMPORTS_ELSEWHERE.test(code);
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  const source = code.replaceAll(new RegExp(IMPORTS_ELSEWHERE, 'g'), '__import(');
  const result = await transform(source + inline, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    loader: 'js',
    sourcefile: 'module.mjs',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'external',
    sourcesContent: false,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    banner: [
      ...(code.includes('import.meta.url') ? ["const __url=require('node:url').pathToFileURL(__filename).href;"] : []),
      ...(usesImport ? [PROLOGUE] : []),
    ].join(''),
  });
  return { map: result.map, code: requireLater(result.code.replaceAll(OWN_NAMESPACE, '$1')) };
}

/** esbuild gives such a file one name, and reads its exports as properties of that name. */
function requireLater(code) {
  const lazy = [...code.matchAll(/(?<=[\s,])(import_\w+)=(require\("(?:\.\/|node:)[^"]+"\))(?=[,;])/g)];
  if (!lazy.length) return code;
  let changed = code;
  for (const [all, name, load] of lazy) {
    // The callee of `new` ends before the first call: it needs parentheses.
    changed = changed.replaceAll(new RegExp(`\\bnew ${name}\\.([\\w$]+)`, 'g'), `new (${name}().$1)`);
    changed = changed.replaceAll(new RegExp(`\\b${name}\\.`, 'g'), `${name}().`);
    changed = changed.replace(all, `${name}=__later(()=>${load})`);
    // Any other use would get the function instead of the file's exports.
    const [odd] = new RegExp(`.{0,40}(?<![\\w$.])${name}(?![\\w$]|\\(\\)|=__later).{0,20}`).exec(changed) ?? [];
    if (odd !== undefined) throw new Error(`a lazily loaded file is used in an unknown way: ${odd}`);
  }
  return changed.startsWith('"use strict";')
    ? `"use strict";${LATER}${changed.slice('"use strict";'.length)}`
    : `${LATER}${changed}`;
}
