/** A model file of the hub. */
interface HubFile {
  path: string;
  sizeBytes: number;
  sha256: string;
  /** What the hub's scan says of it, in its own words. */
  security: string | null;
}

/** What a download asks for. */
export interface ModelManifest {
  id: string;
  name: string;
  repo: string;
  revision: string;
  files: { path: string; bytes: number; sha256: string }[];
  bytes: number;
  /** Of the file that an engine opens. */
  path: string;
  license: string;
}

/** What is chosen as one: a file, or all the parts of a model that is cut into several. */
export interface ModelChoice {
  /** Without its ending, and without the number of a part. */
  name: string;
  files: readonly HubFile[];
  bytes: number;
  /** How its numbers are packed, as its name says; undefined where it does not. */
  quantization: string | undefined;
  /** Some part is not there. */
  isPartial: boolean;
  /** The hub's scan warns of it. */
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

/** An id for a model of this computer: small letters, digits, dots, dashes. */
export function idOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MAX_ID)
    .replace(/[^a-z0-9]+$/, '');
  return plain || 'model';
}

/** The owner goes into the id, so that two models of one name can both be here. */
export function manifestOf(
  { repo, revision, license }: { repo: string; revision: string; license: string | null },
  choice: ModelChoice,
): ModelManifest {
  const [owner = ''] = repo.split('/');
  const name = choice.name.split('/').at(-1) ?? choice.name;
  return {
    id: idOf(`${owner}.${name}`),
    name: name.slice(0, 160),
    repo,
    revision,
    files: choice.files.map(({ path, sizeBytes, sha256 }) => ({ path, bytes: sizeBytes, sha256 })),
    bytes: choice.bytes,
    path: choice.files[0]?.path ?? '',
    license: (license ?? 'unknown').slice(0, 160),
  };
}
