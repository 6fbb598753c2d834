import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HUB_EN = {
  HUB_DOWNLOAD_FAILED: [
    'Download failed',
    'The model was not downloaded completely.',
    'Check the network and resume the download.',
  ],
  HUB_HUB_INVALID: [
    'Invalid hub request',
    'The request to the model hub is not valid.',
    'Change the search, or choose a model from the list.',
  ],
  HUB_HUB_RESPONSE_INVALID: [
    'Unexpected hub response',
    'The model hub returned a response that Fucina does not understand.',
    'Try again shortly.',
  ],
  HUB_HUB_UPSTREAM: [
    'Model hub not available',
    'The model hub did not respond, or returned an error.',
    'Check the network and try again shortly.',
  ],
  HUB_IMAGE_ABORTED: [
    'Image timed out',
    'The image on the model’s page took too long to load.',
    'Reload the model’s page.',
  ],
  HUB_IMAGE_CONFIG_INVALID: [
    'Image settings not valid',
    'The list of allowed image sites is not valid.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_DNS_FAILED: [
    'Image site not found',
    'The name of the image’s site could not be resolved.',
    'Check the network and reload the page.',
  ],
  HUB_IMAGE_HOST_REJECTED: [
    'Image site not allowed',
    'The image is on a site that is not in the allowed list.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_MIME_REJECTED: [
    'Not an image',
    'The address returned something other than a supported image.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_PRIVATE_ADDRESS: [
    'Private address',
    'The image points to an address in your private network, so it was not requested.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_REDIRECT_REJECTED: [
    'Redirect not allowed',
    'The image’s site redirects to an address that is not allowed.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_TOO_LARGE: [
    'Image too large',
    'The image is larger than the limit.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_UPSTREAM: [
    'Image not received',
    'The image’s site did not return the image.',
    'Reload the model’s page later.',
  ],
  HUB_IMAGE_URL_INVALID: [
    'Invalid image address',
    'The image’s address cannot be used.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_PATH_REJECTED: [
    'File name not allowed',
    'The model contains a file name that is not safe to save.',
    'Choose another model.',
  ],
  HUB_RATE_LIMITED: [
    'Too many requests to the hub',
    'The model hub is limiting requests.',
    'Wait a few minutes and try again.',
  ],
  HUB_REDIRECT_HOST_REJECTED: [
    'Redirect to another site',
    'The model hub redirects to a site that Fucina does not download from.',
    'Choose another model, or import the file by hand.',
  ],
  HUB_REDIRECT_INVALID: [
    'Invalid redirect',
    'The model hub redirects to an address that is not valid.',
    'Try again shortly.',
  ],
  HUB_REPOSITORY_GATED: [
    'Restricted model',
    'This model is only available to accounts that were granted access on the model hub.',
    'Choose an open model, or import the file by hand.',
  ],
  HUB_RESOLVE_INVALID: [
    'Model file cannot be verified',
    'The model hub does not publish the size or hash of a file, so it cannot be verified.',
    'Choose another version of the model.',
  ],
  HUB_TRANSFER_COLLISION: [
    'Model already exists',
    'A model with the same name from another source already exists.',
    'Use the existing model, or delete it and try again.',
  ],
  HUB_TRANSFER_INVALID: [
    'Invalid download',
    'The download’s details are incomplete or inconsistent.',
    'Choose the model again from the model hub.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
