/** The value types of a header, with their numbers in the format. */
const KINDS = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8 } as const;
const LIST = 9;
const ALIGNMENT = 32;

type Kind = keyof typeof KINDS;

export interface GgufEntry {
  key: string;
  kind: Kind;
  /** A list is written as an array of `kind`. */
  value: number | boolean | string | readonly (number | string)[];
}

export interface GgufTensor {
  name: string;
  /** Row length first, as in the format. */
  shape: readonly number[];
  /** As many as the shape requires; stored as 32-bit floats. */
  values: Float32Array;
}

/** The bytes of a GGUF file, version 3. */
export function ggufFile(entries: readonly GgufEntry[], tensors: readonly GgufTensor[]): Buffer {
  const header: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(entries.length)];
  for (const { key, kind, value } of entries) {
    header.push(text(key));
    if (Array.isArray(value)) {
      header.push(u32(LIST), u32(KINDS[kind]), u64(value.length), ...value.map((one) => scalar(kind, one)));
    } else header.push(u32(KINDS[kind]), scalar(kind, value as number | boolean | string));
  }
  const data: Buffer[] = [];
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    header.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    data.push(bytes, padding(bytes.length));
    offset += bytes.length + padding(bytes.length).length;
  }
  const start = Buffer.concat(header);
  return Buffer.concat([start, padding(start.length), ...data]);
}

function scalar(kind: Kind, value: number | boolean | string): Buffer {
  if (kind === 'text') return text(String(value));
  if (kind === 'bool') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(4);
  if (kind === 'f32') bytes.writeFloatLE(Number(value));
  else if (kind === 'i32') bytes.writeInt32LE(Number(value));
  else bytes.writeUInt32LE(Number(value));
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}

function padding(length: number): Buffer {
  return Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);
}
