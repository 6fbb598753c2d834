import { join } from 'node:path';
import type { DownloadStatus, Services } from '@fucina/host';
import { AppError, tryLock } from '@fucina/shared';
import { choicesOf, type ModelChoice, type ModelManifest, manifestOf } from '@fucina/shared/model-files';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Io } from '../../io.ts';
import { dataDirOf, withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import type { Words } from '../../words/index.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';
import { progressBar, sizeOf } from './local-progress.ts';

type Hub = Services['localModels']['hub'];
type HubModel = Awaited<ReturnType<Hub['search']>>['items'][number];

const FOUND = 20;

/** Models of the hub that our engine may run, most downloaded first. */
export async function searchHub(flags: Flags, [query]: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const found = await withHost(io, flags, ({ services }) =>
    services.localModels.hub.search({ query, limit: FOUND, sort: 'downloads', direction: -1 }),
  );
  const cells = (model: HubModel) => [
    { text: oneLine(model.repo), paint: style.accent },
    { text: say('local.downloads', { count: model.downloads ?? 0 }) },
    { text: oneLine(model.license, 24), paint: style.muted },
    { text: model.isGated ? say('local.gated') : '', paint: style.danger },
  ];
  show({ name: 'models', rows: [...found.items], empty: say('local.not-found'), cells }, flags, terminal);
  return EXIT.done;
}

/**
 * Downloads a model and waits for it. Continues an unfinished download, also one of the window; Ctrl+C pauses it. A
 * second argument chooses among its files: by name, or by quantization.
 */
export async function pullModel(flags: Flags, [repo = '', wanted]: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  return withHost(io, flags, async ({ services }) => {
    const { hub } = services.localModels;
    const { revision } = await hub.repository({ repo });
    const found = await hub.repository({ repo, revision });
    if (found.isGated) return refuse(terminal, say('local.is-gated', { repo: oneLine(repo) }));
    const choices = choicesOf(found.files).filter(({ isPartial }) => !isPartial);
    const choice = chosen(choices, wanted);
    if (!choice) return refuse(terminal, choices.length ? say('local.choose') : say('local.no-files'), choices);
    if (choice.isSuspect && flags.suspect !== true) return refuse(terminal, say('local.suspect'), [choice]);
    const manifest = manifestOf(found, choice);
    if (!flags.json) {
      const facts = { name: oneLine(manifest.name), size: sizeOf(manifest.bytes), license: oneLine(manifest.license) };
      err(say('local.pulling', facts));
    }
    const ended = await download(manifest, { services, terminal, dataDir: await dataDirOf(io, flags) });
    return reportEnd(ended, { flags, terminal });
  });
}

/** Without a choice: the only one, or the most common quantization. */
function chosen(choices: readonly ModelChoice[], wanted: string | undefined): ModelChoice | undefined {
  const wantedFile = wanted?.toLowerCase().replace(/\.gguf$/, '');
  if (wantedFile === undefined) {
    return choices.length === 1 ? choices[0] : choices.find(({ quantization }) => quantization === 'Q4_K_M');
  }
  const names = (choice: ModelChoice): (string | undefined)[] => {
    const name = choice.name.toLowerCase();
    return [name, name.split('/').at(-1), choice.quantization?.toLowerCase()];
  };
  return choices.find((choice) => names(choice).includes(wantedFile));
}

function refuse({ err, errorStyle }: Terminal, sentence: string, choices: readonly ModelChoice[] = []): ExitCode {
  err(`fucina: ${sentence}`);
  for (const { name, bytes } of choices) err(`  ${oneLine(name)}  ${errorStyle.muted(sizeOf(bytes))}`);
  return EXIT.usage;
}

interface Place {
  services: Services;
  terminal: Terminal;
  dataDir: string;
}

const LOOK_MS = 200;
const OVER: ReadonlySet<DownloadStatus['state']> = new Set(['ready', 'failed', 'paused', 'cancelled']);

/** SESSION_STORE_BUSY while another command downloads the same. */
async function download(manifest: ModelManifest, { services, terminal, dataDir }: Place): Promise<DownloadStatus> {
  const { io } = terminal;
  const { downloads } = services.localModels;
  const { id } = manifest;
  const lock = tryLock(join(dataDir, 'locks', `process-download-${id}`));
  if (!lock) throw new AppError('SESSION_STORE_BUSY');
  let isStopped = false;
  const forget = io.onInterrupt(() => (isStopped = true));
  const bar = progressBar(terminal);
  try {
    const runsInOtherProcess = await isDownloaded(id, services, dataDir);
    let status = await downloads.start(manifest);
    while (!OVER.has(status.state) && !isStopped) {
      bar.show(status.bytes, status.totalBytes);
      await pause(io);
      status = (await downloads.list()).find((one) => one.id === id) ?? { ...status, state: 'cancelled' };
    }
    return isStopped && !runsInOtherProcess ? await downloads.pause(id) : status;
  } finally {
    bar.end();
    forget();
    lock.release();
  }
}

/** Whether a server is downloading it. A download of a killed command counts as paused, because no process runs it. */
async function isDownloaded(id: string, { localModels }: Services, dataDir: string): Promise<boolean> {
  const left = (await localModels.downloads.list()).find((one) => one.id === id);
  if (!left || OVER.has(left.state)) return false;
  const { isServed } = await import('@fucina/host');
  if (isServed(dataDir)) return true;
  await localModels.downloads.pause(id);
  return false;
}

async function pause(io: Io): Promise<void> {
  const ambient = await io.ambient('silent');
  await new Promise<void>((resolve) => void ambient.timer(LOOK_MS, resolve));
}

const STANDING: Partial<Record<DownloadStatus['state'], keyof Words>> = {
  paused: 'local.rests',
  cancelled: 'local.cancelled',
};

function reportEnd(status: DownloadStatus, { flags, terminal }: { flags: Flags; terminal: Terminal }): ExitCode {
  const { say, err } = terminal;
  const { id, state, reason } = status;
  if (state === 'ready') {
    reportDone(say('local.pulled', { id }), status, { flags, terminal });
    return EXIT.done;
  }
  if (flags.json) terminal.out(JSON.stringify(status));
  if (state === 'failed') throw new AppError('HUB_DOWNLOAD_FAILED', { details: { reason } });
  err(`fucina: ${say(STANDING[state] ?? 'local.elsewhere')}`);
  return EXIT.interrupted;
}
