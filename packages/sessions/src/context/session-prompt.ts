import { requestTools } from '../calls/on-demand-tools.ts';
import { dialectOf } from '../dialects/dialect.ts';
import type { Registry } from '../registry.ts';
import { answeringModel } from '../state/answering-model.ts';
import type { SessionRecord } from '../store/store.ts';
import type { TurnNeeds } from '../turn/turn-context.ts';
import type { SessionPrompt } from './compaction-summary.ts';
import { folderBrief } from './folder-brief.ts';
import { systemPrompt } from './system-prompt.ts';

interface PromptNeeds extends Pick<TurnNeeds, 'offer' | 'dialects'> {
  registry: Registry;
}

/** The beginning of the next request of a session that rests. */
export async function sessionPrompt(
  record: SessionRecord,
  { registry, offer, dialects }: PromptNeeds,
): Promise<SessionPrompt> {
  const memory = registry.memoryOf(record);
  memory.brief ??= await folderBrief(record.header.folder);
  const dialect = dialectOf(answeringModel(record), dialects);
  const { specs, show } = requestTools(await offer(record), { isStep: record.header.workflowStep !== null, dialect });
  return {
    system: systemPrompt(memory.brief, record.header, { ...record.settings, ...memory.rules, dialect }),
    specs,
    show,
  };
}
