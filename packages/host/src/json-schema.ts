// A separate entry point: the package's main export would load the whole library with all its languages.
export { toJSONSchema } from 'zod';
