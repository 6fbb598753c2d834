export { ApiError, type ApiErrorBody, OFFLINE } from './api-error.ts';
export { type Calls, type ClientOptions, createCalls } from './calls.ts';
export { type Client, createClient, type Decision } from './client.ts';
export type { EventsOptions } from './events.ts';
export {
  type Answer,
  type BinaryBody,
  type Frame,
  type JsonPath,
  type Method,
  type OperationOptions,
  type OperationPath,
  PREFIX,
  type Schemas,
  type SessionEvent,
} from './operations.ts';
