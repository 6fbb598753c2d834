/** The records of the interface that the window reads, named and spelled as they are sent. */

export const PERMISSION_LEVELS = ['Read only', 'Workspace write', 'On request', 'Full access'] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

export const GATED_TOOLS = ['scrivi', 'file_edit', 'prova', 'shell', 'document_create', 'generate_image'] as const;
export type GatedTool = (typeof GATED_TOOLS)[number];
export type ToolChoice = 'sempre' | 'chiedi' | 'nega';
export type ToolChoices = Partial<Record<GatedTool, ToolChoice>>;

export const EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;
export type Effort = (typeof EFFORTS)[number];
export interface Reasoning {
  effort?: Effort;
  summary?: 'auto' | 'concise' | 'detailed';
}

/** Totals, never to be summed with one another. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number | null;
  giri: number;
}

export interface SessionRow {
  sessionId: string;
  progetto: string | null;
  nome: string | null;
  avviataAlle: string;
  ultimaRispostaAlle: string | null;
  conclusa: boolean;
  interrotta: boolean;
  modello: string | null;
  reasoning: Reasoning | null;
  permessi: PermissionLevel | 'Research';
  permessiPerAttrezzo: ToolChoices | null;
  inAttesaApprovazione: boolean;
  inAttesaDomanda: boolean;
  inAttesaPiano: boolean;
  padreId: string | null;
  ultimoEsito: string | null;
  motivoChiusura: string | null;
  usage: Usage | null;
  usageSessione: Usage | null;
}

export interface SessionSettings {
  modello?: string;
  reasoning?: Reasoning;
  permessi?: PermissionLevel;
  permessiPerAttrezzo?: ToolChoices;
  unisciPermessiPerAttrezzo?: ToolChoices;
  rispettaNega?: boolean;
}

export interface NewSession extends Omit<SessionSettings, 'unisciPermessiPerAttrezzo' | 'rispettaNega'> {
  cartellaId?: string;
  cartellaLibera?: string;
  consegna: string;
  comandoProva?: string;
}

/** What an approval is about: exactly what will happen. */
export interface ToolAction {
  tipo: string;
  percorso?: string;
  comando?: string;
  contenuto?: string;
  vecchio?: string;
  nuovo?: string;
  motivo?: string;
  [fact: string]: unknown;
}

export interface ProcessRow {
  toolCallId: string;
  attrezzo: string;
  origine: string;
  comando: string | null;
  descrizione: string | null;
  inizio: string | null;
  durataMs: number | null;
  inCorsoDaMs: number | null;
  esito: string;
  codiceUscita: number | null;
}

export interface Processes {
  registrato: boolean;
  processi: ProcessRow[] | null;
}

export interface Metrics {
  registrato: boolean;
  giri: number | null;
  cache: { percentuale: number | null; promptTokens?: number; cachedTokens?: number | null } | null;
  primoToken: { ms: number | null; msPrimoVisibile?: number | null } | null;
  chiusura: { motivo: string | null; codice?: string | null } | null;
  interrotta: boolean;
}

export interface Project {
  id: string;
  nome: string;
}

export interface FolderListing {
  root: string;
  path: string;
  parent: string | null;
  items: { name: string; path: string; projectId: string | null }[];
  recommended: { label: string; path: string; kind: 'project' | 'recent' | 'known'; projectId: string | null }[];
}

export interface FrequentFolder {
  etichetta: string;
  percorso: string;
}

export interface FolderPortrait {
  percorso: string;
  leggibile: boolean;
  radice?: boolean;
  file?: number;
  cartelle?: number;
  oltreIlTetto?: boolean;
  tetto?: number;
  git?: { ramo: string | null; cartellaEradiceRepo: boolean; nonSalvate: number; repoAnnidati: string[] } | null;
  istruzioni?: string[];
}

export interface TreeEntry {
  nome: string;
  cartella: boolean;
}

export interface TreeFile {
  percorso: string;
  contenuto: string;
  dimensione: number;
}

export type Capability = 'osservato-si' | 'osservato-no' | 'unknown';
export interface ModelRow {
  id: string;
  nome: string;
  provider: string;
  contextLength: number | null;
  capacita: { visione: Capability; toolUse: Capability; reasoning: Capability };
}

export interface PoolKey {
  impronta: string;
  nome: string;
  priorita: number;
  origine: string;
  stato: 'disponibile' | 'in-panchina';
  inPanchinaFino: string | number | null;
  causa: string | null;
}

export interface ProviderRow {
  id: string;
  label: string;
  requiresKey: boolean;
  keyConfigured: boolean;
  pool: PoolKey[];
  defaultEndpoint: string | null;
  supportsEndpoint: boolean;
  supportsTimeout: boolean;
  endpoint: string | null;
  endpointConfigured: boolean;
  timeoutSeconds: number;
  execution: string;
}

export interface ProviderRuntime {
  provider: string;
  endpoint: string | null;
  endpointConfigured: boolean;
  timeoutSeconds: number;
}

export type TestOutcome = 'raggiunto' | 'credenziale-rifiutata' | 'irraggiungibile' | 'da-configurare' | 'fallito';
export interface ProviderTest {
  esito: TestOutcome;
  modelli: number | null;
  latenzaMs: number | null;
  dettaglio: string;
}

export type DoctorState = 'ok' | 'attenzione' | 'errore' | 'non-disponibile';
export interface DoctorReport {
  stato: 'pronto' | 'attenzione' | 'guasto';
  versione: string;
  generatoAlle: string;
  voci: { id: string; titolo: string; stato: DoctorState; dettaglio: string; azione: string | null }[];
}

export interface DoctorDetail {
  riferimento: string;
  codice: string;
  operazione: string;
  quando: string;
  messaggio: string;
  dettaglio: string;
  causa: string | null;
}

export interface SetupState {
  introDisattivato: boolean;
  provider: {
    pronto: boolean;
    conChiave: string[];
    conIndirizzo: string[];
    agenteEsterno: boolean;
    localeConfigurato: boolean;
  };
  cartelleProgetto: number;
}

export interface ToolRow {
  nome: string;
  descrizione: string;
  permessoConfigurabile: boolean;
  permesso: ToolChoice | null;
}
