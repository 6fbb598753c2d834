import type { Ambient, OutboundError, OutboundHttp } from '@fucina/shared';
import type { AgentCheck } from '../external/check-agent.ts';
import { type ListOutcome, requestModels } from '../models/models-request.ts';
import type { ExternalAgent } from '../store.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import { WireFailure } from '../wires/failure.ts';
import { providerMessage } from '../wires/provider-message.ts';
import { readErrorBody } from '../wires/wire.ts';
import { type Access, providerHeaders, secretsOf } from './access.ts';
import { type Address, joinAddress } from './runtime.ts';

export interface ProbeResult {
  outcome: 'reached' | 'credential-refused' | 'unreachable' | 'to-configure' | 'failed';
  models: number | null;
  latencyMs: number | null;
  /** Kebab-case id of the sentence for the user. */
  detail: ProbeDetail;
  /** The provider's own message of a refusal; redacted, at most 2,000 characters. */
  providerMessage?: string | undefined;
  /** The proxy, or the origin with the certificate, that `detail` is about. */
  party?: string;
  /** Name and version of the external agent, once it responded. */
  agent?: AgentCheck;
}

export type ProbeDetail =
  | 'ready'
  | 'key-not-checked'
  | 'key-missing'
  | 'address-missing'
  | 'key-refused'
  | 'no-answer'
  | 'not-a-provider'
  | 'no-free-check'
  | 'refused'
  | 'proxy-sign-in'
  | 'proxy-refused'
  | 'proxy-unreachable'
  | 'proxy-not-usable'
  | 'certificate'
  | 'certificate-issuer'
  | 'certificate-expired'
  | 'certificate-name'
  | 'client-not-usable'
  | 'agent-missing'
  | 'agent-ready'
  | 'agent-sign-in'
  | 'agent-not-started'
  | 'agent-refused';

export interface ProbeNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  address(record: ProviderRecord): Address;
  accessTo(record: ProviderRecord): Promise<Access>;
  externalAgent(): ExternalAgent | undefined;
  checkAgent(agent: ExternalAgent): Promise<AgentCheck>;
}

/** Sends the provider a free request. Throws PROVIDER_INVALID and PROVIDER_STORE_UNAVAILABLE. */
export async function probe(needs: ProbeNeeds, provider: string): Promise<ProbeResult> {
  const record = providerOf(provider);
  if (record.wire === 'acp') return probeAgent(needs);
  const { endpoint, timeoutMs } = needs.address(record);
  const rest = (outcome: ProbeResult['outcome'], detail: ProbeDetail): ProbeResult => ({
    outcome,
    detail,
    models: null,
    latencyMs: null,
  });
  if (!endpoint) return rest('to-configure', 'address-missing');
  const access = await needs.accessTo(record);
  if (record.key === 'required' && !access.key) return rest('to-configure', 'key-missing');
  if (!record.hasProbe || !record.models) return rest('failed', 'no-free-check');

  const startedAt = needs.ambient.monotonic();
  const refusal = record.id === 'aggregator' ? await refusalOfKey(needs, { record, endpoint, access }) : undefined;
  const outcome = await requestModels(needs.http, { record, endpoint, access, timeoutMs, now: needs.ambient.now() });
  const latencyMs = Math.round(needs.ambient.monotonic() - startedAt);
  return { ...judge(outcome, { record, refusal }), latencyMs };
}

/** Starts the program, which is free: only the program knows its version and whether it is signed in. */
async function probeAgent({ ambient, externalAgent, checkAgent }: ProbeNeeds): Promise<ProbeResult> {
  const agent = externalAgent();
  if (!agent) return { outcome: 'to-configure', detail: 'agent-missing', models: null, latencyMs: null };
  const startedAt = ambient.monotonic();
  const timed = (result: Omit<ProbeResult, 'models' | 'latencyMs'>): ProbeResult => ({
    ...result,
    models: null,
    latencyMs: Math.round(ambient.monotonic() - startedAt),
  });
  try {
    const about = await checkAgent(agent);
    return about.isSignedIn
      ? timed({ outcome: 'reached', detail: 'agent-ready', agent: about })
      : timed({ outcome: 'credential-refused', detail: 'agent-sign-in', agent: about });
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error;
    if (error.failure.class === 'timeout') return timed({ outcome: 'unreachable', detail: 'agent-not-started' });
    const { class: failureClass, providerMessage: said } = error.failure;
    return failureClass === 'request-refused'
      ? timed({ outcome: 'failed', detail: 'agent-refused', providerMessage: said })
      : timed({ outcome: 'failed', detail: 'agent-not-started' });
  }
}

