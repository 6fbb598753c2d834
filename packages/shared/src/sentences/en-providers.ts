import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const PROVIDERS_EN = {
  AGGREGATOR_ENDPOINTS_UNAVAILABLE: [
    'List of providers not received',
    'The aggregator did not say which providers serve this model.',
    'Try again shortly.',
  ],
  AGGREGATOR_PROVIDER_NOT_FOUND: [
    'Provider not found',
    'The one named is not among the aggregator’s providers.',
    'Choose a provider from the list.',
  ],
  CATALOG_CONFIGURATION_REQUIRED: [
    'Provider to be set up',
    'A setting is missing to read this provider’s models.',
    'Complete the provider’s settings and try again.',
  ],
  CATALOG_UNREACHABLE: [
    'List of models out of reach',
    'The provider did not answer when asked for its list of models.',
    'Check the network and the address, then try again.',
  ],
  CATALOG_UPSTREAM_ERROR: [
    'List of models not received',
    'The provider answered with an error instead of its list of models.',
    'Try again shortly, or check the key.',
  ],
  OAUTH_ATTESA_IGNOTA: [
    'Sign-in request no longer valid',
    'This sign-in request has expired or has already been used.',
    'Start the sign-in again from the settings.',
  ],
  OAUTH_CODICE_MANCANTE: [
    'The sign-in code is missing',
    'The code that confirms the sign-in did not arrive.',
    'Start the sign-in again and complete the confirmation in the browser.',
  ],
  OAUTH_CUSTODIA_FALLITA: [
    'Key received but not saved',
    'The sign-in worked, but the key store could not keep the key.',
    'Unlock the key store and sign in again.',
  ],
  OAUTH_NON_CONFIGURATO: [
    'Sign-in not available',
    'Signing in with the provider is not active in this start of Fucina.',
    'Add the key by hand in the provider’s settings.',
  ],
  OAUTH_RETE: [
    'Network not reached during sign-in',
    'The provider could not be reached to complete the sign-in.',
    'Check the network and sign in again.',
  ],
  OAUTH_RISPOSTA_INATTESA: [
    'Unexpected answer from the provider',
    'The provider answered without giving the expected key.',
    'Sign in again, or add the key by hand.',
  ],
  OAUTH_SCAMBIO_RIFIUTATO: [
    'Sign-in refused',
    'The provider did not accept the sign-in code.',
    'Start the sign-in again from the settings.',
  ],
  PROVIDER_FALLBACK_INVALID: [
    'Fallback not valid',
    'The provider or model chosen as a fallback cannot be used.',
    'Choose a fallback from the list.',
  ],
  PROVIDER_FALLBACK_TOOLS_UNSUPPORTED: [
    'Fallback without tools',
    'The session uses tools and the fallback model does not declare that it can use them.',
    'Choose a fallback model that can use tools.',
  ],
  PROVIDER_INVALID: [
    'Provider not valid',
    'This provider is not among those known, or does not allow this action.',
    'Choose a provider from the list.',
  ],
  PROVIDER_KEY_INVALID: [
    'Key not valid',
    'The key is in a form that cannot be used.',
    'Copy the key again from the provider’s site and paste it.',
  ],
  PROVIDER_KEY_NOT_FOUND: ['Key not found', 'This key is not among those saved.', 'Refresh the list of keys.'],
  PROVIDER_KEY_REQUIRED: [
    'The key is missing',
    'A key is needed to use this provider.',
    'Add the key in the provider’s settings.',
  ],
  PROVIDER_POOL_FULL: [
    'Too many keys',
    'This provider already has the largest number of keys it can hold.',
    'Remove a key you no longer need and try again.',
  ],
  PROVIDER_RUNTIME_INVALID: [
    'Provider settings not valid',
    'The provider’s address or waiting time is missing, or cannot be used.',
    'Correct the address and the waiting time, then try again.',
  ],
  PROVIDER_RUNTIME_UNAVAILABLE: [
    'Provider cannot be used',
    'The provider cannot be used right now: the key may be missing, or its settings cannot be read.',
    'Check the provider’s settings and try again.',
  ],
  PROVIDER_SETTINGS_ORIGIN_FORBIDDEN: [
    'Settings are changed in the window',
    'Provider settings can be changed only from the Fucina window.',
    'Open the settings in the window and repeat from there.',
  ],
  PROVIDER_STORE_UNAVAILABLE: [
    'Key store not available',
    'The computer’s key store cannot be opened, so keys cannot be read or saved.',
    'Unlock the key store, or open the diagnosis to see what is missing.',
  ],
  SEARCH_BLOCKED: [
    'Search blocked',
    'The search source turned the request away.',
    'Try again later or choose another source.',
  ],
  SEARCH_ENDPOINT_INVALID: [
    'Search address not valid',
    'The search source’s address is missing, or cannot be used.',
    'Correct the address and try again.',
  ],
  SEARCH_FAILED: [
    'Search did not succeed',
    'The search source gave no results that can be used.',
    'Try again or choose another source.',
  ],
  SEARCH_KEY_INVALID: [
    'Search key not valid',
    'The search source’s key is in a form that cannot be used.',
    'Copy the key again and paste it.',
  ],
  SEARCH_KEY_REQUIRED: ['The search key is missing', 'This search source needs a key.', 'Enter the source’s key.'],
  SEARCH_NOT_READY: [
    'Search source not ready',
    'This source still lacks its key or its address.',
    'Complete the source’s settings and choose it again.',
  ],
  SEARCH_SOURCE_INVALID: [
    'Search source not valid',
    'The search source named is not one of those available.',
    'Choose a source from the list.',
  ],
  SEARCH_STORE_UNAVAILABLE: [
    'Search settings not available',
    'The search settings cannot be read or saved.',
    'Unlock the key store and check the free space, then try again.',
  ],
  SEARCH_UNREACHABLE: [
    'Search source out of reach',
    'The search source did not answer.',
    'Check the network and the source’s address, then try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
