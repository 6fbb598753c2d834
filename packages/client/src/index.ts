export { ApiError, type ApiErrorBody, OFFLINE } from './api-error.ts';
export { type Client, type ClientOptions, createClient, type Decision } from './client.ts';
export type { EventsOptions } from './events.ts';
export type {
  Answer,
  BinaryBody,
  JsonPath,
  Method,
  OperationOptions,
  OperationPath,
  Schemas,
  SessionEvent,
} from './operations.ts';
