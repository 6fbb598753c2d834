import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const PROVIDERS_EN = {
  AGGREGATOR_ENDPOINTS_UNAVAILABLE: [
    'Providers not available',
    'The aggregator did not return the providers of this model.',
    'Try again shortly.',
  ],
  AGGREGATOR_PROVIDER_NOT_FOUND: [
    'Provider not found',
    'The aggregator does not have this provider.',
    'Choose a provider from the list.',
  ],
  CATALOG_CONFIGURATION_REQUIRED: [
    'Provider not configured',
    'A setting needed to list this provider’s models is missing.',
    'Complete the provider’s settings and try again.',
  ],
  CATALOG_UNREACHABLE: [
    'Model list not reachable',
    'The provider did not respond to the request for its models.',
    'Check the network and the address, then try again.',
  ],
  CATALOG_UPSTREAM_ERROR: [
    'Model list not available',
    'The provider returned an error instead of its models.',
    'Try again shortly, or check the key.',
  ],
  OAUTH_ATTESA_IGNOTA: [
    'Sign-in request no longer valid',
    'This sign-in request has expired or has already been used.',
    'Start the sign-in again from the settings.',
  ],
  OAUTH_CODICE_MANCANTE: [
    'Sign-in code missing',
    'The code that confirms the sign-in was not received.',
    'Start the sign-in again and complete the confirmation in the browser.',
  ],
  OAUTH_CUSTODIA_FALLITA: [
    'Key received but not saved',
    'You signed in, but the key store could not save the key.',
    'Unlock the key store and sign in again.',
  ],
  OAUTH_NON_CONFIGURATO: [
    'Sign-in not available',
    'Fucina was started without sign-in for this provider.',
    'Add the key in the provider’s settings.',
  ],
  OAUTH_RETE: [
    'Network error during sign-in',
    'The provider could not be reached to complete the sign-in.',
    'Check the network and sign in again.',
  ],
  OAUTH_RISPOSTA_INATTESA: [
    'Unexpected response from the provider',
    'The provider’s response did not contain a key.',
    'Sign in again, or add the key yourself.',
  ],
  OAUTH_SCAMBIO_RIFIUTATO: [
    'Sign-in refused',
    'The provider did not accept the sign-in code.',
    'Start the sign-in again from the settings.',
  ],
  PROVIDER_FALLBACK_INVALID: [
    'Invalid fallback',
    'The provider or model chosen as a fallback cannot be used.',
    'Choose a fallback from the list.',
  ],
  PROVIDER_FALLBACK_TOOLS_UNSUPPORTED: [
    'Fallback without tools',
    'The session uses tools, and the fallback model does not list tool support.',
    'Choose a fallback model that supports tools.',
  ],
  PROVIDER_INVALID: [
    'Invalid provider',
    'This provider is unknown, or does not support this action.',
    'Choose a provider from the list.',
  ],
  PROVIDER_KEY_INVALID: [
    'Invalid key',
    'The key’s format is not valid.',
    'Copy the key again from the provider’s site and paste it.',
  ],
  PROVIDER_KEY_NOT_FOUND: ['Key not found', 'This key is not saved.', 'Refresh the list of keys.'],
  PROVIDER_KEY_REQUIRED: ['Key required', 'This provider needs a key.', 'Add the key in the provider’s settings.'],
  PROVIDER_POOL_FULL: [
    'Too many keys',
    'This provider has reached its maximum number of keys.',
    'Remove a key you no longer need and try again.',
  ],
  PROVIDER_RUNTIME_INVALID: [
    'Invalid provider settings',
    'The provider’s address or timeout is missing or not valid.',
    'Correct the address and the timeout, then try again.',
  ],
  PROVIDER_RUNTIME_UNAVAILABLE: [
    'Provider not available',
    'The provider cannot be used right now. Its key may be missing, or its settings cannot be read.',
    'Check the provider’s settings and try again.',
  ],
  PROVIDER_SETTINGS_ORIGIN_FORBIDDEN: [
    'Change settings in the window',
    'Provider settings can be changed only from the Fucina window.',
    'Change the settings in the window.',
  ],
  PROVIDER_STORE_UNAVAILABLE: [
    'Key store not available',
    'The computer’s key store cannot be opened, so keys cannot be read or saved.',
    'Unlock the key store, or open Settings → Health to see what is missing.',
  ],
  SEARCH_BLOCKED: [
    'Search blocked',
    'The search source rejected the request.',
    'Try again later or choose another source.',
  ],
  SEARCH_ENDPOINT_INVALID: [
    'Invalid search address',
    'The search source’s address is missing or not valid.',
    'Correct the address and try again.',
  ],
  SEARCH_FAILED: [
    'Search failed',
    'The search source returned no usable results.',
    'Try again or choose another source.',
  ],
  SEARCH_KEY_INVALID: [
    'Invalid search key',
    'The format of the search source’s key is not valid.',
    'Copy the key again and paste it.',
  ],
  SEARCH_KEY_REQUIRED: ['Search key required', 'This search source needs a key.', 'Enter the source’s key.'],
  SEARCH_NOT_READY: [
    'Search source not ready',
    'This search source has no key or no address yet.',
    'Complete the source’s settings and select it again.',
  ],
  SEARCH_SOURCE_INVALID: [
    'Unknown search source',
    'This search source does not exist.',
    'Choose a source from the list.',
  ],
  SEARCH_STORE_UNAVAILABLE: [
    'Search settings not available',
    'The search settings cannot be read or saved.',
    'Unlock the key store and check the free space, then try again.',
  ],
  SEARCH_UNREACHABLE: [
    'Search source not reachable',
    'The search source did not respond.',
    'Check the network and the source’s address, then try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
