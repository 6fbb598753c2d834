import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const HUB_EN = {
  HUB_DOWNLOAD_FAILED: [
    'Download did not succeed',
    'The model was not downloaded in full.',
    'Check the network and resume the download.',
  ],
  HUB_HUB_INVALID: [
    'Hub request not valid',
    'The request to the model hub cannot be carried out as it is.',
    'Correct the search, or choose a model from the list.',
  ],
  HUB_HUB_RESPONSE_INVALID: [
    'Hub answer not recognised',
    'The model hub answered in an unexpected way.',
    'Try again shortly.',
  ],
  HUB_HUB_UPSTREAM: [
    'The model hub does not answer',
    'The model hub did not answer, or gave an error.',
    'Check the network and try again shortly.',
  ],
  HUB_IMAGE_ABORTED: [
    'Image did not arrive in time',
    'The image of the model’s page took too long and was dropped.',
    'Reload the model’s page.',
  ],
  HUB_IMAGE_CONFIG_INVALID: [
    'Images not set up',
    'The list of sites that images may come from is not valid.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_DNS_FAILED: [
    'Image site not found',
    'The name of the site that holds the image could not be found.',
    'Check the network and reload the page.',
  ],
  HUB_IMAGE_HOST_REJECTED: [
    'Image site not allowed',
    'The image is on a site that Fucina does not take images from.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_MIME_REJECTED: [
    'Not an image',
    'The address answers with something that is not an allowed image.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_PRIVATE_ADDRESS: [
    'Private address',
    'The image leads to an address of your private network, so it was not asked for.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_REDIRECT_REJECTED: [
    'Redirect not allowed',
    'The image’s site points to an address that Fucina does not follow.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_TOO_LARGE: [
    'Image too large',
    'The image is larger than what can be shown.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_IMAGE_UPSTREAM: [
    'Image not received',
    'The site that holds the image did not give it.',
    'Reload the model’s page later.',
  ],
  HUB_IMAGE_URL_INVALID: [
    'Image address not valid',
    'The image’s address cannot be used.',
    'Open the model’s page on the model hub’s site.',
  ],
  HUB_PATH_REJECTED: [
    'File name not allowed',
    'The model holds a file whose name cannot be saved safely.',
    'Choose another model.',
  ],
  HUB_RATE_LIMITED: [
    'Too many requests to the hub',
    'The model hub asks to slow down.',
    'Wait a few minutes and try again.',
  ],
  HUB_REDIRECT_HOST_REJECTED: [
    'Redirect to another site',
    'The model hub points to a site that Fucina does not download from.',
    'Choose another model, or import the file by hand.',
  ],
  HUB_REDIRECT_INVALID: [
    'Redirect not readable',
    'The model hub points to an address that cannot be read.',
    'Try again shortly.',
  ],
  HUB_REPOSITORY_GATED: [
    'Restricted model',
    'The model hub gives this model only to those who have been granted access.',
    'Choose an open model, or import the file by hand.',
  ],
  HUB_RESOLVE_INVALID: [
    'Model file cannot be verified',
    'The model hub does not give the size or fingerprint of a file, so it cannot be verified.',
    'Choose another version of the model.',
  ],
  HUB_TRANSFER_COLLISION: [
    'Model already there',
    'A model with the same name, from somewhere else, is already there.',
    'Use the one that is there, or delete it and try again.',
  ],
  HUB_TRANSFER_INVALID: [
    'Download not valid',
    'The details of the download are incomplete or do not add up.',
    'Choose the model again from the model hub.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
