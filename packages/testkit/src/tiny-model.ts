import { type GgufEntry, type GgufTensor, ggufFile } from './gguf-file.ts';

/** A model with a fixed answer, as a file for any engine. */
export interface TinyModelOptions {
  /** Its answer, each time, followed by the end token. Without it, the weights are random. */
  says?: string | ScriptedCall;
  /** The answer when `MARKER` occurs anywhere in the conversation. */
  saysThen?: string;
  /** Default: a small template with one line per role. Null: the file has none. */
  template?: string | null;
  /** Context size of its training; default 8,192 tokens. Null: not in the file. */
  contextLength?: number | null;
  /** Larger ones have more weights; only for random models. Default: one layer of 64. */
  size?: { layers: number; embedding: number; feedForward: number; words: number };
}

/** A single token: when a tool result contains it, the model gives its other answer. */
export const MARKER = '§';

/** A tool call instead of text. The engine's grammar writes every property of the schema, in its order. */
export interface ScriptedCall {
  tool: string;
  arguments: Record<string, unknown>;
}

const TEMPLATE =
  "{% for m in messages %}{{ '<' + m['role'] + '>' + m['content'] + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}";
const CALL_PREFIX = '||call: ';
/** Weights far enough apart that sampling is deterministic and the marker is found among thousands of tokens. */
const [SURE, SURER] = [10, 1e7];
const SPACE = '▁';
const END = 2;
const HEADS = 4;
/** Narrow: a conversation of tens of thousands of tokens is evaluated in seconds. */
const HEAD = 32;
const SMALL = { layers: 1, embedding: 64, feedForward: 64, words: 0 };

/**
 * A GGUF file of the llama architecture, small enough to create for each test. The same options give the same bytes.
 */
export function tinyModel(options: TinyModelOptions = {}): Buffer {
  const words = vocabulary();
  const weights = options.says === undefined ? randomWeights(words, options.size ?? SMALL) : saying(words, options);
  return ggufFile(header(words, weights, options), weights.tensors);
}

interface Vocabulary {
  texts: string[];
  kinds: number[];
}

interface Weights {
  embedding: number;
  layers: number;
  feedForward: number;
  heads: number;
  /** Width of one. */
  head: number;
  tensors: GgufTensor[];
}

const [PLAIN, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];

/** Bytes and single characters: any text can be tokenized, one token per byte or character. */
function vocabulary(): Vocabulary {
  const texts = ['<unk>', '<s>', '</s>'];
  const kinds = [UNKNOWN, CONTROL, CONTROL];
  for (let byte = 0; byte < 256; byte += 1) {
    texts.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    kinds.push(BYTE);
  }
  const characters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  for (const one of [SPACE, ...characters, MARKER]) {
    texts.push(one);
    kinds.push(PLAIN);
  }
  return { texts, kinds };
}

/** Unique tokens so long that no prompt contains one. */
function addPieces({ texts, kinds }: Vocabulary, said: string): number[] {
  const characters = [...said.replaceAll(' ', SPACE)];
  const ids: number[] = [];
  for (let at = 0; at < characters.length; ) {
    let length = Math.min(4, characters.length - at);
    if (characters.length - at - length < 4) length = characters.length - at;
    while (texts.includes(characters.slice(at, at + length).join('')) && at + length < characters.length) length += 1;
    ids.push(texts.push(characters.slice(at, at + length).join('')) - 1);
    kinds.push(PLAIN);
    at += length;
  }
  return ids;
}

/**
 * Each token predicts the next of its chain, any other the first of one. Each token's embedding has its own dimension;
 * the single attention head averages all tokens, and copies the marker's share to a separate dimension.
 */
function saying(words: Vocabulary, { says = '', saysThen }: TinyModelOptions): Weights {
  const first = addPieces(words, typeof says === 'string' ? says : CALL_PREFIX);
  const name = typeof says === 'string' ? [] : addPieces(words, says.tool);
  const given = typeof says === 'string' ? [] : addPieces(words, JSON.stringify(says.arguments, null, '\t'));
  const second = saysThen === undefined ? [] : addPieces(words, saysThen);
  const count = words.texts.length;
  const embedding = Math.ceil((count + 1) / 64) * 64;
  const markerPlace = embedding - 1;
  const marker = words.texts.indexOf(MARKER);
  const matrix = (rows: number, row = embedding): Float32Array => new Float32Array(rows * row);
  const embeddings = matrix(count);
  const output = matrix(count);
  for (let token = 0; token < count; token += 1) embeddings[token * embedding + token] = 1;
  const lead = (from: number, to: number, weight: number): void => {
    output[to * embedding + from] = weight;
  };
  // The engine itself writes the text before a tool's name and around its arguments.
  const [space = 0, open = 0, close = 0] = [SPACE, '(', ')'].map((one) => words.texts.indexOf(one));
  const chains = name.length > 0 ? [first, [space, ...name], [open, ...given, close], second] : [first, second];
  const chained = new Set(chains.flat());
  for (let token = 0; token < count; token += 1) if (!chained.has(token)) lead(token, first[0] ?? END, SURE);
  for (const chain of chains)
    for (const [at, token] of chain.entries()) lead(token, chain[at + 1] ?? END, SURER * SURER);
  if (second[0] !== undefined) lead(markerPlace, second[0], SURER);
  const values = matrix(HEAD);
  values[marker] = 1;
  const back = matrix(embedding, HEAD);
  back[markerPlace * HEAD] = 1;
  const feedForward = 32;
  const layer = {
    q: matrix(HEAD),
    k: matrix(HEAD),
    v: values,
    output: back,
    feed: () => matrix(feedForward),
  };
  return {
    embedding,
    layers: 1,
    feedForward,
    heads: 1,
    head: HEAD,
    tensors: [
      ...ends({ embedding, count, embeddings, output }),
      ...layerTensors(0, { embedding, feedForward, queries: HEAD, keys: HEAD }, layer),
    ],
  };
}

