import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const MODELS_EN = {
  CANCELLED_BY_OWNER: [
    'Download cancelled',
    'You cancelled this download, so it cannot be resumed.',
    'Start it again from the model hub.',
  ],
  CHECKSUM_MISMATCH: [
    'Checksum mismatch',
    'The downloaded file does not match its expected checksum, so it cannot be used.',
    'Download the model again.',
  ],
  FIT_INVALID: [
    'Invalid values for the fit check',
    'The use case or the context length is not valid.',
    'Choose one of the listed use cases and a valid context length.',
  ],
  LOCAL_IMPORT_EMPTY: ['Empty file', 'The model file is empty.', 'Choose another file.'],
  LOCAL_IMPORT_INVALID: [
    'Invalid import',
    'The file name or the import’s details are not valid.',
    'Choose a model file with a simple name and try again.',
  ],
  LOCAL_IMPORT_NOT_GGUF: ['Not a GGUF model', 'The file is not a GGUF model.', 'Choose a GGUF file.'],
  LOCAL_IMPORT_SIZE_MISMATCH: [
    'Import incomplete',
    'The received file does not have the announced size.',
    'Import the file again.',
  ],
  LOCAL_IMPORT_TOO_LARGE: ['Model too large', 'The file is larger than the import limit.', 'Choose a smaller model.'],
  LOCAL_RUNTIME_FAILED: [
    'The local engine stopped',
    'The local engine stopped before it completed the operation.',
    'Try again, or choose a smaller model.',
  ],
  LOCAL_RUNTIME_PROBE_MISCONFIGURED: [
    'Hardware check not configured',
    'The hardware check is not configured correctly.',
    'Check the local engine’s settings and restart Fucina.',
  ],
  MODEL_FILE_UNREADABLE: [
    'Model file not readable',
    'The model’s file cannot be read from the disk.',
    'Check the file’s permissions, or download the model again.',
  ],
  MODEL_HEADER_INVALID: [
    'Model format not supported',
    'The file’s header does not describe a supported model.',
    'Choose another version of the model.',
  ],
  MODEL_HEADER_UNREADABLE: [
    'Model header not readable',
    'The header of the model file cannot be read.',
    'Check the file, or download the model again.',
  ],
  MODEL_LOAD_UNCONFIRMED: [
    'Load not confirmed',
    'The engine did not confirm that the model is loaded.',
    'Refresh the engine’s state and try again.',
  ],
  MODEL_NOT_COMPATIBLE: [
    'Model does not fit this computer',
    'This model is estimated not to run on this computer.',
    'Choose a smaller model or a shorter context.',
  ],
  MODEL_NOT_FOUND: [
    'Model not found',
    'The provider does not offer this model, or it is not installed.',
    'Choose another model, or download this one.',
  ],
  MODEL_NOT_READY: [
    'Model not ready',
    'The model is not fully downloaded and verified yet.',
    'Wait for the download to finish, or resume it.',
  ],
  MODEL_UNLOAD_UNCONFIRMED: [
    'Unload not confirmed',
    'The engine did not confirm that the model is unloaded.',
    'Refresh the engine’s state and try again.',
  ],
  PAUSED_BY_OWNER: ['Download paused', 'You paused this download.', 'Resume it when you want.'],
  PROBE_CONSENT_REQUIRED: [
    'Consent required',
    'The test loads the model and uses this computer’s resources, so it needs your consent.',
    'Accept the test and start it again.',
  ],
  PROBE_GENERATION_FAILED: [
    'Model test failed',
    'The model could not generate the short test response.',
    'Try again, or choose another model.',
  ],
  PROBE_GENERATION_INCOMPLETE: [
    'Model test incomplete',
    'The test response stopped before it was complete.',
    'Close other programs and try again.',
  ],
  RUNTIME_ALREADY_RUNNING: [
    'Engine already running',
    'The local engine is busy, or the model is already loaded.',
    'Unload the model and try again.',
  ],
  RUNTIME_NOT_AVAILABLE: [
    'Local engine not running',
    'The local engine is not running.',
    'Load a model and try again.',
  ],
  RUNTIME_OPERATION_UNSUPPORTED: [
    'Action not supported by the engine',
    'This engine does not support this action.',
    'Use the engine’s own program.',
  ],
  RUNTIME_PROBE_FAILED: [
    'Hardware check failed',
    'Fucina could not detect this computer’s capabilities.',
    'Try again, or open Settings → Health.',
  ],
  RUNTIME_UNREACHABLE: [
    'Engine not reachable',
    'The model engine does not respond at its address.',
    'Start the engine and check the address, then try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
