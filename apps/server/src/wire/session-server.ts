import * as z from 'zod';

export const port = z.int().min(1).max(65_535);

/** English on the wire: it belongs to none of the document's operations. */
export const sessionServer = z
  .object({
    port: port.describe('port of the server in the network of the session'),
    openedAt: port.nullable().describe('port of 127.0.0.1 that leads to it; null while it is not open'),
    because: z
      .enum(['in-use', 'reserved'])
      .nullable()
      .describe('why it is opened at another port: its own is in use here, or programs expect another server there'),
  })
  .meta({ id: 'SessionServer' });
