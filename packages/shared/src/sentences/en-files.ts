import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const FILES_EN = {
  FILE_EXISTS: [
    'Name already taken',
    'This folder already contains a file or folder with the same name.',
    'Choose another name.',
  ],
  FILE_NOT_FOUND: [
    'File not found',
    'The file or folder does not exist. It may have been moved or deleted.',
    'Refresh the list of files and choose again.',
  ],
  FILE_TOO_LARGE: [
    'File too large to show',
    'The file is larger than the preview limit.',
    'Download the file or open it with another program.',
  ],
  LIBRARY_INVALID: [
    'Invalid library request',
    'The request for this library item is not valid.',
    'Choose the item again from the list.',
  ],
  LIBRARY_MALFORMED: [
    'Library item damaged',
    'The data of a library item is damaged.',
    'Check the library folder and restore the damaged item.',
  ],
  LIBRARY_NAME_EMPTY: [
    'Empty name',
    'The name contains no letters or digits.',
    'Enter a name with at least one letter or digit.',
  ],
  LIBRARY_NOT_FOUND: [
    'Item not found',
    'This library item does not exist, or it was deleted.',
    'Refresh the library and choose again.',
  ],
  LIBRARY_READ_FAILED: [
    'Could not read the library',
    'Reading the library from disk failed.',
    'Check the folder’s permissions and try again.',
  ],
  LIBRARY_TOO_LARGE: [
    'Too large to download',
    'The library item is larger than the download limit.',
    'Open the file directly from its folder.',
  ],
  MEMORY_INVALID: [
    'Invalid memory',
    'The memory’s title or text is empty, or too long.',
    'Correct the memory and save it again.',
  ],
  MEMORY_NOT_FOUND: [
    'Memory not found',
    'This memory does not exist, or it was deleted.',
    'Refresh the list of memories.',
  ],
  NOTE_INVALID: [
    'Invalid note',
    'The note’s title or text is empty, or too long.',
    'Correct the note and save it again.',
  ],
  NOTE_NOT_FOUND: ['Note not found', 'This note does not exist, or it was deleted.', 'Refresh the list of notes.'],
  PAGE_ORIGIN_FORBIDDEN: [
    'Pages open only in the window',
    'Project pages can be opened only from the Fucina window.',
    'Open the page from the window.',
  ],
  RESEARCH_CONFLICT: [
    'Action not available for this research',
    'The research is in a state that does not allow this action.',
    'Refresh the research and check its status.',
  ],
  RESEARCH_INVALID: [
    'Invalid research request',
    'The request contains an option that research does not support.',
    'Choose one of the available options and try again.',
  ],
  RESEARCH_NOT_FOUND: [
    'Research not found',
    'This research does not exist, or it was deleted.',
    'Refresh the list of research reports.',
  ],
  RESEARCH_RECHECK_UNAVAILABLE: [
    'Research check not available',
    'The research cannot be checked or changed right now.',
    'Try again later.',
  ],
  TASK_INVALID: [
    'Invalid task',
    'The task’s title or another field is empty, too long or not supported.',
    'Correct the task and save it again.',
  ],
  TASK_NOT_FOUND: ['Task not found', 'This task does not exist, or it was deleted.', 'Refresh the list of tasks.'],
  WORKSPACE_ALREADY_EXISTS: [
    'Folder already exists',
    'A file or folder with the same name already exists here.',
    'Choose another name.',
  ],
  WORKSPACE_LAUNCH_NOT_AVAILABLE: [
    'Launch no longer available',
    'The request to open this folder has expired or has already been used.',
    'Open the folder again from the program you started from.',
  ],
  WORKSPACE_LAUNCH_UNAUTHORIZED: [
    'Launch not authorized',
    'The program that asked to open a folder did not send the launcher token.',
    'Choose the folder from the Fucina window.',
  ],
  WORKSPACE_NOT_AVAILABLE: [
    'Folder not available',
    'The folder does not exist, cannot be read or cannot be selected.',
    'Choose another folder or check its permissions.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
