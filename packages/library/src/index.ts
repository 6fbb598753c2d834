export { libraryError } from './errors.ts';
export type { Item } from './items/item-meta.ts';
export type { ItemContent, Items, NewItem } from './items/items.ts';
export type { Kept, ListOptions, Origin } from './keeping/kept-table.ts';
export type { Memories, Memory, MemoryKind } from './keeping/memories.ts';
export type { NoteFormat } from './keeping/note-format.ts';
export type { Note, Notes } from './keeping/notes.ts';
export type { Task, TaskPriority, TaskStatus, Tasks } from './keeping/tasks.ts';
export { createLibrary, type Library, type LibraryNeeds } from './library.ts';
export {
  EXPORT_FORMATS,
  EXPORT_TONES,
  type Exported,
  type ExportFormat,
  type ExportTone,
} from './research/exports/export.ts';
export type { ReportDocument } from './research/exports/report-document.ts';
export type { Recheck } from './research/recheck.ts';
export type { ResearchDetail, ResearchRow, ResearchRuns } from './research/runs.ts';
