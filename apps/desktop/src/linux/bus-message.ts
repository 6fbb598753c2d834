/** Values of the D-Bus signatures that we send. */
export type BusValue = { type: 's'; value: string } | { type: 'x'; value: number } | { type: 'b'; value: boolean };

export interface BusCall {
  kind: 'call' | 'signal';
  serial: number;
  path: string;
  interface: string;
  member: string;
  /** Bus name of the receiver. */
  destination?: string;
  /** A text and a table of values: the signature `sa{sv}`. Without it the message is empty. */
  body?: { text: string; values: Readonly<Record<string, BusValue>> };
}

const KINDS = { call: 1, signal: 4 };
const NO_REPLY = 1;
const PROTOCOL = 1;

/** A message of the D-Bus specification, little-endian. */
export function busMessage(call: BusCall): Buffer {
  const body = createWriter();
  if (call.body) {
    body.text(call.body.text);
    body.table(call.body.values);
  }
  const bytes = body.bytes();
  const head = createWriter();
  for (const byte of ['l'.charCodeAt(0), KINDS[call.kind], NO_REPLY, PROTOCOL]) head.byte(byte);
  head.number(bytes.length);
  head.number(call.serial);
  head.array(8, () => {
    field(head, 1, ['o', call.path]);
    field(head, 2, ['s', call.interface]);
    field(head, 3, ['s', call.member]);
    if (call.destination !== undefined) field(head, 6, ['s', call.destination]);
    if (call.body) field(head, 8, ['g', 'sa{sv}']);
  });
  head.align(8);
  return Buffer.concat([head.bytes(), bytes]);
}

function field(head: Writer, code: number, [type, value]: ['o' | 's' | 'g', string]): void {
  head.align(8);
  head.byte(code);
  head.signature(type);
  if (type === 'g') head.signature(value);
  else head.text(value);
}

interface Writer {
  align(size: number): void;
  byte(value: number): void;
  number(value: number): void;
  text(value: string): void;
  signature(value: string): void;
  /** `write` adds the items; their alignment is not counted in the length. */
  array(alignment: number, write: () => void): void;
  table(values: Readonly<Record<string, BusValue>>): void;
  bytes(): Buffer;
}

function createWriter(): Writer {
  const out: number[] = [];
  const put = (size: number, fill: (bytes: Buffer) => void): void => {
    const bytes = Buffer.alloc(size);
    fill(bytes);
    out.push(...bytes);
  };
  const writer: Writer = {
    align(size) {
      while (out.length % size !== 0) out.push(0);
    },
    byte: (value) => void out.push(value),
    number(value) {
      writer.align(4);
      put(4, (bytes) => bytes.writeUInt32LE(value));
    },
    text(value) {
      const bytes = Buffer.from(value);
      writer.number(bytes.length);
      out.push(...bytes, 0);
    },
    signature: (value) => void out.push(value.length, ...Buffer.from(value), 0),
    array(alignment, write) {
      writer.number(0);
      const lengthAt = out.length - 4;
      writer.align(alignment);
      const start = out.length;
      write();
      const length = Buffer.alloc(4);
      length.writeUInt32LE(out.length - start);
      out.splice(lengthAt, 4, ...length);
    },
    table(values) {
      writer.array(8, () => {
        for (const [key, { type, value }] of Object.entries(values)) {
          writer.align(8);
          writer.text(key);
          writer.signature(type);
          if (type === 's') writer.text(value);
          else if (type === 'b') writer.number(value ? 1 : 0);
          else {
            writer.align(8);
            put(8, (bytes) => bytes.writeBigInt64LE(BigInt(value)));
          }
        }
      });
    },
    bytes: () => Buffer.from(out),
  };
  return writer;
}
