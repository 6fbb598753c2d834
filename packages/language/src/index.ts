export type { Diagnostic, FileDiagnostics, Severity } from './diagnostic.ts';
export type { EditChecks, FileQuestion, SessionEdit } from './edit-checks.ts';
export { languageError } from './errors.ts';
export { createLanguage, type Language, type LanguageNeeds } from './language.ts';
export type { MappedSymbol } from './map/map-messages.ts';
export { createRepositoryMap, type RepositoryMap, type RepositoryMapNeeds } from './map/repository-map.ts';
export type { ServerState } from './server/running-server.ts';
export type { SandboxedProgram } from './server/server-process.ts';
export type { ProgramTrust, ServerRow, TrustedProgram, WatchedChange } from './servers.ts';
