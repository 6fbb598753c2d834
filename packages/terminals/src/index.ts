export type { ControlEvent, Viewer, ViewerEnd } from './flow.ts';
export type { Attachment } from './terminal.ts';
export { createTerminals, type TerminalPlace, type TerminalRecord, type Terminals } from './terminals.ts';
