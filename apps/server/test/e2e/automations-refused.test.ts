import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { base, create, ended, going, legacy, made, post, proposed, refused, server } from '../automations-fixture.ts';
import { refuses, refusesEach } from '../covers.ts';
import { testServer } from '../harness.ts';

refusesEach(
  'AUTOMATION_ORIGIN_FORBIDDEN',
  [
    'automations.create',
    'automations.change',
    'automations.toggle',
    'automations.coordination',
    'automations.delete',
    'automations.run',
    'automations.stop',
    'automations.mark-read',
    'automations.decide-proposal',
  ],
  async (operation) => {
    const paths: Record<string, string> = {
      'automations.create': '',
      'automations.change': '/x/modifica',
      'automations.toggle': '/x/toggle',
      'automations.coordination': '/x/coordinazione',
      'automations.delete': '/x/elimina',
      'automations.run': '/x/esegui',
      'automations.stop': '/x/ferma',
      'automations.mark-read': '/x/runs/y/letta',
      'automations.decide-proposal': '/x/runs/y/proposta',
    };
    const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await server.call('POST', `/automations${paths[operation]}`, { headers })).toMatchObject(
      refused('AUTOMATION_ORIGIN_FORBIDDEN', 403),
    );
  },
);

const LONG = 'x'.repeat(201);

refuses('automations.create', 'AUTOMATION_INVALID', 'for an invalid value', async () => {
  const bad = [
    { nome: '' },
    { nome: 'x'.repeat(81) },
    { nome: 3 },
    { istruzioni: ' ' },
    { istruzioni: 'x'.repeat(20_001) },
    { permessi: 'Research' },
    { coordinazione: 'yes' },
    { ripeti: 0 },
    { ripeti: 1.5 },
    { modello: 'no model' },
    { cartella: '' },
  ];
  for (const fields of bad)
    expect([fields, await create(fields)]).toMatchObject([fields, refused('AUTOMATION_INVALID', 422)]);
  const { nome: _name, ...nameless } = base();
  expect(await server.call('POST', '/automations', { body: nameless })).toMatchObject(
    refused('AUTOMATION_INVALID', 422),
  );
  const old = { taskId: 'carrello-sconti', intervalloMinuti: 4 };
  expect(await server.call('POST', '/automations', { body: old })).toMatchObject(refused('AUTOMATION_INVALID', 422));
  for (const fields of [{ other: 1 }, { versione: 2 }, { taskId: 'carrello-sconti' }]) {
    expect(await create(fields)).toMatchObject(refused('QUERY_INVALID', 400));
  }
});

refuses('automations.change', 'AUTOMATION_INVALID', 'for an empty patch or an invalid value', async () => {
  const id = await made();
  for (const body of [{}, { nome: '' }, { ripeti: -1 }]) {
    expect(await post(id, 'modifica', body)).toMatchObject(refused('AUTOMATION_INVALID', 422));
  }
  expect(await post(id, 'modifica', { attiva: false })).toMatchObject(refused('QUERY_INVALID', 400));
});

refuses('automations.toggle', 'AUTOMATION_INVALID', 'for a value other than true and false', async () => {
  const id = await made();
  for (const attiva of ['true', 1, null]) {
    expect(await post(id, 'toggle', { attiva })).toMatchObject(refused('AUTOMATION_INVALID', 422));
  }
});

refuses('automations.coordination', 'AUTOMATION_INVALID', 'for a value other than true and false', async () => {
  expect(await post(await made(), 'coordinazione', { coordinazione: 1 })).toMatchObject(
    refused('AUTOMATION_INVALID', 422),
  );
});

refuses('automations.run', 'AUTOMATION_INVALID', 'for a context that is too long', async () => {
  const contesto = 'x'.repeat(4_001);
  expect(await post(await made(), 'esegui', { contesto })).toMatchObject(refused('AUTOMATION_INVALID', 422));
});

refusesEach(
  'AUTOMATION_INVALID',
  ['automations.delete', 'automations.stop', 'automations.mark-read'],
  async (operation) => {
    const act = { 'automations.delete': 'elimina', 'automations.stop': 'ferma' }[operation] ?? 'runs/x/letta';
    expect(await post(LONG, act)).toMatchObject(refused('AUTOMATION_INVALID', 422));
  },
);

refuses('automations.decide-proposal', 'AUTOMATION_INVALID', 'for an unknown decision', async () => {
  expect(await post('x', 'runs/y/proposta', { decisione: 'forse' })).toMatchObject(refused('AUTOMATION_INVALID', 422));
});

