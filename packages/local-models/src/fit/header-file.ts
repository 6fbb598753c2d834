import { open } from 'node:fs/promises';
import { gguf } from '@huggingface/gguf';
import type { HeaderAnswer, ModelHeader } from './header.ts';
import { inspectTemplate } from './template-inspection.ts';

type Metadata = Record<string, unknown>;

const MAX_LAYERS = 4_096;
const MAX_SIZE = 2 ** 40;
/** The usual interval of full-attention layers by architecture, where the header does not state it. */
const FULL_EVERY: Record<string, number> = { gemma2: 2, gemma3: 6, 'gpt-oss': 2, cohere2: 4, llama4: 4 };

/** Reads an untrusted file; never throws. */
export async function readHeaderFile(path: string, library: string | undefined): Promise<HeaderAnswer> {
  try {
    const handle = await open(path, 'r');
    await handle.close();
  } catch {
    return { problem: 'unreadable' };
  }
  try {
    const { metadata } = await gguf(path, { allowLocalFile: true });
    const { header, template } = headerOf(metadata as unknown as Metadata);
    if (template === undefined || library === undefined) return { header };
    return { header: { ...header, template: await inspectTemplate(template, library) } };
  } catch {
    // Any error that a malformed file causes.
    return { problem: 'invalid' };
  }
}

/** Throws for a header without the fields that every model has. */
function headerOf(metadata: Metadata): { header: ModelHeader; template: string | undefined } {
  const version = whole(metadata['version']);
  if (version !== 3) throw new Error('version');
  const architecture = metadata['general.architecture'];
  if (typeof architecture !== 'string' || !/^[a-z0-9_.-]{1,64}$/i.test(architecture)) throw new Error('architecture');
  const of = (name: string): unknown => metadata[`${architecture}.${name}`];
  const layers = whole(of('block_count'));
  const trainedTokens = whole(of('context_length'));
  const embedding = whole(of('embedding_length'));
  if (!trainedTokens || !layers || layers > MAX_LAYERS || !embedding) throw new Error('sizes');
  const template = metadata['tokenizer.chat_template'];
  const text = typeof template === 'string' && template !== '' ? template : undefined;
  const header = {
    version,
    architecture,
    trainedTokens,
    layers,
    embedding,
    vocabulary: vocabularyOf(metadata, whole(of('vocab_size'))),
    feedForward: feedForwardOf(of),
    cacheElements: cacheOf(of, { layers, embedding }),
    window: windowOf(of, { architecture, layers }),
    hasTemplate: text !== undefined,
    template: null,
  };
  return { header, template: text };
}

function vocabularyOf(metadata: Metadata, stated: number | undefined): number {
  const tokens = metadata['tokenizer.ggml.tokens'];
  return Array.isArray(tokens) ? tokens.length : (stated ?? 0);
}

/** For a mixture of experts: the active ones. */
function feedForwardOf(of: (name: string) => unknown): number {
  const plain = of('feed_forward_length');
  const widest = Array.isArray(plain) ? Math.max(0, ...plain.map((one) => whole(one) ?? 0)) : (whole(plain) ?? 0);
  return Math.max(widest, (whole(of('expert_feed_forward_length')) ?? 0) * (whole(of('expert_used_count')) ?? 0));
}

function cacheOf(
  of: (name: string) => unknown,
  { layers, embedding }: { layers: number; embedding: number },
): number[] | null {
  // One latent vector instead of keys and values.
  if (of('attention.kv_lora_rank') !== undefined) return null;
  const heads = perLayer(of('attention.head_count'), layers);
  const keyHeads = perLayer(of('attention.head_count_kv'), layers) ?? heads;
  if (!heads || !keyHeads) return null;
  return keyHeads.map((count, layer) => {
    const width = heads[layer] ? embedding / heads[layer] : 0;
    return count * ((whole(of('attention.key_length')) ?? width) + (whole(of('attention.value_length')) ?? width));
  });
}

function windowOf(
  of: (name: string) => unknown,
  { architecture, layers }: { architecture: string; layers: number },
): ModelHeader['window'] {
  const tokens = whole(of('attention.sliding_window'));
  if (!tokens) return null;
  const stated = of('attention.sliding_window_pattern');
  if (Array.isArray(stated) && stated.length === layers) return { tokens, layers: stated.map(Boolean) };
  const every = whole(stated) ?? FULL_EVERY[architecture];
  return every ? { tokens, layers: Array.from({ length: layers }, (_, layer) => (layer + 1) % every !== 0) } : null;
}

function perLayer(value: unknown, layers: number): number[] | undefined {
  if (Array.isArray(value)) {
    const counts = value.map(whole);
    return counts.length === layers && counts.every((one) => one !== undefined) ? (counts as number[]) : undefined;
  }
  const count = whole(value);
  return count === undefined ? undefined : Array<number>(layers).fill(count);
}

function whole(value: unknown): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= MAX_SIZE
    ? number
    : undefined;
}
