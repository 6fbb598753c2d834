/** Patterns in instructions that no user would approve if they saw them. Codes of the interface. */
export const THREATS = [
  'ignora-istruzioni',
  'nascondi-alla-persona',
  'sostituisci-sistema',
  'ignora-regole',
  'legge-segreti',
  'porta-ssh',
  'sudoers',
  'cancella-radice',
  'esfiltra',
  'caratteri-invisibili',
] as const;
export type Threat = (typeof THREATS)[number];

const SECRET = String.raw`(?:\.env\b|id_(?:rsa|ed25519|ecdsa)|\.aws/credentials|\.netrc|\.npmrc|/etc/shadow|\.ssh/|api[ _-]?keys?|chiav[ei] (?:api|private)|passwords?|credential[si]?|credenziali|secrets?|segreti)`;
const ALL = String.raw`(?:all|any|every|the|your|my|previous|prior|above|tutt[eio]|l[ei]|ogni|precedenti)`;

const SIGNS: Record<Exclude<Threat, 'caratteri-invisibili'>, RegExp> = {
  'ignora-istruzioni': new RegExp(
    String.raw`\b(?:ignore|disregard|forget|ignora|dimentica|trascura)\w*\s+(?:${ALL}\s+){0,4}(?:instructions?|prompts?|istruzioni|indicazioni)`,
    'i',
  ),
  'nascondi-alla-persona':
    /\b(?:do not|don't|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|show|showing)\w*\s+(?:\w+\s+){0,3}(?:user|person|owner|human|anyone|them)\b|\b(?:non|senza)\s+(?:dire|dirlo|informare|avvisare|avvertire|mostrare)\w*\s+(?:\w+\s+){0,3}(?:utente|persona|proprietario|nessuno)|\bhide\b.{0,40}\bfrom the (?:user|person)|\bnascondi\w*\b.{0,40}\b(?:utente|persona)/i,
  'sostituisci-sistema':
    /\b(?:new|replace|override|overwrite)\s+(?:the\s+|your\s+)?system\s+(?:prompt|message|instructions?)|\byou are now\b|\b(?:nuov[oe]|sostituisci|sovrascrivi)\s+(?:il\s+|le\s+|istruzioni\s+|prompt\s+){0,3}(?:di\s+)?sistema|\bda ora sei\b|<\/?system>/i,
  'ignora-regole':
    /\b(?:ignore|bypass|disable|circumvent|skip)\w*\s+(?:\w+\s+){0,3}(?:rules?|safety|permissions?|restrictions?|approvals?|policy|policies|sandbox|guardrails?)|\b(?:ignora|aggira|disattiva|disabilita|salta)\w*\s+(?:\w+\s+){0,3}(?:regole|sicurezza|permessi|restrizioni|approvazioni|limiti)/i,
  'legge-segreti': new RegExp(
    String.raw`\b(?:read|cat|print|show|open|copy|collect|find|grep|leggi|mostra|stampa|apri|copia|raccogli|cerca)\w*\b.{0,60}${SECRET}`,
    'i',
  ),
  'porta-ssh': /authorized_keys|\bssh-keygen\b|\bssh\s+-[RLD]\b|\bsshd_config\b/i,
  sudoers: /\bsudoers\b|\bvisudo\b|NOPASSWD/i,
  'cancella-radice':
    /\brm\s+(?:-\w+\s+)*-\w*[rf]\w*\s+(?:-\S+\s+)*(?:\/|~|\$HOME)(?:\s|\*|$|["'`;])|--no-preserve-root|\bmkfs\.|\bdd\s+.*of=\/dev\/(?:sd|nvme|hd)|\bformat\s+c:/i,
  esfiltra:
    /\b(?:curl|wget|nc|ncat|scp|rsync)\b[^\n]{0,120}(?:-d\b|--data|-F\b|--form|-T\b|--upload|--post|@|<\s)|\b(?:send|upload|post|exfiltrate|invia|carica|spedisci|manda)\w*\b.{0,80}(?:https?:\/\/|webhook|pastebin|ftp:\/\/)/i,
};

/** Characters that are invisible but read by the model, except those of right-to-left text and of joined emoji. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

/** In the order of the interface; checked as the model reads the text, without invisible characters. */
export function threatsIn(text: string): Threat[] {
  const plain = text.replaceAll(new RegExp(INVISIBLE, 'gu'), '').normalize('NFKC');
  return THREATS.filter((code) => (code === 'caratteri-invisibili' ? INVISIBLE.test(text) : SIGNS[code].test(plain)));
}