/** An invalid schedule and its error code, on creation and on change. */
async function refusedSchedules(code: string, schedules: readonly unknown[], operation: string): Promise<void> {
  const id = operation === 'automations.change' ? await made() : '';
  for (const pianificazione of schedules) {
    const reply = id ? await post(id, 'modifica', { pianificazione }) : await create({ pianificazione });
    expect([pianificazione, reply]).toMatchObject([pianificazione, refused(code, 422)]);
  }
}

refusesEach('AUTOMATION_SCHEDULE_INVALID', ['automations.create', 'automations.change'], (operation) =>
  refusedSchedules(
    'AUTOMATION_SCHEDULE_INVALID',
    [
      'daily',
      { tipo: 'mensile' },
      { tipo: 'manuale', ora: '09:00' },
      { tipo: 'ogni-ora', minuto: 60 },
      { tipo: 'giornaliera', ora: '9:00' },
      { tipo: 'settimanale', ora: '09:00', giorno: 7 },
      { tipo: 'ogni-n-minuti', minuti: 0 },
      { tipo: 'una-volta', quando: '2099-02-30T09:00' },
      { tipo: 'una-volta', quando: 'tomorrow' },
    ],
    operation,
  ),
);
refusesEach('AUTOMATION_SCHEDULE_TOO_FREQUENT', ['automations.create', 'automations.change'], (operation) =>
  refusedSchedules(
    'AUTOMATION_SCHEDULE_TOO_FREQUENT',
    [
      { tipo: 'ogni-n-minuti', minuti: 4 },
      { tipo: 'cron', espressione: '*/4 * * * *' },
    ],
    operation,
  ),
);
refusesEach('AUTOMATION_SCHEDULE_PAST', ['automations.create', 'automations.change'], (operation) =>
  refusedSchedules('AUTOMATION_SCHEDULE_PAST', [{ tipo: 'una-volta', quando: '2020-01-01T09:00' }], operation),
);
refusesEach('AUTOMATION_CRON_FIELDS', ['automations.create', 'automations.change'], (operation) =>
  refusedSchedules(
    'AUTOMATION_CRON_FIELDS',
    ['@daily', '0 9 * *', '0 0 9 * * *', ''].map((espressione) => ({ tipo: 'cron', espressione })),
    operation,
  ),
);
refusesEach('AUTOMATION_CRON_INVALID', ['automations.create', 'automations.change'], (operation) =>
  refusedSchedules(
    'AUTOMATION_CRON_INVALID',
    ['61 * * * *', 'a b c d e', '0 0 30 2 *'].map((espressione) => ({ tipo: 'cron', espressione })),
    operation,
  ),
);
refusesEach('AUTOMATION_TIMEZONE_INVALID', ['automations.create', 'automations.change'], async (operation) => {
  for (const fusoOrario of ['Mars/Olympus', '+02:00', '', 3]) {
    const reply =
      operation === 'automations.create'
        ? await create({ fusoOrario })
        : await post(await made(), 'modifica', { fusoOrario });
    expect([fusoOrario, reply]).toMatchObject([fusoOrario, refused('AUTOMATION_TIMEZONE_INVALID', 422)]);
  }
});
refusesEach(
  'AUTOMATION_FOLDER_UNAVAILABLE',
  ['automations.create', 'automations.change', 'automations.run'],
  async (operation) => {
    const expected = refused('AUTOMATION_FOLDER_UNAVAILABLE', 422);
    if (operation === 'automations.run') {
      const folder = await tempDir();
      const id = await made({ cartella: folder.path });
      await rm(folder.path, { recursive: true });
      expect(await post(id, 'esegui')).toMatchObject(expected);
      return;
    }
    for (const cartella of ['/nowhere', 'relative', join(server.project.path, 'package.json'), server.dataDir]) {
      const reply =
        operation === 'automations.create'
          ? await create({ cartella })
          : await post(await made(), 'modifica', { cartella });
      expect([cartella, reply]).toMatchObject([cartella, expected]);
    }
  },
);

refuses('automations.create', 'TASK_NOT_ALLOWED', 'for an unknown template', async () => {
  const body = { taskId: '../secret', intervalloMinuti: 60 };
  expect(await server.call('POST', '/automations', { body })).toMatchObject({ code: 'TASK_NOT_ALLOWED' });
});

