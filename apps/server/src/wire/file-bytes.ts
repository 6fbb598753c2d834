import type { Download, PartAsk, Span } from '@fucina/host';
import * as z from 'zod';
import type { Bytes } from '../http/answers.ts';

/** The headers of a range request; invalid ones are ignored. */
export const partHeaders = { range: z.string().max(200), 'if-range': z.string().max(200) };

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** For several ranges the whole file is sent. */
export function requestedPart(asked: Readonly<Record<string, string | undefined>>): PartAsk | undefined {
  const span = spanOf(asked['range'] ?? '');
  const version = asked['if-range'];
  if (!span) return undefined;
  return version === undefined ? { span } : { span, version: /^"([^"]*)"$/.exec(version)?.[1] ?? '' };
}

function spanOf(text: string): Span | undefined {
  const [, first = '', last = ''] = RANGE.exec(text.replaceAll(' ', '')) ?? [];
  if (first === '') return last === '' ? undefined : { suffix: Number(last) };
  if (last === '') return { first: Number(first) };
  return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) };
}

/** A file, or a range of it, with its name. */
export function fileBytes({ name, sizeBytes, content, wholeBytes, version, part }: Download): Bytes & { name: string } {
  return { name, sizeBytes, content, whole: { sizeBytes: wholeBytes, version, part } };
}
