import { itArguments } from './it-arguments.ts';
import { itAutomations } from './it-automations.ts';
import { itBackups } from './it-backups.ts';
import { itBoard } from './it-board.ts';
import { itBranches } from './it-branches.ts';
import { itComposer } from './it-composer.ts';
import { itConfigured } from './it-configured.ts';
import { itEditor } from './it-editor.ts';
import { itExtensions } from './it-extensions.ts';
import { itFiles } from './it-files.ts';
import { itGit } from './it-git.ts';
import { itImages } from './it-images.ts';
import { itInspector } from './it-inspector.ts';
import { itLanguage } from './it-language.ts';
import { itLibrary } from './it-library.ts';
import { itLocalModels } from './it-local-models.ts';
import { itMcp } from './it-mcp.ts';
import { itNotifications } from './it-notifications.ts';
import { itOverlays } from './it-overlays.ts';
import { itPage } from './it-page.ts';
import { itPickers } from './it-pickers.ts';
import { itProviders } from './it-providers.ts';
import { itRecords } from './it-records.ts';
import { itReview } from './it-review.ts';
import { itSandbox } from './it-sandbox.ts';
import { itSettings } from './it-settings.ts';
import { itShare } from './it-share.ts';
import { itTerminal } from './it-terminal.ts';
import { itTrace } from './it-trace.ts';
import { itUsage } from './it-usage.ts';
import { itWorkflows } from './it-workflows.ts';
import { itWorktrees } from './it-worktrees.ts';
import type { enMore } from './more-en.ts';

export const itMore: Record<keyof typeof enMore, string> = {
  ...itBackups,
  ...itBoard,
  ...itBranches,
  ...itComposer,
  ...itConfigured,
  ...itEditor,
  ...itExtensions,
  ...itArguments,
  ...itAutomations,
  ...itFiles,
  ...itGit,
  ...itImages,
  ...itInspector,
  ...itRecords,
  ...itLanguage,
  ...itLibrary,
  ...itLocalModels,
  ...itMcp,
  ...itNotifications,
  ...itOverlays,
  ...itPage,
  ...itPickers,
  ...itProviders,
  ...itReview,
  ...itSandbox,
  ...itSettings,
  ...itShare,
  ...itTerminal,
  ...itTrace,
  ...itUsage,
  ...itWorkflows,
  ...itWorktrees,
};
