import { isUtf8 } from 'node:buffer';

/** The fields of a Content-Type header. */
export function contentKind(header: string): { mediaType: string; charset: string | undefined } {
  const [mediaType = '', ...parameters] = header.split(';');
  const charset = parameters.map((one) => /charset\s*=\s*"?([\w-]+)/i.exec(one)?.[1]).find(Boolean);
  return { mediaType: mediaType.trim().toLowerCase(), charset };
}

/** Decodes text with the declared encoding, else the one in the document, else the detected one. */
export async function decodedText(bytes: Buffer, charset: string | undefined): Promise<string> {
  if (charset === undefined && isUtf8(bytes)) return bytes.toString('utf8');
  const [{ default: chardet }, { default: iconv }] = await Promise.all([import('chardet'), import('iconv-lite')]);
  const named = charset ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 2_048).toString('latin1'))?.[1];
  const encoding = named ?? chardet.detect(bytes) ?? 'utf-8';
  return iconv.decode(bytes, iconv.encodingExists(encoding) ? encoding : 'utf-8');
}
