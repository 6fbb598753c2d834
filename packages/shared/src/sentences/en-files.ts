import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const FILES_EN = {
  FILE_EXISTS: [
    'Name already taken',
    'This folder already holds a file or folder with the same name.',
    'Choose another name.',
  ],
  FILE_NOT_FOUND: [
    'File not found',
    'The file or folder is not there: it may have been moved or deleted.',
    'Refresh the list of files and choose again.',
  ],
  FILE_TOO_LARGE: [
    'File too large to show',
    'The file is larger than what can be previewed.',
    'Download the file or open it with another program.',
  ],
  LIBRARY_INVALID: [
    'Library request not valid',
    'The request about this library item cannot be carried out as it is.',
    'Choose the item again from the list.',
  ],
  LIBRARY_MALFORMED: [
    'Library not readable',
    'The data of a library item is damaged.',
    'Check the library folder and restore the damaged item.',
  ],
  LIBRARY_NAME_EMPTY: [
    'Empty name',
    'The name has no letter or digit left.',
    'Write a name with at least one letter or digit.',
  ],
  LIBRARY_NOT_FOUND: [
    'Item not found',
    'This library item is not there, or is there no longer.',
    'Refresh the library and choose again.',
  ],
  LIBRARY_READ_FAILED: [
    'Library could not be read',
    'The disk did not allow the library to be read.',
    'Check the folder’s permissions and try again.',
  ],
  LIBRARY_TOO_LARGE: [
    'Too large to download',
    'The library item is larger than what can be downloaded.',
    'Open the file directly from its folder.',
  ],
  MEMORY_INVALID: [
    'Memory not valid',
    'The memory’s title or text is empty, or too long.',
    'Correct the memory and save it again.',
  ],
  MEMORY_NOT_FOUND: [
    'Memory not found',
    'This memory is not there, or is there no longer.',
    'Refresh the list of memories.',
  ],
  NOTE_INVALID: [
    'Note not valid',
    'The note’s title or text is empty, or too long.',
    'Correct the note and save it again.',
  ],
  NOTE_NOT_FOUND: ['Note not found', 'This note is not there, or is there no longer.', 'Refresh the list of notes.'],
  PAGE_ORIGIN_FORBIDDEN: [
    'Pages are opened from the window',
    'The project’s pages can be opened only from the Fucina window.',
    'Open the page from the window.',
  ],
  RESEARCH_CONFLICT: [
    'Research in another state',
    'The research does not allow this action at this point.',
    'Refresh the research and see how far it has come.',
  ],
  RESEARCH_INVALID: [
    'Research request not valid',
    'The request holds a choice that research does not offer.',
    'Choose one of the values offered and try again.',
  ],
  RESEARCH_NOT_FOUND: [
    'Research not found',
    'This research is not there, or is there no longer.',
    'Refresh the list of researches.',
  ],
  RESEARCH_RECHECK_UNAVAILABLE: [
    'Research check not available',
    'The research cannot be checked or changed right now.',
    'Try again later.',
  ],
  TASK_INVALID: [
    'Task not valid',
    'The task’s title or another field is empty, too long or not one of those available.',
    'Correct the task and save it again.',
  ],
  TASK_NOT_FOUND: ['Task not found', 'This task is not there, or is there no longer.', 'Refresh the list of tasks.'],
  WORKSPACE_ALREADY_EXISTS: [
    'Folder already exists',
    'Something with the same name is already in this place.',
    'Choose another name.',
  ],
  WORKSPACE_LAUNCH_NOT_AVAILABLE: [
    'Launch no longer available',
    'The request to open this folder has expired or has already been used.',
    'Open the folder again from the program you started from.',
  ],
  WORKSPACE_LAUNCH_UNAUTHORIZED: [
    'Launch not authorised',
    'The program that wanted to open a folder did not show its secret.',
    'Choose the folder from the Fucina window.',
  ],
  WORKSPACE_NOT_AVAILABLE: [
    'Folder not available',
    'The folder is not there, cannot be read or cannot be chosen.',
    'Choose another folder or check its permissions.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
