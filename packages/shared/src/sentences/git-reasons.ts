import type { Entry, Language } from './entry.ts';

/** Why a git operation was refused or failed. */
export const GIT_REASONS: Readonly<Record<string, Record<Language, Entry>>> = {
  'filter-not-trusted': {
    en: [
      'Filter not trusted',
      'A filter that this repository defines converts “{path}” (filter “{filter}”). Without it, git would store or write other content, so nothing was done.',
      'Read the commands of the filter in the Git view (or with fucina git programs) and trust it, or use git in a terminal.',
    ],
    it: [
      'Filtro non fidato',
      'Un filtro definito da questo repository converte «{path}» (filtro «{filter}»). Senza il filtro git salverebbe o scriverebbe un altro contenuto, quindi non è stato fatto nulla.',
      'Leggi i comandi del filtro nella vista Git (o con fucina git programs) e dagli fiducia, oppure usa git in un terminale.',
    ],
  },
  'conflict-markers': {
    en: [
      'Conflict not resolved',
      '“{path}” is in conflict and still has conflict markers, so nothing was staged.',
      'Resolve the conflict in the file, then stage it. The Git view can also stage it as it is.',
    ],
    it: [
      'Conflitto non risolto',
      '«{path}» è in conflitto e contiene ancora i marcatori del conflitto: non è stato messo nulla nello stage.',
      'Risolvi il conflitto nel file, poi mettilo nello stage. La vista Git può anche metterlo nello stage così com’è.',
    ],
  },
  'conflict-markers-staged': {
    en: [
      'Conflict markers staged',
      '“{path}” was in conflict and is to be committed with conflict markers, so nothing was committed.',
      'Resolve the conflict in the file and stage it again. The Git view (or fucina git commit in a terminal) can also commit it as it is.',
    ],
    it: [
      'Marcatori di conflitto nello stage',
      '«{path}» era in conflitto e verrebbe salvato nel commit con i marcatori del conflitto: non è stato creato alcun commit.',
      'Risolvi il conflitto nel file e mettilo di nuovo nello stage. La vista Git (o fucina git commit in un terminale) può anche salvarlo così com’è.',
    ],
  },
  'link-in-git-folder': {
    en: [
      'Link in the git folder',
      '“{path}” is a link to another place, and git would write there. Nothing was done.',
      'Look where the link leads. If you did not make it, remove it; git makes the file again.',
    ],
    it: [
      'Link nella cartella di git',
      '«{path}» è un link a un altro posto, e git scriverebbe lì. Non è stato fatto nulla.',
      'Guarda dove porta il link. Se non l’hai creato tu, rimuovilo: git ricrea il file.',
    ],
  },
  'folder-replaced': {
    en: [
      'Folder replaced',
      'A folder of the repository was replaced or became a link while git was started. Nothing was done.',
      'Wait for commands that still run in the folder, then try again.',
    ],
    it: [
      'Cartella sostituita',
      'Una cartella del repository è stata sostituita o è diventata un link mentre git veniva avviato. Non è stato fatto nulla.',
      'Aspetta i comandi ancora in esecuzione nella cartella, poi riprova.',
    ],
  },
  'view-not-made': {
    en: [
      'Git not started',
      'Git commands that write run with the rest of the disk read-only (bubblewrap), and that could not be set up here. Nothing was done.',
      'Try again. If it happens each time, use git in a terminal and report the details of this error (Settings → Health).',
    ],
    it: [
      'Git non avviato',
      'I comandi git che scrivono si eseguono con il resto del disco in sola lettura (bubblewrap), e qui non è stato possibile prepararlo. Non è stato fatto nulla.',
      'Riprova. Se succede ogni volta, usa git in un terminale e segnala i dettagli di questo errore (Impostazioni → Salute).',
    ],
  },
  'signing-not-trusted': {
    en: [
      'Signing program of the repository',
      'Commits are signed here, and the repository names the program itself ({setting}). It was not run, and nothing was committed.',
      'Set the program for all your repositories (git config --global), remove it from the repository, or commit in a terminal.',
    ],
    it: [
      'Programma di firma del repository',
      'Qui i commit vengono firmati, e il programma lo indica il repository stesso ({setting}). Non è stato eseguito, e non è stato creato alcun commit.',
      'Imposta il programma per tutti i tuoi repository (git config --global), toglilo dal repository, oppure fai il commit in un terminale.',
    ],
  },
  'signing-failed': {
    en: [
      'Commit not signed',
      'Commits are signed here (commit.gpgsign), and signing failed, so nothing was committed.',
      'Check user.signingkey and that your agent (gpg-agent or ssh-agent) has the key or can ask for its passphrase, or commit in a terminal.',
    ],
    it: [
      'Commit non firmato',
      'Qui i commit vengono firmati (commit.gpgsign), e la firma è fallita: non è stato creato alcun commit.',
      'Controlla user.signingkey e che il tuo agente (gpg-agent o ssh-agent) abbia la chiave o possa chiederne la passphrase, oppure fai il commit in un terminale.',
    ],
  },
  'hook-failed': {
    en: [
      'Hook failed',
      'The hook “{hook}” of this repository failed, so the operation was stopped. Output: {output}',
      'Fix what the hook reports and try again. The Git view shows the whole output and can skip the hook once (in a terminal: fucina git commit --skip-hooks).',
    ],
    it: [
      'Hook fallito',
      'L’hook «{hook}» di questo repository è fallito: l’operazione è stata interrotta. Output: {output}',
      'Correggi ciò che l’hook segnala e riprova. La vista Git mostra tutto l’output e può saltare l’hook una volta (in un terminale: fucina git commit --skip-hooks).',
    ],
  },
  'hook-refused': {
    en: [
      'Hook blocked by the sandbox',
      'The hook “{hook}” failed, and the sandbox had refused it access to: {refused}. The operation was stopped. Output: {output}',
      'Allow the access with a sandbox rule, or run the hook outside the sandbox, once or always with this content. Outside, scripts that it calls can do anything you can, and they may change.',
    ],
    it: [
      'Hook bloccato dalla sandbox',
      'L’hook «{hook}» è fallito, e la sandbox gli aveva negato l’accesso a: {refused}. L’operazione è stata interrotta. Output: {output}',
      'Consenti l’accesso con una regola della sandbox, oppure esegui l’hook fuori dalla sandbox, una volta o sempre con questo contenuto. Fuori, gli script che chiama possono fare tutto ciò che puoi fare tu, e possono cambiare.',
    ],
  },
  'hook-timeout': {
    en: [
      'Hook stopped at the time limit',
      'The hook “{hook}” ran longer than its time limit, so the operation was stopped. Output: {output}',
      'Let the hook run without a time limit in the Git view (or with fucina git trust --without-limit).',
    ],
    it: [
      'Hook interrotto al limite di tempo',
      'L’hook «{hook}» ha superato il limite di tempo: l’operazione è stata interrotta. Output: {output}',
      'Togli il limite di tempo all’hook nella vista Git (o con fucina git trust --without-limit).',
    ],
  },
  'hook-stopped': {
    en: [
      'Hook stopped',
      'The hook “{hook}” was stopped, and the operation with it.',
      'Start the operation again when you want the hook to run to its end.',
    ],
    it: [
      'Hook interrotto',
      'L’hook «{hook}» è stato interrotto, e con esso l’operazione.',
      'Riavvia l’operazione quando vuoi che l’hook arrivi alla fine.',
    ],
  },
  'hook-without-sandbox': {
    en: [
      'No sandbox for the hook',
      'The hook “{hook}” is trusted to run in the sandbox, and no sandbox works on this computer. It was not run, and the operation was stopped.',
      'Install bubblewrap, or trust the hook to run outside the sandbox.',
    ],
    it: [
      'Nessuna sandbox per l’hook',
      'L’hook «{hook}» è fidato per la sandbox, e su questo computer non funziona alcuna sandbox. Non è stato eseguito, e l’operazione è stata interrotta.',
      'Installa bubblewrap, oppure dai fiducia all’hook fuori dalla sandbox.',
    ],
  },
  'hook-changed': {
    en: [
      'Hook changed',
      'The hook “{hook}” changed while the operation ran. It was not run, and the operation was stopped.',
      'Read the hook in the Git view (or with fucina git programs) and trust it again.',
    ],
    it: [
      'Hook cambiato',
      'L’hook «{hook}» è cambiato durante l’operazione. Non è stato eseguito, e l’operazione è stata interrotta.',
      'Leggi l’hook nella vista Git (o con fucina git programs) e dagli di nuovo fiducia.',
    ],
  },
  'head-moved': {
    en: [
      'Another commit was made',
      'While the hooks ran, the branch got another commit. Nothing was committed or pushed by this operation.',
      'Look at the new state and start again.',
    ],
    it: [
      'È stato creato un altro commit',
      'Mentre gli hook erano in esecuzione il ramo ha ricevuto un altro commit. Questa operazione non ha creato né inviato nulla.',
      'Guarda il nuovo stato e ricomincia.',
    ],
  },
  'filter-failed': {
    en: [
      'Filter failed',
      'A filter of git that must succeed failed, so nothing was done.',
      'Check that its program is installed and set up, for example with git add in a terminal.',
    ],
    it: [
      'Filtro fallito',
      'Un filtro di git che deve riuscire è fallito, quindi non è stato fatto nulla.',
      'Controlla che il suo programma sia installato e configurato, per esempio con git add in un terminale.',
    ],
  },
  'newer-repository': {
    en: [
      'Repository of a newer Git',
      'This repository uses a format that the installed Git does not know, such as reftable. Nothing was read or changed.',
      'Install a newer Git, or convert the repository with the Git that made it.',
    ],
    it: [
      'Repository di un Git più recente',
      'Questo repository usa un formato che il Git installato non conosce, come reftable. Non è stato letto né modificato nulla.',
      'Installa un Git più recente, oppure converti il repository con il Git che lo ha creato.',
    ],
  },
};
