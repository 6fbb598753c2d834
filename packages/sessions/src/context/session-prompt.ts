import { requestTools } from '../calls/on-demand-tools.ts';
import type { Registry } from '../registry.ts';
import type { SessionRecord } from '../store/store.ts';
import type { TurnNeeds } from '../turn/turn-context.ts';
import type { SessionPrompt } from './compaction-summary.ts';
import { folderBrief } from './folder-brief.ts';
import { systemPrompt } from './system-prompt.ts';

/** The beginning of the next request of a session that rests. */
export async function sessionPrompt(
  record: SessionRecord,
  { registry, offer }: { registry: Registry; offer: TurnNeeds['offer'] },
): Promise<SessionPrompt> {
  const memory = registry.memoryOf(record);
  memory.brief ??= await folderBrief(record.header.folder);
  const { specs, isRare } = requestTools(await offer(record), record.header.workflowStep !== null);
  return {
    system: systemPrompt(memory.brief, record.header, { ...record.settings, ...memory.rules }),
    specs,
    isRare,
  };
}
