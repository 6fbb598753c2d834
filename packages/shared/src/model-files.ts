import { textStart } from './text-cut.ts';

/** A model file of the hub. */
interface HubFile {
  path: string;
  sizeBytes: number;
  sha256: string;
  /** Result of the hub's security scan, in its own words. */
  security: string | null;
}

/** A download request. */
export interface ModelManifest {
  id: string;
  name: string;
  repo: string;
  revision: string;
  files: { path: string; bytes: number; sha256: string }[];
  bytes: number;
  /** SHA-256 of the file that an engine opens. */
  path: string;
  license: string;
}

/** One choice for the user: a file, or all parts of a split model. */
export interface ModelChoice {
  /** Without its extension and part number. */
  name: string;
  files: readonly HubFile[];
  bytes: number;
  /** The quantization in its name; undefined without one. */
  quantization: string | undefined;
  /** Some parts are missing. */
  isPartial: boolean;
  /** The hub's scan reports a problem. */
  isSuspect: boolean;
}

const PART = /^(.+)-(\d{5})-of-(\d{5})$/;
const QUANTIZATION = /(?:^|[-._])((?:i?q\d+(?:_[a-z0-9]+)*)|bf16|fp?16|f32|tq\d_\d|mxfp4(?:_\w+)?)$/i;
const SUSPECT: ReadonlySet<string> = new Set(['unsafe', 'caution', 'suspicious', 'infected', 'error']);

/** Smallest first. */
export function choicesOf(files: readonly HubFile[]): ModelChoice[] {
  const groups = new Map<string, { files: HubFile[]; parts: number }>();
  for (const file of files) {
    const stem = file.path.replace(/\.gguf$/i, '');
    const [, name = stem, , of] = PART.exec(stem) ?? [];
    const group = groups.get(name) ?? { files: [], parts: Number(of ?? 1) };
    groups.set(name, { ...group, files: [...group.files, file] });
  }
  return [...groups]
    .map(([name, group]) => choiceOf(name, group))
    .toSorted((one, other) => one.bytes - other.bytes || one.name.localeCompare(other.name));
}

function choiceOf(name: string, { files, parts }: { files: HubFile[]; parts: number }): ModelChoice {
  return {
    name,
    files: files.toSorted((one, other) => one.path.localeCompare(other.path)),
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    quantization: QUANTIZATION.exec(name)?.[1]?.toUpperCase(),
    isPartial: files.length !== parts,
    isSuspect: files.some(({ security }) => security !== null && SUSPECT.has(security)),
  };
}

const MAX_ID = 128;

/** An id for a local model: lower-case letters, digits, dots, dashes. */
export function idOf(text: string): string {
  const plain = textStart(
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, ''),
    MAX_ID,
  ).replace(/[^a-z0-9]+$/, '');
  return plain || 'model';
}

/** The owner is part of the id, so that two models with the same name can coexist. */
export function manifestOf(
  { repo, revision, license }: { repo: string; revision: string; license: string | null },
  choice: ModelChoice,
): ModelManifest {
  const [owner = ''] = repo.split('/');
  const name = choice.name.split('/').at(-1) ?? choice.name;
  return {
    id: idOf(`${owner}.${name}`),
    name: textStart(name, 160),
    repo,
    revision,
    files: choice.files.map(({ path, sizeBytes, sha256 }) => ({ path, bytes: sizeBytes, sha256 })),
    bytes: choice.bytes,
    path: choice.files[0]?.path ?? '',
    license: textStart(license ?? 'unknown', 160),
  };
}
