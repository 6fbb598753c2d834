import type { Services } from '@fucina/host';
import { type Ambient, type AppError, commonError, defineErrors, type ErrorCode, isAppError } from '@fucina/shared';
import { askedHeaders, decodeInput, lastEventId } from './decode.ts';
import { languageOf } from './envelope.ts';
import type { Step } from './locals.ts';
import type { AnyOperation } from './operation.ts';
import { sendAnswer } from './send.ts';
import { asStoreRefusal, storeCodeOf } from './store-refusal.ts';

export interface RunNeeds {
  ambient: Ambient;
  services: Services;
  /** The stores are being closed: nothing is answered from them any more. */
  isClosing(): boolean;
  /** An operation returned an undeclared code: a bug. */
  onUndeclared(operation: string, code: ErrorCode): void;
}

const GATEWAY_CODES: readonly ErrorCode[] = [
  ...commonError.codes,
  'HOST_FORBIDDEN',
  'ORIGIN_FORBIDDEN',
  'SERVER_SHUTTING_DOWN',
  // Codes of operations that need a session, when the session store cannot be opened.
  'SESSION_STORE_AMBIGUOUS',
];

const closingError = defineErrors('SERVER_SHUTTING_DOWN');

/** The last step of a route: decode → one service call → encode → send. */
export function runOperation(load: () => Promise<AnyOperation>, needs: RunNeeds): Step {
  const { ambient, services, isClosing, onUndeclared } = needs;
  return async (request, response) => {
    const operation = await load();
    const { host, signal } = response.locals;
    try {
      if (isClosing()) throw closingError('SERVER_SHUTTING_DOWN');
      const { params, originalUrl: url, body } = request;
      const input = decodeInput(operation, { params, url, body });
      // Its GET consumes a secret, so HEAD must not call it.
      if (request.method === 'HEAD' && operation.answer.kind === 'page') return void response.writeHead(200).end();
      const handle = (): unknown =>
        operation.handle({
          ...input,
          services,
          get signal() {
            return signal();
          },
          asked: askedHeaders(request, operation),
          language: languageOf(request.headers['accept-language']),
          afterAnswer: (act) => void response.once('finish', () => setImmediate(act)),
          origin: `http://${host}`,
          returnOrigin: `http://${host.replace(/^[^:]+\.localhost/, '127.0.0.1')}`,
          nonce: () => ambient.randomBytes(16).toString('base64'),
          resumeAfter: operation.answer.kind === 'stream' ? lastEventId(request) : undefined,
        });
      const value: unknown = await (operation.makesRoom ? services.withReserve(handle) : handle());
      const headers = {
        ...operation.headersOf?.(value),
        ...(operation.location && { Location: `/api/v1${operation.location(value, input.params)}` }),
      };
      await sendAnswer({ request, response, ambient, signal }, { operation, value, headers });
    } catch (thrown) {
      // A store that was closed under a request fails in its own words.
      if (isClosing() && !isAppError(thrown)) throw closingError('SERVER_SHUTTING_DOWN', { cause: thrown });
      const error = asStoreRefusal(thrown, operation);
      if (isAppError(error) && !isDeclared(operation, error)) onUndeclared(operation.id, error.code);
      throw error;
    }
  };
}

function isDeclared(operation: AnyOperation, { code }: AppError): boolean {
  return operation.errors.includes(code) || GATEWAY_CODES.includes(code) || code === storeCodeOf(operation);
}
