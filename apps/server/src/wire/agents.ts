import type { AgentTimeline, ChildAgent } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso, isoOrNull } from './common.ts';
import { outcomeOnWire, usageOnWire, usageTotal } from './session.ts';

const nullableText = z.string().nullable();

const wireChild = z.object({
  sessionId: z.string(),
  parentId: z.string(),
  task: nullableText,
  avvio: z.enum(['da-solo', 'consentito']).nullable(),
  modello: nullableText,
  permessi: nullableText,
  conclusa: z.boolean(),
  interrotta: z.boolean(),
  esitoDelega: nullableText,
  notaDelega: nullableText,
  verdettoDelega: nullableText,
  riassuntoDelega: nullableText,
  evidenzaDelega: nullableText,
  erroreConsegnaDelega: nullableText,
  avviataAlle: nullableText,
  conclusaAlle: nullableText,
  ultimaAttivitaAlle: nullableText,
  approvalPendingCount: z.number().int(),
  questionPendingCount: z.number().int(),
  ultimoEsito: nullableText,
  motivoChiusura: nullableText,
  usageSessione: usageTotal.nullable(),
  operazioneCorrente: nullableText,
  collisioni: z.array(z.object({ percorso: z.string(), primaDi: nullableText, dopoDi: nullableText })),
  attivita: z.object({ letti: z.array(z.string()), scritti: z.array(z.string()) }),
});

/** A finished child's verdict is its own; it is not checked for the user. */
function childOnWire({ record, activity, collisions }: ChildAgent): z.output<typeof wireChild> {
  const { header, settings, fold, state } = record;
  const outcome = outcomeOnWire(state === 'running' ? null : fold.outcome);
  const delegation = { alone: 'da-solo', allowed: 'consentito' } as const;
  return {
    sessionId: header.sessionId,
    parentId: header.parentId ?? '',
    task: header.delegatedTask,
    avvio: header.delegationStart && delegation[header.delegationStart],
    modello: settings.model,
    permessi: settings.permissions,
    conclusa: state === 'concluded',
    interrotta: state === 'interrupted',
    esitoDelega: outcome,
    notaDelega: null,
    verdettoDelega: null,
    riassuntoDelega: state === 'running' ? null : activity.summary,
    evidenzaDelega: activity.evidence && `${activity.evidence.command} → ${activity.evidence.exitCode}`,
    erroreConsegnaDelega: activity.error,
    avviataAlle: iso(header.startedAt),
    conclusaAlle: isoOrNull(activity.closedAt),
    ultimaAttivitaAlle: isoOrNull(activity.lastAt),
    approvalPendingCount: fold.pendingApproval ? 1 : 0,
    questionPendingCount: fold.pendingQuestion ? 1 : 0,
    ultimoEsito: outcome,
    motivoChiusura: outcome,
    usageSessione: usageOnWire(fold.total),
    operazioneCorrente: activity.currentTool,
    collisioni: collisions.map(({ path, writtenBefore, writtenAfter }) => ({
      percorso: path,
      primaDi: writtenAfter,
      dopoDi: writtenBefore,
    })),
    attivita: { letti: activity.read, scritti: activity.written.map(({ path }) => path) },
  };
}

export const childAgents = encoded(
  z.object({ figli: z.array(wireChild) }).meta({ id: 'ChildAgents' }),
  (children: ChildAgent[]) => ({ figli: children.map(childOnWire) }),
);

const STATES = { running: 'in-corso', concluded: 'conclusa', interrupted: 'interrotta' } as const;

export const agentTimeline = encoded(
  z
    .object({
      schema: z.literal('svc.agent-timeline.v1'),
      rootId: z.string(),
      coverage: z.enum(['complete', 'partial', 'unavailable']),
      persisted: z.boolean(),
      through: z.number().int(),
      next: z.number().int().nullable(),
      items: z.array(
        z.object({
          seq: z.number().int(),
          at: z.string(),
          event: z.unknown(),
          sourceSeq: z.number().int(),
          node: z.object({
            sessionId: z.string(),
            parentId: nullableText,
            task: nullableText,
            state: z.enum(['in-corso', 'conclusa', 'interrotta']),
            model: nullableText,
          }),
        }),
      ),
    })
    .meta({ id: 'AgentTimeline' }),
  ({ items, ...timeline }: AgentTimeline) => ({
    schema: 'svc.agent-timeline.v1' as const,
    ...timeline,
    persisted: true,
    items: items.map(({ seq, at, json, sourceSeq, node }) => ({
      seq,
      at: iso(at),
      event: JSON.parse(json) as unknown,
      sourceSeq,
      node: {
        sessionId: node.header.sessionId,
        parentId: node.header.parentId,
        task: node.header.delegatedTask,
        state: STATES[node.state],
        model: node.settings.model,
      },
    })),
  }),
);
