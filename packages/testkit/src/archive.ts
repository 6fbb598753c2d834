import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  name: string;
  content: Buffer | string;
  /** Declared instead of the real decompressed size. */
  claimedBytes?: number;
}

/** A hand-written ZIP archive, whose headers may be wrong. */
export function archive(parts: readonly Part[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedBytes } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const label = Buffer.from(name);
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(checksum(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    facts.writeUInt16LE(20, 0);
    const lengths = Buffer.from([label.length & 255, label.length >> 8, 0, 0]);
    files.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, lengths, label, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, lengths, tail, label);
    offset += 30 + label.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

function checksum(bytes: Buffer): number {
  if (typeof crc32 === 'function') return crc32(bytes);
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}
