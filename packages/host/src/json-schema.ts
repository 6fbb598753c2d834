// A door of its own: asked for by name, the whole library would come along, in all its languages.
export { toJSONSchema } from 'zod';
