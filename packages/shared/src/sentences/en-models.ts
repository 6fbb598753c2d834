import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const MODELS_EN = {
  CANCELLED_BY_OWNER: [
    'Download cancelled',
    'You cancelled this download, so it cannot be resumed.',
    'Start it again from the model hub.',
  ],
  CHECKSUM_MISMATCH: [
    'Downloaded file does not match',
    'The downloaded file is different from the one announced, so it is not used.',
    'Download the model again.',
  ],
  FIT_INVALID: [
    'Fit values not valid',
    'The use or the context length given cannot be assessed.',
    'Choose one of the uses offered and a valid context length.',
  ],
  LOCAL_IMPORT_EMPTY: ['Empty file', 'The model file holds nothing.', 'Choose another file.'],
  LOCAL_IMPORT_INVALID: [
    'Import not valid',
    'The file’s name or the import’s details cannot be used.',
    'Choose a model file with a simple name and try again.',
  ],
  LOCAL_IMPORT_NOT_GGUF: ['Not a GGUF model', 'The file’s content is not that of a GGUF model.', 'Choose a GGUF file.'],
  LOCAL_IMPORT_SIZE_MISMATCH: [
    'Import incomplete',
    'The file that arrived does not have the size announced.',
    'Import the file again.',
  ],
  LOCAL_IMPORT_TOO_LARGE: [
    'Model too large',
    'The file is larger than what can be imported.',
    'Choose a smaller model.',
  ],
  LOCAL_RUNTIME_FAILED: [
    'The local engine stopped',
    'The local engine did not complete the operation.',
    'Try again, or choose a smaller model.',
  ],
  LOCAL_RUNTIME_PROBE_MISCONFIGURED: [
    'Engine check not set up',
    'The check of what the computer can do is not set up correctly.',
    'Check the local engine’s settings and start Fucina again.',
  ],
  MODEL_FILE_UNREADABLE: [
    'Model file not readable',
    'The model’s file cannot be read from the disk.',
    'Check the file’s permissions, or download the model again.',
  ],
  MODEL_HEADER_INVALID: [
    'Model in an unsuitable format',
    'The first part of the file does not describe a model that can be used.',
    'Choose another version of the model.',
  ],
  MODEL_HEADER_UNREADABLE: [
    'Model description not readable',
    'The description held in the model’s file cannot be read.',
    'Check the file, or download the model again.',
  ],
  MODEL_LOAD_UNCONFIRMED: [
    'Load not confirmed',
    'The engine did not confirm that it loaded the model.',
    'Refresh the engine’s state and try again.',
  ],
  MODEL_NOT_COMPATIBLE: [
    'Model not suitable for this computer',
    'By the estimate, this model cannot run here.',
    'Choose a smaller model or a shorter context.',
  ],
  MODEL_NOT_FOUND: [
    'Model not found',
    'The provider does not offer this model, or it is not installed.',
    'Choose another model, or download it.',
  ],
  MODEL_NOT_READY: [
    'Model not ready',
    'The model is not complete and verified yet.',
    'Wait for the download to end, or resume it.',
  ],
  MODEL_UNLOAD_UNCONFIRMED: [
    'Unload not confirmed',
    'The engine did not confirm that it let go of the model.',
    'Refresh the engine’s state and try again.',
  ],
  PAUSED_BY_OWNER: ['Download paused', 'You paused this download.', 'Resume it whenever you like.'],
  PROBE_CONSENT_REQUIRED: [
    'Your consent is needed',
    'The trial really loads the model and uses this computer, so it has to be accepted.',
    'Accept the trial and start it again.',
  ],
  PROBE_GENERATION_FAILED: [
    'Model trial did not succeed',
    'The model could not generate the short trial answer.',
    'Try again, or choose another model.',
  ],
  PROBE_GENERATION_INCOMPLETE: [
    'Model trial incomplete',
    'The trial answer stopped before its end.',
    'Try again with other programs closed.',
  ],
  RUNTIME_ALREADY_RUNNING: [
    'The engine is already in use',
    'The local engine is already at work, or the chosen model is loaded.',
    'Unload the model from the engine and try again.',
  ],
  RUNTIME_NOT_AVAILABLE: [
    'Local engine not running',
    'The local engine is not running.',
    'Load a model and try again.',
  ],
  RUNTIME_OPERATION_UNSUPPORTED: [
    'Action not offered by the engine',
    'This engine does not allow the action that was asked.',
    'Do it from the engine’s own program.',
  ],
  RUNTIME_PROBE_FAILED: [
    'Computer check did not succeed',
    'What this computer can do could not be worked out.',
    'Try again, or open the diagnosis.',
  ],
  RUNTIME_UNREACHABLE: [
    'Engine out of reach',
    'The model engine does not answer at its address.',
    'Start the engine and check the address, then try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
