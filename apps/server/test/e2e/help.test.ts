import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const ROOT = join(import.meta.dirname, '../../../..');
const ask = (domanda: unknown, language = 'it') =>
  server.call('POST', '/assistenza', { body: { domanda }, headers: { 'accept-language': language } });

covers('help.ask', 'answers from the help pages in the requested language with the section', async () => {
  const { status, data } = await ask('Dove sono tenute le chiavi?');
  expect([status, data.risposta]).toEqual([
    200,
    expect.stringMatching(/^Provider e chiavi — Dove sono tenute le chiavi\n/),
  ]);
  expect(data.risposta).toContain('portachiavi');
  expect(data.fonti[0]).toEqual({
    titolo: 'Provider e chiavi',
    sezione: 'Dove sono tenute le chiavi',
    percorso: 'docs/help/it/fornitori-e-chiavi.md#dove-sono-tenute-le-chiavi',
  });
  const english = await ask('where are keys kept', 'en');
  expect(english.data.fonti[0].percorso).toBe('docs/help/en/providers-and-keys.md#where-keys-are-kept');
  expect(server.model.requests.filter(({ wire }) => wire === 'openai-chat')).toEqual([]);
});

covers('help.ask', 'returns a fixed answer without sources when nothing matches', async () => {
  for (const domanda of ['ricetta della carbonara', '?', '   ', '\u0000\u202e', 'x'.repeat(500)]) {
    const { data } = await ask(domanda);
    expect(data).toEqual({ risposta: expect.stringContaining('non ho trovato niente'), fonti: [] });
  }
  expect((await ask('carbonara recipe', 'en')).data.risposta).toContain('found nothing');
});

refuses('help.ask', 'QUERY_INVALID', 'for a missing or long question and an unknown field', async () => {
  for (const domanda of ['', 'x'.repeat(501), 7, null, ['x']]) expect((await ask(domanda)).code).toBe('QUERY_INVALID');
  const reply = await server.call('POST', '/assistenza', { body: { domanda: 'x', lingua: 'it' } });
  expect(reply).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
});

/** Typical questions, and the page with the answer. */
const QUESTIONS: Record<'it' | 'en', readonly [question: string, page: string][]> = {
  it: [
    ['come riprendo una sessione interrotta', 'conversazioni'],
    ['che differenza c’è tra i livelli di permesso', 'permessi-di-sessione'],
    ['posso negare la shell a un solo strumento', 'permessi-per-attrezzo'],
    ['quanto può essere grande una immagine', 'allegati'],
    ['perché ho perso un artefatto', 'artefatti'],
    ['aggiungere una chiave', 'fornitori-e-chiavi'],
    ['usare Ollama su questo computer', 'fornitori-e-chiavi'],
    ['AGENTS.md istruzioni del progetto', 'contesto-del-progetto'],
    ['scorciatoie da tastiera', 'impostazioni'],
    ['approvare un piano', 'domande-e-piani'],
    ['quanti token ho consumato', 'costi-e-consumo'],
    ['il server non parte', 'salute'],
    ['cambiare tema e colori', 'impostazioni'],
    ['dove stanno i miei dati', 'che-cos-e'],
    ['fermare un comando in corso', 'modifiche-e-file'],
  ],
  en: [
    ['how do I resume an interrupted session', 'conversations'],
    ['levels of permission', 'session-permissions'],
    ['how large can a picture be', 'attachments'],
    ['add a key', 'providers-and-keys'],
    ['keyboard shortcuts', 'settings'],
    ['approve a plan', 'questions-and-plans'],
    ['is there telemetry', 'what-it-is'],
    ['try a sample task', 'projects'],
    ['choose another model', 'models'],
    ['the server does not start', 'health'],
  ],
};

for (const language of ['it', 'en'] as const) {
  test(`finds the right page for common questions (${language})`, async () => {
    for (const [question, page] of QUESTIONS[language]) {
      const { data } = await ask(question, language);
      expect([question, data.fonti[0]?.percorso.split(/[/#]/)[3]]).toEqual([question, `${page}.md`]);
      expect(data.risposta.length).toBeLessThanOrEqual(1_200);
    }
  });
}

test('both languages have the same pages and sections', () => {
  const shape = (language: string): number[] => {
    const folder = join(ROOT, 'docs/help', language);
    const counts = readdirSync(folder).map(
      (name) => readFileSync(join(folder, name), 'utf8').match(/^## /gm)?.length ?? 0,
    );
    return counts.sort((a, b) => a - b);
  };
  expect(shape('it')).toEqual(shape('en'));
});
