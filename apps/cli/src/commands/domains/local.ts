import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ModelRecord, Services } from '@fucina/host';
import { idOf } from '@fucina/shared/model-files';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { localTime } from '../../local-time.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';
import { progressBar, sizeOf } from './local-progress.ts';

type RuntimeView = Awaited<ReturnType<Services['localRuntimes']['list']>>[number];

/** Models on this computer. */
export async function listLocal(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const rows = await withHost(io, flags, ({ services }) => services.localModels.installed.list());
  const cells = (model: ModelRecord) => [
    { text: oneLine(model.id, 128), paint: style.accent },
    { text: sizeOf(model.bytes) },
    { text: say(`local.${model.state}`), paint: model.state === 'ready' ? style.success : style.danger },
    { text: localTime(model.updatedAt), paint: style.muted },
    { text: oneLine(model.name ?? model.repo), paint: style.bold },
  ];
  show({ name: 'models', rows: [...rows], empty: say('local.none'), cells }, flags, terminal);
  return EXIT.done;
}

/** A GGUF file, as it stands on the disk; its id is its name unless one is given. */
export async function importLocal(flags: Flags, [path = '', id]: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const file = resolve(io.cwd, path);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) {
    err(`fucina: ${say('attachment.missing', { path: oneLine(path, 500) })}`);
    return EXIT.usage;
  }
  const bar = progressBar(terminal);
  const content = watched(createReadStream(file), (done) => bar.show(done, facts.size));
  const model = await withHost(io, flags, ({ services }) =>
    services.localModels.installed.import({
      id: id ?? idOf(basename(file).replace(/\.gguf$/i, '')),
      fileName: basename(file),
      bytes: String(facts.size),
      name: typeof flags.name === 'string' ? flags.name : undefined,
      content,
    }),
  ).finally(() => bar.end());
  reportDone(say('kept.added', { id: model.id }), model, { flags, terminal });
  return EXIT.done;
}

/** The resources that it would need here, from its header. Exit 1 when it would not fit. */
export async function fitLocal(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say } = terminal;
  const profile = typeof flags.profile === 'string' ? flags.profile : undefined;
  const fit = await withHost(io, flags, ({ services }) =>
    services.localRuntimes.fit(id, { ...(profile && { profile }), ...contextOf(flags) }),
  );
  const { requiredBytes, availableBytes } = fit.memory;
  const sizes = { needed: sizeOf(requiredBytes), free: availableBytes === null ? '?' : sizeOf(availableBytes) };
  const { requestedTokens } = fit.context;
  const words = [
    say(`local.fit-${fit.state}`),
    say('local.fit-memory', sizes),
    say('local.fit-context', { count: requestedTokens }),
  ];
  reportDone(words.join('\n'), fit, { flags, terminal });
  return fit.state === 'blocked' ? EXIT.failed : EXIT.done;
}

export async function deleteLocal(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const gone = await withHost(terminal.io, flags, ({ services }) => services.localModels.installed.remove(id));
  reportDone(terminal.say('kept.deleted', { title: oneLine(id) }), gone, { flags, terminal });
  return EXIT.done;
}

/** The local engines, with their loaded and available models. */
export async function listRuntimes(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const rows = await withHost(io, flags, ({ services }) => services.localRuntimes.list());
  const cells = ({ runtimeId, state, models, reason }: RuntimeView) => [
    { text: runtimeId, paint: style.accent },
    { text: say(`local.${state}`), paint: state === 'observed' ? style.success : style.muted },
    { text: say('local.models', { count: models.length }) },
    { text: oneLine(reason), paint: style.muted },
  ];
  show({ name: 'runtimes', rows, empty: '', cells }, flags, terminal);
  return EXIT.done;
}

/**
 * For an engine that is a separate program: ours lives as long as the command that uses it, and loads automatically.
 */
export async function loadLocal(flags: Flags, [model = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const runtimeId = runtimeOf(flags);
  const loaded = await withHost(terminal.io, flags, ({ services }) =>
    services.localRuntimes.load({ runtimeId, modelId: model, ...contextOf(flags) }),
  );
  reportDone(terminal.say('local.loaded', { model: oneLine(model) }), loaded, { flags, terminal });
  return EXIT.done;
}

export async function unloadLocal(flags: Flags, [model = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const runtimeId = runtimeOf(flags);
  const unloaded = await withHost(terminal.io, flags, ({ services }) =>
    services.localRuntimes.unload({ runtimeId, modelId: model }),
  );
  reportDone(terminal.say('local.unloaded', { model: oneLine(model) }), unloaded, { flags, terminal });
  return EXIT.done;
}

function runtimeOf({ runtime }: Flags): string {
  return typeof runtime === 'string' ? runtime : 'ollama';
}

function contextOf({ context }: Flags): { contextTokens?: number } {
  return typeof context === 'number' ? { contextTokens: context } : {};
}

/** The same bytes, with progress reports. */
async function* watched(source: AsyncIterable<Uint8Array>, see: (done: number) => void): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of source) {
    see((done += chunk.length));
    yield chunk;
  }
}
