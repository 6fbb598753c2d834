import { resolve } from 'node:path';
import { cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { RULE_KEYS, readConfig } from '../config/config.ts';
import { changeKey, migrateFile, withSettingsLock } from '../config/edit-file.ts';
import { CONFIG_KEYS, type KeyRule } from '../config/keys.ts';
import { ruleSentence, unreadable } from '../config/rule-problems.ts';
import { type SettingsPlace, settingsPaths } from '../config/settings-paths.ts';
import { setTrust } from '../config/trust.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { ignoredRows } from './config.ts';
import { placesOf, refuseUnknown } from './config-scope.ts';

/** Writes the user's own file unless --scope names another. */
export async function configSet(flags: CommonFlags, [key = '', text = '']: string[], terminal: Terminal) {
  const { out, err, say } = terminal;
  const rule = CONFIG_KEYS.get(key);
  if (!rule || key === 'version') return refuseUnknown(key, terminal);
  const { scope = 'user' } = flags;
  if (!rule.scopes.includes(scope)) {
    err(`fucina: ${say('config.not-in-scope', { key, scope, allowed: rule.scopes.join(', ') })}`);
    return EXIT.usage;
  }
  const value = valueFrom(text, rule);
  if (value === undefined) {
    err(`fucina: ${say('config.bad-value', { key, allowed: rule.type })}`);
    return EXIT.usage;
  }
  const [bad] = RULE_KEYS.includes(key) ? await unreadable(key, value as string[]) : [];
  if (bad) {
    err(`fucina: ${ruleSentence(bad, say)}`);
    return EXIT.usage;
  }
  const [place] = placesOf({ scope }, terminal);
  if (!place) return EXIT.usage;
  await withSettingsLock(terminal.io, () => changeKey(place, key, value));
  if (flags.json) out(JSON.stringify({ key, value, scope, file: place.path }));
  else out(say('config.written', { key, file: cleanText(place.path) }));
  return EXIT.done;
}

/** Undefined when it is not a valid value of this key. */
function valueFrom(text: string, rule: KeyRule): unknown {
  let value: unknown = text;
  if (!rule.isWord) {
    try {
      value = JSON.parse(text);
    } catch {
      // Invalid JSON is not a valid value of a key that needs JSON.
      return undefined;
    }
  }
  return rule.fits(value) ? value : undefined;
}

/** Exit 1 when the key was not in the file. */
export async function configUnset(flags: CommonFlags, [key = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { out, say } = terminal;
  if (key === 'version') return refuseUnknown(key, terminal);
  const { scope = 'user' } = flags;
  const [place] = placesOf({ scope }, terminal);
  if (!place) return EXIT.usage;
  const isRemoved = await withSettingsLock(terminal.io, () => changeKey(place, key, undefined));
  if (flags.json) out(JSON.stringify({ key, scope, file: place.path, removed: isRemoved }));
  else out(say(isRemoved ? 'config.removed' : 'config.was-not-there', { key, file: cleanText(place.path) }));
  return isRemoved ? EXIT.done : EXIT.failed;
}

export async function configMigrate(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { out, say } = terminal;
  const files: { scope: string; file: string; copy: string | null }[] = [];
  for (const place of placesOf(flags, terminal)) {
    const { copy } = await withSettingsLock(terminal.io, () => migrateFile(place));
    if (copy !== undefined) files.push({ scope: place.scope, file: place.path, copy });
  }
  if (flags.json) out(JSON.stringify({ migrated: files }));
  else if (files.length === 0) out(say('config.nothing-to-migrate'));
  else
    for (const { file, copy } of files)
      out(say('config.migrated', { file: cleanText(file), copy: cleanText(copy ?? '') }));
  return EXIT.done;
}

/** Lets a project's file, as it is now, say what only a trusted one may; another content is not trusted. */
export async function configTrust(flags: CommonFlags, [folder = '.']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, err, say } = terminal;
  const dir = resolve(io.cwd, folder);
  const { leftOut, files } = readConfig(io, dir);
  const place = projectPlace(terminal, dir);
  const digest = files.find(({ scope }) => scope === 'project')?.digest;
  if (digest === undefined) {
    err(`fucina: ${say('config.nothing-to-trust', { file: cleanText(place.path) })}`);
    return EXIT.failed;
  }
  await withSettingsLock(io, () => setTrust(io, dir, digest));
  const gained = leftOut.filter(({ because }) => because === 'untrusted');
  if (flags.json) {
    out(JSON.stringify({ file: place.path, trusted: true, gained: ignoredRows({ leftOut: gained }) }));
    return EXIT.done;
  }
  out(say('config.now-trusted', { file: cleanText(place.path) }));
  for (const { key, value } of gained) out(`  ${key}  ${cleanText(JSON.stringify(value))}`);
  return EXIT.done;
}

export async function configUntrust(flags: CommonFlags, [folder = '.']: string[], terminal: Terminal) {
  const { io, out, say } = terminal;
  const dir = resolve(io.cwd, folder);
  const file = projectPlace(terminal, dir).path;
  const wasTrusted = await withSettingsLock(io, () => setTrust(io, dir, undefined));
  if (flags.json) out(JSON.stringify({ file, trusted: false, wasTrusted }));
  else out(say(wasTrusted ? 'config.no-longer-trusted' : 'config.was-not-trusted', { file: cleanText(file) }));
  return EXIT.done;
}

function projectPlace({ io }: Terminal, dir: string): SettingsPlace {
  const place = settingsPaths(io, dir).find(({ scope }) => scope === 'project');
  if (!place) throw new Error('the project scope has no place');
  return place;
}
