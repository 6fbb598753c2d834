import { enArguments } from './en-arguments.ts';
import { enAutomations } from './en-automations.ts';
import { enBackups } from './en-backups.ts';
import { enBoard } from './en-board.ts';
import { enBranches } from './en-branches.ts';
import { enComposer } from './en-composer.ts';
import { enConfigured } from './en-configured.ts';
import { enEditor } from './en-editor.ts';
import { enExtensions } from './en-extensions.ts';
import { enFiles } from './en-files.ts';
import { enGit } from './en-git.ts';
import { enImages } from './en-images.ts';
import { enInspector } from './en-inspector.ts';
import { enLanguage } from './en-language.ts';
import { enLibrary } from './en-library.ts';
import { enLocalModels } from './en-local-models.ts';
import { enMcp } from './en-mcp.ts';
import { enNotifications } from './en-notifications.ts';
import { enOverlays } from './en-overlays.ts';
import { enPage } from './en-page.ts';
import { enPickers } from './en-pickers.ts';
import { enProviders } from './en-providers.ts';
import { enRecords } from './en-records.ts';
import { enReview } from './en-review.ts';
import { enSandbox } from './en-sandbox.ts';
import { enSettings } from './en-settings.ts';
import { enShare } from './en-share.ts';
import { enTerminal } from './en-terminal.ts';
import { enTrace } from './en-trace.ts';
import { enUsage } from './en-usage.ts';
import { enWorkflows } from './en-workflows.ts';
import { enWorktrees } from './en-worktrees.ts';

/** English texts of lazily loaded parts. Other languages have the same keys. */
export const enMore = {
  ...enBackups,
  ...enBoard,
  ...enBranches,
  ...enComposer,
  ...enConfigured,
  ...enEditor,
  ...enExtensions,
  ...enArguments,
  ...enAutomations,
  ...enFiles,
  ...enGit,
  ...enImages,
  ...enInspector,
  ...enRecords,
  ...enLanguage,
  ...enLibrary,
  ...enLocalModels,
  ...enMcp,
  ...enNotifications,
  ...enOverlays,
  ...enPage,
  ...enPickers,
  ...enProviders,
  ...enReview,
  ...enSandbox,
  ...enSettings,
  ...enShare,
  ...enTerminal,
  ...enTrace,
  ...enUsage,
  ...enWorkflows,
  ...enWorktrees,
} as const;
