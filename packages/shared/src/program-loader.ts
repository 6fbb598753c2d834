import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

const CODE_FILE = 'compiled-code.bin';
const LENGTH_BYTES = 4;
const MAX_HEADER = 1024 * 1024;
const WRAPPER = '(function(exports,require,module,__filename,__dirname){';
/** What V8 compiled is of use to this very engine alone. */
const ENGINE = `${process.version} ${process.versions.v8} ${process.platform} ${process.arch}`;

/** Where the compiled code of a file lies behind the header, and the SHA-256 of the file's text and of that code. */
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
  /** Where the code begins, behind the header. */
  start: number;
}

interface LoadedFile {
  exports: object;
  text: string;
  script: Script;
}

/** By name; of `script`, `cachedDataRejected` is false when its code was read back. */
type LoadedFiles = ReadonlyMap<string, LoadedFile>;

/**
 * Runs `program.js` of a built folder. V8 reads back the compiled code that the build stored beside it: only who may
 * change the program may change that. What does not fit the exact text, this Node or the flags it runs with is compiled.
 */
export function loadProgram(folder: string): LoadedFiles {
  return load(folder, readCompiledCode(folder));
}

/** The same without stored code; the answer stores what was compiled by then. */
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
    // A file may put other exports in the place of its own.
    run(file.exports, ask, file, filename, folder);
    return file.exports;
  };
  const ask = Object.assign((name: string) => (name.startsWith('./') ? inside(name.slice(2)) : outside(name)), {
    resolve: outside.resolve,
    /** Scripts with stored code cannot import by themselves. */
    import: (name: string) => import(name),
  });
  ask('./program.js');
  return loaded;
}

/** Code of a file, when it belongs to its text. */
type CodeFor = (text: string) => Buffer | undefined;

function compile(filename: string, codeFor: CodeFor | undefined): Omit<LoadedFile, 'exports'> {
  // The bundler writes ASCII only: one byte for a character, on the disk and in memory.
  const text = `${WRAPPER}${readFileSync(filename, 'latin1')}\n})`;
  return { text, script: new Script(text, { filename, columnOffset: -WRAPPER.length, cachedData: codeFor?.(text) }) };
}

/** Each code is read when its file is: what a start does not need takes no memory. */
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
    // Absent or damaged: everything is compiled, as without it.
    return undefined;
  }
}

function writeCompiledCode(folder: string, loaded: LoadedFiles): void {
  const files: Header['files'] = {};
  const parts: Buffer[] = [];
  let start = 0;
  for (const [name, { text, script }] of loaded) {
    const code = script.createCachedData();
    files[name] = { start, length: code.length, hash: hashOf(text, code) };
    parts.push(code);
    start += code.length;
  }
  const header = Buffer.from(JSON.stringify({ engine: ENGINE, files } satisfies Header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  const path = join(folder, CODE_FILE);
  writeFileSync(`${path}.new`, Buffer.concat([length, header, ...parts]));
  renameSync(`${path}.new`, path);
}
