export type { Attachment, Attachments, NewAttachment } from './attachments.ts';
export { filesError } from './errors.ts';
export { createFiles, type Files, type FilesNeeds } from './files.ts';
export type { FolderPortrait, GitFacts } from './portrait.ts';
export type { KnownFolder, Project, Projects } from './projects.ts';
export type { TaskTemplate, Templates } from './templates.ts';
export type { Download, FilePreview, Tree, TreeEntry } from './tree.ts';
export type { BrowsedFolder, ChosenFolder, RecommendedFolder, Workspace } from './workspace.ts';