function judge(
  outcome: ListOutcome,
  { record, refusal }: { record: ProviderRecord; refusal: KeyRefusal | undefined },
): Omit<ProbeResult, 'latencyMs'> {
  if (refusal) return { outcome: 'credential-refused', models: null, detail: 'key-refused', ...refusal };
  switch (outcome.kind) {
    case 'listed': {
      const isKeyUnseen = record.models?.isPublic === true && record.id !== 'aggregator';
      return { outcome: 'reached', models: outcome.rows.length, detail: isKeyUnseen ? 'key-not-checked' : 'ready' };
    }
    case 'refused': {
      const { providerMessage } = outcome;
      if (outcome.status === 401 || outcome.status === 403)
        return { outcome: 'credential-refused', models: null, detail: 'key-refused', providerMessage };
      // The provider has no list of models, but it responded.
      if (outcome.status === 404 && record.reserveModels.length > 0)
        return { outcome: 'reached', models: record.reserveModels.length, detail: 'key-not-checked' };
      return { outcome: 'failed', models: null, detail: 'refused', providerMessage };
    }
    case 'unreachable':
      return { models: null, ...unreachable(outcome.error) };
    case 'unreadable':
      return { outcome: 'failed', models: null, detail: 'not-a-provider' };
  }
}

function unreachable({ problem, origin, facts }: OutboundError): Pick<ProbeResult, 'outcome' | 'detail' | 'party'> {
  const { proxy = '', reason = '' } = facts;
  switch (problem) {
    case 'redirect':
      return { outcome: 'failed', detail: 'refused' };
    case 'proxy':
      return { outcome: 'unreachable', detail: PROXY_DETAILS[reason] ?? proxyDetail(reason), party: proxy };
    case 'certificate':
      return { outcome: 'unreachable', detail: CERTIFICATE_DETAILS[reason] ?? 'certificate', party: origin };
    default:
      return { outcome: 'unreachable', detail: 'no-answer' };
  }
}

const PROXY_DETAILS: Readonly<Record<string, ProbeDetail>> = {
  'status-407': 'proxy-sign-in',
  'not-usable': 'proxy-not-usable',
};
const proxyDetail = (reason: string): ProbeDetail =>
  reason.startsWith('status-') ? 'proxy-refused' : 'proxy-unreachable';

const CERTIFICATE_DETAILS: Readonly<Record<string, ProbeDetail>> = {
  'unknown-issuer': 'certificate-issuer',
  expired: 'certificate-expired',
  'not-yet-valid': 'certificate-expired',
  'wrong-name': 'certificate-name',
  'client-not-usable': 'client-not-usable',
};

type KeyRefusal = Pick<ProbeResult, 'providerMessage'>;

/** The aggregator's list is public; this endpoint is not. */
async function refusalOfKey(
  { http }: ProbeNeeds,
  target: { record: ProviderRecord; endpoint: string; access: Access },
): Promise<KeyRefusal | undefined> {
  const { record, endpoint, access } = target;
  const url = joinAddress(endpoint, '/key');
  const limits = { connectMs: 5_000, firstResponseMs: 15_000, totalMs: 20_000 };
  try {
    const answer = await http.send({ url, policy: 'configured', headers: providerHeaders(record, access), limits });
    if (answer.status === 401 || answer.status === 403)
      return { providerMessage: providerMessage(await readErrorBody(answer), secretsOf(access)) };
    answer.discard();
  } catch {
    // Listing the models gives the reason why nothing responds.
  }
  return undefined;
}