interface LayerValues {
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  output: Float32Array;
  feed(): Float32Array;
}

function randomWeights(words: Vocabulary, size: NonNullable<TinyModelOptions['size']>): Weights {
  const { layers, embedding, feedForward } = size;
  for (let more = 0; more < size.words; more += 1) {
    words.texts.push(`word-${more}`);
    words.kinds.push(PLAIN);
  }
  const count = words.texts.length;
  const filled = filler();
  const keys = embedding / 2;
  const embeddings = filled(count * embedding, 0.5);
  const output = filled(count * embedding, 0.3);
  const tensors = ends({ embedding, count, embeddings, output });
  for (let layer = 0; layer < layers; layer += 1) {
    const values: LayerValues = {
      q: filled(embedding * embedding, 0.15),
      k: filled(keys * embedding, 0.15),
      v: filled(keys * embedding, 0.15),
      output: filled(embedding * embedding, 0.15),
      feed: () => filled(feedForward * embedding, 0.15),
    };
    tensors.push(...layerTensors(layer, { embedding, feedForward, queries: embedding, keys }, values));
  }
  return { embedding, layers, feedForward, heads: HEADS, head: embedding / HEADS, tensors };
}

function ends(given: {
  embedding: number;
  count: number;
  embeddings: Float32Array;
  output: Float32Array;
}): GgufTensor[] {
  const { embedding, count } = given;
  return [
    { name: 'token_embd.weight', shape: [embedding, count], values: given.embeddings },
    { name: 'output_norm.weight', shape: [embedding], values: new Float32Array(embedding).fill(1) },
    { name: 'output.weight', shape: [embedding, count], values: given.output },
  ];
}

function layerTensors(
  layer: number,
  { embedding, feedForward, queries, keys }: Record<'embedding' | 'feedForward' | 'queries' | 'keys', number>,
  values: LayerValues,
): GgufTensor[] {
  const tensor = (name: string, shape: number[], given: Float32Array): GgufTensor => ({
    name: `blk.${layer}.${name}.weight`,
    shape,
    values: given,
  });
  const ones = (): Float32Array => new Float32Array(embedding).fill(1);
  return [
    tensor('attn_norm', [embedding], ones()),
    tensor('attn_q', [embedding, queries], values.q),
    tensor('attn_k', [embedding, keys], values.k),
    tensor('attn_v', [embedding, keys], values.v),
    tensor('attn_output', [queries, embedding], values.output),
    tensor('ffn_norm', [embedding], ones()),
    tensor('ffn_gate', [embedding, feedForward], values.feed()),
    tensor('ffn_up', [embedding, feedForward], values.feed()),
    tensor('ffn_down', [feedForward, embedding], values.feed()),
  ];
}

function header({ texts, kinds }: Vocabulary, weights: Weights, options: TinyModelOptions): GgufEntry[] {
  const { embedding, layers, feedForward, heads, head } = weights;
  const { contextLength = 8_192, template = TEMPLATE } = options;
  const entry = (key: string, kind: GgufEntry['kind'], value: GgufEntry['value']): GgufEntry => ({ key, kind, value });
  return [
    entry('general.architecture', 'text', 'llama'),
    entry('general.name', 'text', 'tiny'),
    entry('general.file_type', 'u32', 0),
    ...(contextLength === null ? [] : [entry('llama.context_length', 'u32', contextLength)]),
    entry('llama.embedding_length', 'u32', embedding),
    entry('llama.block_count', 'u32', layers),
    entry('llama.feed_forward_length', 'u32', feedForward),
    entry('llama.attention.head_count', 'u32', heads),
    entry('llama.attention.head_count_kv', 'u32', Math.max(1, heads / 2)),
    entry('llama.attention.key_length', 'u32', head),
    entry('llama.attention.value_length', 'u32', head),
    entry('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5),
    entry('llama.rope.dimension_count', 'u32', head),
    entry('llama.rope.freq_base', 'f32', 10_000),
    entry('llama.vocab_size', 'u32', texts.length),
    entry('tokenizer.ggml.model', 'text', 'llama'),
    entry('tokenizer.ggml.tokens', 'text', texts),
    entry(
      'tokenizer.ggml.scores',
      'f32',
      texts.map((_, index) => -index),
    ),
    entry('tokenizer.ggml.token_type', 'i32', kinds),
    entry('tokenizer.ggml.bos_token_id', 'u32', 1),
    entry('tokenizer.ggml.eos_token_id', 'u32', END),
    entry('tokenizer.ggml.unknown_token_id', 'u32', 0),
    entry('tokenizer.ggml.add_bos_token', 'bool', true),
    entry('tokenizer.ggml.add_eos_token', 'bool', false),
    entry('tokenizer.ggml.add_space_prefix', 'bool', false),
    ...(template === null ? [] : [entry('tokenizer.chat_template', 'text', template)]),
  ];
}

/** Seeded, so that the same size gives the same file; uniform, so that a large one is created quickly. */
function filler(): (length: number, spread: number) => Float32Array {
  let state = 42;
  // Global lookups inside a test are too slow for millions of values.
  const { imul } = Math;
  return (length, spread) => {
    const values = new Float32Array(length);
    for (let at = 0; at < length; at += 1) {
      state = (imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      values[at] = (state / 2_147_483_648 - 1) * spread * SQUARE;
    }
    return values;
  };
}

/** Scales a uniform distribution to the given standard deviation. */
const SQUARE = Math.sqrt(3);