refuses('automations.create', 'TASK_CATALOG_UNAVAILABLE', 'when the template catalog is missing', async () => {
  await using own = await testServer({ templatesDir: '/nowhere' });
  const body = { taskId: 'carrello-sconti', intervalloMinuti: 60 };
  expect(await own.call('POST', '/automations', { body })).toMatchObject({ code: 'TASK_CATALOG_UNAVAILABLE' });
});

refusesEach('AUTOMATION_LEGACY', ['automations.change', 'automations.run'], async (operation) => {
  const id = await legacy();
  const reply = operation === 'automations.run' ? await post(id, 'esegui') : await post(id, 'modifica', { nome: 'x' });
  expect(reply).toMatchObject(refused('AUTOMATION_LEGACY', 409));
});

refuses('automations.run', 'AUTOMATION_RUN_IN_PROGRESS', 'while another run is in progress', async () => {
  const { id } = await going();
  expect(await post(id, 'esegui')).toMatchObject(refused('AUTOMATION_RUN_IN_PROGRESS', 409));
  await post(id, 'ferma');
});

refuses('automations.run', 'AUTOMATION_RUN_NOT_STARTED', 'without a model and a default model', async () => {
  const id = await made({ modello: null });
  // Two providers are ready: neither is the default.
  const runtime = { endpoint: server.model.url, timeoutSeconds: 30 };
  await server.call('POST', '/providers/lmstudio/runtime', { body: runtime });
  const reply = await post(id, 'esegui');
  expect(reply.code).toBe('AUTOMATION_RUN_NOT_STARTED');
  expect(await ended(id)).toMatchObject({
    esito: 'fallita',
    motivo: 'non-partita',
    dettaglio: 'MODEL_ID_INVALID',
    daGuardare: true,
  });
});

refuses('automations.run', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
  await using own = await testServer();
  const body = { ...base(), cartella: own.project.path };
  const { id } = (await own.call('POST', '/automations', { body })).data;
  await own.host.quiesce();
  expect(await own.call('POST', `/automations/${id}/esegui`)).toMatchObject({ code: 'SERVER_SHUTTING_DOWN' });
});

refuses('automations.stop', 'AUTOMATION_NO_RUN_IN_PROGRESS', 'when no run is in progress', async () => {
  expect(await post(await made(), 'ferma')).toMatchObject(refused('AUTOMATION_NO_RUN_IN_PROGRESS', 409));
});

refuses('automations.decide-proposal', 'AUTOMATION_PROPOSAL_NOT_FOUND', 'for a run without a proposal', async () => {
  const id = await made();
  const { runId } = (await post(id, 'esegui')).data;
  await ended(id);
  expect(await post(id, `runs/${runId}/proposta`, { decisione: 'scarta' })).toMatchObject(
    refused('AUTOMATION_PROPOSAL_NOT_FOUND', 404),
  );
});

refuses(
  'automations.decide-proposal',
  'AUTOMATION_PROPOSAL_DECIDED',
  'when the proposal is already decided',
  async () => {
    const { id, runId } = await proposed();
    await post(id, `runs/${runId}/proposta`, { decisione: 'scarta' });
    expect(await post(id, `runs/${runId}/proposta`, { decisione: 'approva' })).toMatchObject(
      refused('AUTOMATION_PROPOSAL_DECIDED', 409),
    );
  },
);

refuses(
  'automations.decide-proposal',
  'AUTOMATION_PROPOSAL_STALE',
  'when the instructions changed since the proposal',
  async () => {
    const { id, runId } = await proposed();
    await post(id, 'modifica', { istruzioni: 'Something else.' });
    expect(await post(id, `runs/${runId}/proposta`, { decisione: 'approva' })).toMatchObject(
      refused('AUTOMATION_PROPOSAL_STALE', 409),
    );
  },
);

test('answers NOT_FOUND for every unknown automation, run and proposal', async () => {
  const id = await made();
  const replies = [
    await post('nobody', 'toggle', { attiva: true }),
    await post('nobody', 'coordinazione', { coordinazione: true }),
    await post('nobody', 'elimina'),
    await post('nobody', 'modifica', { nome: 'x' }),
    await post('nobody', 'esegui'),
    await post('nobody', 'ferma'),
    await server.call('GET', '/automations/nobody/runs'),
    await post(id, 'runs/nobody/letta'),
    await post(id, 'runs/nobody/proposta', { decisione: 'scarta' }),
  ];
  expect(replies.map(({ status, code }) => [status, code])).toEqual(Array(9).fill([404, 'NOT_FOUND']));
});
