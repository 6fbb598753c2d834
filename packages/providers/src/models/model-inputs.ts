import type { MediaType } from '@fucina/shared';
import type { WireKind } from '../table/record.ts';

/** Kinds of input by the names that lists of models use. */
const KINDS: Record<'audio' | 'pdf', readonly string[]> = { audio: ['audio'], pdf: ['pdf', 'file'] };

/** What each wire has a form for. */
const WIRES: Record<WireKind, readonly MediaType[]> = {
  'openai-chat': ['audio/wav', 'audio/mpeg', 'application/pdf'],
  'openai-responses': ['application/pdf'],
  'anthropic-messages': ['application/pdf'],
  gemini: ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'application/pdf'],
  locale: [],
  acp: [],
};

/** @param stated the model's kinds of input as its provider lists them, else the public catalog; undefined: unknown */
export function takesMedia(wire: WireKind, stated: readonly string[] | undefined, type: MediaType): boolean {
  const names = KINDS[type === 'application/pdf' ? 'pdf' : 'audio'];
  return WIRES[wire].includes(type) && names.some((name) => stated?.includes(name) === true);
}
