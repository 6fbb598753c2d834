import type { Ambient, Tool } from '@fucina/shared';
import type { Artifacts } from '../artifacts.ts';
import type { Delegation } from '../delegation.ts';
import type { LiveTurn } from '../live-turn.ts';
import type { Search } from '../reading/search.ts';
import { createArtifactTool } from './artifact-create.ts';
import { createAskTool } from './ask-user.ts';
import { createDelegateTool } from './delegate.ts';
import { createFindTool } from './find-conversations.ts';
import { createPlanTool } from './present-plan.ts';
import { createTimeTool } from './time-now.ts';
import { createTodoTool } from './todo-write.ts';

interface ConversationTools {
  ambient: Ambient;
  artifacts: Artifacts;
  delegation: Delegation;
  search: Search;
  turnOf(sessionId: string): LiveTurn | undefined;
  isUnattended(record: LiveTurn['record']): boolean;
}

/** The tools that act on a conversation itself. Each step decides which of them are offered. */
export function createSessionTools(given: ConversationTools): readonly Tool[] {
  const { ambient, artifacts, delegation, search, turnOf, isUnattended } = given;
  const needs = {
    ambient,
    isUnattended,
    turnOf(sessionId: string): LiveTurn {
      const turn = turnOf(sessionId);
      if (!turn) throw new Error('a tool of the conversation was run outside a turn');
      return turn;
    },
  };
  return [
    createAskTool(needs),
    createPlanTool(needs),
    createTodoTool(needs),
    createDelegateTool(delegation),
    createArtifactTool({ ambient, artifacts }),
    createTimeTool({ ambient }),
    createFindTool(search),
  ];
}
