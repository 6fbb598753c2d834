import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { withUsualFlags } from './v8-flags.ts';

const CODE_FILE = 'compiled-code.bin';
const LENGTH_BYTES = 4;
const MAX_HEADER = 1024 * 1024;
const WRAPPER = '(function(exports,require,module,__filename,__dirname){';
/** Code compiled by V8 works only with exactly this engine. */
const ENGINE = `${process.version} ${process.versions.v8} ${process.platform} ${process.arch}`;

/** Position of a file's compiled code after the header, with the SHA-256 of the file's text and of that code. */
interface Entry {
  start: number;
  length: number;
  hash: string;
}

interface Header {
  engine: string;
  files: Record<string, Entry>;
}

interface CompiledCode extends Header {
  path: string;
  /** Start of the code, after the header. */
  start: number;
}

interface LoadedFile {
  exports: object;
  text: string;
  script: Script;
}

/** By name; `script.cachedDataRejected` is false when its code was loaded. */
type LoadedFiles = ReadonlyMap<string, LoadedFile>;

/**
 * Runs `program.js` of a build folder. V8 loads the compiled code that the build stored beside it: only someone who may
 * change the program can change that. Code that does not match the exact text, Node version or flags is compiled again.
 */
export function loadProgram(folder: string): LoadedFiles {
  return load(folder, readCompiledCode(folder));
}

/**
 * The same without stored code; the returned function stores what was compiled so far, and keeps what an earlier run
 * stored of other files.
 */
export function recordProgram(folder: string): () => void {
  const loaded = load(folder, undefined);
  return () => writeCompiledCode(folder, loaded);
}

function load(folder: string, stored: CompiledCode | undefined): LoadedFiles {
  const outside = createRequire(join(folder, 'main.js'));
  const loaded = new Map<string, LoadedFile>();
  const inside = (name: string): object => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const filename = join(folder, name);
    const file: LoadedFile = { exports: {}, ...compile(filename, stored && storedCode(stored, name)) };
    loaded.set(name, file);
    const run = file.script.runInThisContext() as (...given: unknown[]) => void;
    // A module may replace its own exports.
    run(file.exports, ask, file, filename, folder);
    return file.exports;
  };
  const ask = Object.assign((name: string) => (name.startsWith('./') ? inside(name.slice(2)) : outside(name)), {
    resolve: outside.resolve,
    /** Scripts with stored code cannot use import(). */
    import: (name: string) => import(name),
  });
  ask('./program.js');
  return loaded;
}

/** The stored code of a file, if it matches its text. */
type CodeFor = (text: string) => Buffer | undefined;

function compile(filename: string, codeFor: CodeFor | undefined): Omit<LoadedFile, 'exports'> {
  // The bundler writes only ASCII: one byte per character, on disk and in memory.
  const text = `${WRAPPER}${readFileSync(filename, 'latin1')}\n})`;
  const options = { filename, columnOffset: -WRAPPER.length, cachedData: codeFor?.(text) };
  return { text, script: withUsualFlags(() => new Script(text, options)) };
}

/** Code is read together with its file: unused files take no memory. */
function storedCode({ files, path, start }: CompiledCode, name: string): CodeFor | undefined {
  const entry = files[name];
  if (!entry) return undefined;
  return (text) => {
    const code = existsSync(path) ? readRange(path, start + entry.start, entry.length) : undefined;
    return code && hashOf(text, code) === entry.hash ? code : undefined;
  };
}

function readRange(path: string, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, start));
  } finally {
    closeSync(file);
  }
}

function hashOf(text: string, code: Buffer): string {
  return createHash('sha256').update(text, 'latin1').update(code).digest('hex');
}

function readCompiledCode(folder: string): CompiledCode | undefined {
  const path = join(folder, CODE_FILE);
  try {
    const length = readRange(path, 0, LENGTH_BYTES).readUInt32LE(0);
    if (length > MAX_HEADER) return undefined;
    const header = JSON.parse(readRange(path, LENGTH_BYTES, length).toString()) as Header;
    return header.engine === ENGINE ? { ...header, path, start: LENGTH_BYTES + length } : undefined;
  } catch {
    // Absent or damaged: everything is compiled.
    return undefined;
  }
}

function writeCompiledCode(folder: string, loaded: LoadedFiles): void {
  const files: Header['files'] = {};
  const parts: Buffer[] = [];
  let start = 0;
  const add = (name: string, code: Buffer, hash: string): void => {
    files[name] = { start, length: code.length, hash };
    parts.push(code);
    start += code.length;
  };
  for (const [name, { text, script }] of loaded) {
    const code = withUsualFlags(() => script.createCachedData());
    add(name, code, hashOf(text, code));
  }
  const before = readCompiledCode(folder);
  for (const [name, entry] of Object.entries(before?.files ?? {})) {
    if (!loaded.has(name) && before)
      add(name, readRange(before.path, before.start + entry.start, entry.length), entry.hash);
  }
  const header = Buffer.from(JSON.stringify({ engine: ENGINE, files } satisfies Header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  const path = join(folder, CODE_FILE);
  writeFileSync(`${path}.new`, Buffer.concat([length, header, ...parts]));
  renameSync(`${path}.new`, path);
}
