export {
  createDiagnostics,
  type Diagnostics,
  type DiagnosticsNeeds,
  type SetupState,
  type SetupView,
} from './diagnostics.ts';
export type { DoctorCheck, DoctorReport, DoctorRow, RowState } from './doctor.ts';
export { diagnosticsError } from './errors.ts';
export type { Help, HelpAnswer, HelpLanguage } from './help/help.ts';
export type { Problem, Problems, RecordedProblem } from './problems.ts';
export { timeZonesRow } from './time-zones.ts';
