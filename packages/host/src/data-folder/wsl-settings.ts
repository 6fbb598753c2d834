import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineErrors, systemCode, writeFileAtomically } from '@fucina/shared';

/** The user's choice about WSL, and its state here. */
export interface WslView {
  /** Commands in WSL run as its regular user instead of its default one. */
  usesNormalUser: boolean;
  /** This release does not run commands in WSL on any system. */
  isAvailable: false;
}

/** WSL_STORE_UNAVAILABLE when the choice cannot be read or saved. */
export interface WslSettings {
  read(): Promise<WslView>;
  choose(usesNormalUser: boolean): Promise<WslView>;
}

const FILE = 'wsl.json';
const wslError = defineErrors('WSL_STORE_UNAVAILABLE');

export function createWslSettings(dataDir: string): WslSettings {
  const file = join(dataDir, FILE);
  const read = async (): Promise<WslView> => ({
    usesNormalUser: parseChoice(await readChoice(file)),
    isAvailable: false,
  });
  return {
    read,
    async choose(usesNormalUser) {
      // A damaged file is not overwritten.
      await read();
      try {
        await writeFileAtomically(file, `${JSON.stringify({ usesNormalUser })}\n`);
      } catch (cause) {
        throw wslError('WSL_STORE_UNAVAILABLE', { cause });
      }
      return read();
    },
  };
}

async function readChoice(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw wslError('WSL_STORE_UNAVAILABLE', { cause });
  }
}

function parseChoice(text: string | undefined): boolean {
  if (text === undefined) return false;
  const choice = parsed(text) as { usesNormalUser?: unknown } | null;
  if (typeof choice?.usesNormalUser === 'boolean') return choice.usesNormalUser;
  throw wslError('WSL_STORE_UNAVAILABLE', { details: { file: FILE } });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wslError('WSL_STORE_UNAVAILABLE', { cause });
  }
}
