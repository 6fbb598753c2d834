import { OutboundError, type OutboundHttp, textStart } from '@fucina/shared';

/** Address and key of an engine. */
export interface EngineAddress {
  port: number;
  key: string;
}

export interface HealthAnswer {
  isReady: boolean;
  /** From 0 to 1; null when the engine does not report it. */
  progress: number | null;
}

export interface EngineFacts {
  build: string | null;
  contextTokens: number | null;
}

const LIMITS = { connectMs: 1_000, firstResponseMs: 2_000, idleMs: 2_000, totalMs: 5_000, bodyBytes: 1_048_576 };

export const engineUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** Undefined while nothing responds there. */
export async function health(http: OutboundHttp, address: EngineAddress): Promise<HealthAnswer | undefined> {
  const answer = await get(http, address, '/health');
  if (!answer) return undefined;
  const progress = numberIn(answer.body, 'progress');
  return { isReady: answer.status === 200, progress };
}

export async function facts(http: OutboundHttp, address: EngineAddress): Promise<EngineFacts> {
  const answer = await get(http, address, '/props');
  if (answer?.status !== 200) return { build: null, contextTokens: null };
  const build = answer.body['build_info'];
  const settings = answer.body['default_generation_settings'];
  return {
    build: typeof build === 'string' ? textStart(build, 200) : null,
    contextTokens: numberIn(isRecord(settings) ? settings : {}, 'n_ctx'),
  };
}

/** Whether the engine serves clients without a key. */
export async function answersWithoutKey(http: OutboundHttp, { port }: EngineAddress): Promise<boolean> {
  const answer = await get(http, { port, key: '' }, '/props');
  return answer !== undefined && answer.status < 400;
}

async function get(
  http: OutboundHttp,
  { port, key }: EngineAddress,
  path: string,
): Promise<{ status: number; body: Record<string, unknown> } | undefined> {
  try {
    const answer = await http.send({
      url: `${engineUrl(port)}${path}`,
      policy: 'configured',
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      limits: LIMITS,
    });
    const text = await answer.text();
    return { status: answer.status, body: readRecord(text) };
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

function readRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(record: Record<string, unknown>, name: string): number | null {
  const value = record[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
