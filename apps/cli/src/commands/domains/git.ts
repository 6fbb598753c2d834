import type { Services } from '@fucina/host';
import { AppError, isAppError } from '@fucina/shared';
import { choicesOf } from '../../choices.ts';
import { cleanText } from '../../clean-text.ts';
import { readConfig } from '../../config/config.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { readyLocalModel } from '../../local-model.ts';
import { editInExternalEditor } from '../../screen/input/external-editor.ts';
import type { Terminal } from '../../terminal.ts';
import { chooseForNext, withHookOutput } from './git-hooks.ts';
import { canAsk, inFolder, left, offer, type Place } from './git-place.ts';
import { type Flags, oneLine, reportDone } from './listing.ts';

/** A generated message for what is staged; if nothing is, for all changes. */
export async function gitMessage(flags: Flags, [draft]: string[], terminal: Terminal): Promise<ExitCode> {
  return inFolder(flags, terminal, async (place) => {
    const suggested = await suggest(place, draft);
    if (suggested.area === 'work') terminal.err(terminal.say('git.all-changes'));
    reportDone(cleanText(suggested.message), suggested, place);
    return EXIT.done;
  });
}

/** The same, shown to the user, then commits what is staged, if it has not changed. */
export async function gitCommit(flags: Flags, [draft]: string[], terminal: Terminal): Promise<ExitCode> {
  return inFolder(flags, terminal, async (place) => {
    const { reading, commits } = place.services.folderGit;
    const { summary, fingerprint, entries } = await reading.state(place.folder);
    if (summary.staged === 0) throw new AppError('GIT_NOTHING_STAGED');
    const suggested = await suggest(place, draft);
    const staged = entries.filter(({ isStaged }) => isStaged).map(({ path }) => path);
    const message = await agreed(suggested.message, staged, place);
    if (message === undefined) return left(place, { commit: null, message: suggested.message });
    await chooseForNext(place);
    const commitStaged = () => withHookOutput(place, () => commits.staged(place.folder, message, fingerprint));
    const { commit, hooksNotRun, hooksFailed } = await askingForMarkers(place, commitStaged);
    if (hooksNotRun) terminal.err(terminal.say('git.hooks-not-run', { names: hooksNotRun.join(', ') }));
    if (hooksFailed) terminal.err(terminal.say('git.hooks-failed', { names: hooksFailed.join(', ') }));
    const facts = { commit: commit.slice(0, SHORT), subject: oneLine(subjectOf(message)) };
    reportDone(
      terminal.say('git.committed', facts),
      { commit, message, model: suggested.model, hooksNotRun: hooksNotRun ?? [], hooksFailed: hooksFailed ?? [] },
      place,
    );
    return EXIT.done;
  });
}

/** Undoes the last commit; its changes become staged. */
export async function gitUndo(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  return inFolder(flags, terminal, async (place) => {
    const { reading, commits } = place.services.folderGit;
    const { base } = await reading.state(place.folder);
    if (!base) throw new AppError('GIT_NOTHING_TO_COMMIT');
    const facts = { commit: base.commit.slice(0, SHORT), subject: oneLine(base.subject) };
    if (!flags.yes && canAsk(place)) {
      terminal.err(terminal.say('git.to-undo', facts));
      if ((await offer({ y: terminal.say('git.undo-it'), n: terminal.say('git.leave-it') }, place)) !== 'y')
        return left(place, { commit: null });
    } else if (!flags.yes) return left(place, { commit: null });
    const { message } = await commits.undo(place.folder, base.commit);
    reportDone(terminal.say('git.undone', facts), { commit: base.commit, message }, place);
    return EXIT.done;
  });
}

/** Files with conflict markers are committed only if the user says so, one after the other. */
async function askingForMarkers<T>(place: Place, commit: () => Promise<T>): Promise<T> {
  const { terminal, services, folder, flags } = place;
  for (;;) {
    try {
      return await commit();
    } catch (error) {
      const path = markedPath(error);
      if (path === undefined || flags.yes || !canAsk(place)) throw error;
      terminal.err(terminal.say('git.markers-staged', { path: oneLine(path) }));
      const offers = { y: terminal.say('git.commit-markers'), n: terminal.say('git.leave-it') };
      if ((await offer(offers, place)) !== 'y') throw error;
      await services.folderGit.staging.stageWithMarkers(folder, [path]);
    }
  }
}

function markedPath(error: unknown): string | undefined {
  const isMarked = isAppError(error, 'GIT_COMMAND_FAILED') && error.reason === 'conflict-markers-staged';
  const path = isMarked ? error.params?.path : undefined;
  return typeof path === 'string' ? path : undefined;
}

const SHORT = 7;
/** Maximum files listed before a commit. */
const NAMED = 20;

type Suggested = Awaited<ReturnType<Services['folderGit']['suggestMessage']>>;

async function suggest({ services, folder, flags, terminal, signal }: Place, draft?: string): Promise<Suggested> {
  const { io, language, say, err } = terminal;
  const given = typeof flags.model === 'string' ? { model: flags.model } : {};
  const { model } = choicesOf(given, readConfig(io, io.cwd), { io, dir: io.cwd });
  if (model === undefined) throw new AppError('MODEL_ID_INVALID', { reason: 'no-default-model' });
  await readyLocalModel(model, services);
  const suggested = await services.folderGit.suggestMessage(folder, { draft, language, model, signal });
  if (suggested.isCut) err(say('git.cut'));
  return suggested;
}

/** The message as the user wants it; undefined when cancelled, or without a terminal to ask on. */
async function agreed(suggested: string, staged: readonly string[], place: Place): Promise<string | undefined> {
  const { flags, terminal } = place;
  if (flags.yes) return suggested;
  if (!canAsk(place)) return undefined;
  const { err, say, io, errorStyle: style } = terminal;
  const named = staged.slice(0, NAMED).map((path) => oneLine(path));
  const more = staged.length > NAMED ? [say('git.more-files', { count: staged.length - NAMED })] : [];
  for (const name of [...named, ...more]) err(`    ${style.muted(name)}`);
  const offers = { y: say('git.commit-it'), e: say('git.edit-it'), n: say('git.leave-it') };
  for (let message = suggested; ; ) {
    err('');
    for (const text of cleanText(message).split('\n')) err(`    ${text}`);
    const letter = await offer(offers, place);
    if (letter !== 'e') return letter === 'y' ? message : undefined;
    const edited = (await editInExternalEditor(message, io))?.trim();
    if (edited) message = edited;
    else err(say('git.not-edited'));
  }
}

function subjectOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
