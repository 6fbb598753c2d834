import type { Ambient } from '@fucina/shared';
import { type DoctorCheck, type DoctorReport, examine } from './doctor.ts';
import { diagnosticsError } from './errors.ts';
import { createHelp, type Help } from './help/help.ts';
import { createProblems, type Problems } from './problems.ts';

/**
 * The configuration for a first-run screen. Never contains a key; a broken key store means "not ready", not an error.
 */
export interface SetupState {
  isIntroOff: boolean;
  withKey: string[];
  withAddress: string[];
  hasExternalAgent: boolean;
  isLocalConfigured: boolean;
  projectFolders: number;
}

export interface DiagnosticsNeeds {
  ambient: Ambient;
  version: string;
  checks: ReadonlyMap<string, DoctorCheck>;
  setup(): Promise<SetupState>;
  /** Absolute path of the help pages, one folder per language; without it help finds nothing. */
  helpDir?: string;
}

export interface Diagnostics {
  problems: Problems;
  help: Help;
  doctor(): Promise<DoctorReport>;
  /** Throws REPORT_UNAVAILABLE when it cannot be created. `isProviderReady`: at least one model is reachable. */
  setupState(): Promise<SetupView>;
}

export type SetupView = SetupState & { isProviderReady: boolean };

export function createDiagnostics({ ambient, version, checks, setup, helpDir }: DiagnosticsNeeds): Diagnostics {
  return {
    problems: createProblems(),
    help: createHelp({ helpDir }),
    doctor: () => examine({ ambient, version, checks }),
    async setupState() {
      const state = await readSetup(setup);
      const { withKey, withAddress, hasExternalAgent, isLocalConfigured } = state;
      const isProviderReady = withKey.length > 0 || withAddress.length > 0 || hasExternalAgent || isLocalConfigured;
      return { ...state, isProviderReady };
    },
  };
}

async function readSetup(setup: () => Promise<SetupState>): Promise<SetupState> {
  try {
    return await setup();
  } catch (cause) {
    throw diagnosticsError('REPORT_UNAVAILABLE', { cause });
  }
}
