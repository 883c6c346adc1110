import type {
  MessageRefusal,
  WhatsAppConnection,
  WhatsAppProblemKind,
  WhatsAppState,
  WhatsAppStep,
} from '@bancone/contract/whatsapp'
import type { SignupEnd } from './signup-join.ts'

type Tone = 'good' | 'waiting' | 'bad' | 'off'

/** The word of each state, its meaning, and how it is shown. */
export const stateTexts: Record<WhatsAppState, { word: string; text: string; tone: Tone }> = {
  connected: { word: 'Connesso', text: 'Il numero è collegato e funziona.', tone: 'good' },
  pending_number: {
    word: 'Da completare',
    text: 'Il collegamento non è ancora completo: il numero non può essere usato.',
    tone: 'waiting',
  },
  in_review: {
    word: 'In esame',
    text: 'Meta sta esaminando il nome del numero. Di solito ci vuole un giorno o due, e non devi fare nulla.',
    tone: 'waiting',
  },
  needs_reauth: {
    word: 'Da ricollegare',
    text: "L'autorizzazione di Meta non è più valida. Premi «Ricollega» e scegli lo stesso numero.",
    tone: 'bad',
  },
  offboarded: {
    word: 'In attesa di riconnessione',
    text: "L'app WhatsApp Business è stata spostata o reinstallata. Di solito Meta ripristina il collegamento da sola in pochi minuti.",
    tone: 'waiting',
  },
  restricted: {
    word: 'Limitato da Meta',
    text: 'Meta ha limitato il numero o il suo account. Controlla il motivo in Gestione WhatsApp.',
    tone: 'bad',
  },
  disconnected: {
    word: 'Scollegato',
    text: 'Il numero non è più collegato. Puoi collegarlo di nuovo quando vuoi.',
    tone: 'off',
  },
}

/** The state of a number, which does not work while Meta refuses its messages or a step is missing. */
export function connectionTexts({ state, refusal, problem, quality }: WhatsAppConnection) {
  const hasTrouble = refusal !== null || problem !== null || quality === 'RED'
  if (state !== 'connected' || !hasTrouble) return stateTexts[state]
  return {
    word: 'Da sistemare',
    text: 'Il numero è collegato, ma qualcosa va sistemato: leggi qui sotto.',
    tone: 'bad',
  } as const
}

const MANAGER = 'in Gestione WhatsApp (business.facebook.com)'

/** Why Meta refuses messages, and what to do. */
export const refusalTexts: Record<MessageRefusal, { title: string; remedy: string }> = {
  payment: {
    title: 'Manca un metodo di pagamento',
    remedy: `Meta non consegna gli avvisi finché l'account non ha un metodo di pagamento valido. Aggiungilo ${MANAGER}, nelle impostazioni di pagamento: gli avvisi in attesa partono poi da soli.`,
  },
  name: {
    title: 'Il nome del numero non è approvato',
    remedy: `Meta non consegna i messaggi finché non approva il nome mostrato ai clienti. Controllalo o cambialo ${MANAGER}: gli avvisi in attesa partono poi da soli.`,
  },
  registration: {
    title: 'Il numero non è registrato',
    remedy:
      'Meta non consegna i messaggi di un numero non registrato. Premi «Verifica ora»; se non basta, premi «Ricollega» e scegli lo stesso numero.',
  },
  restricted: {
    title: "Meta ha limitato l'account",
    remedy: `I messaggi non partono. Leggi il motivo ${MANAGER}, alla voce «Qualità dell'account», e da lì chiedi la revisione.`,
  },
  policy: {
    title: 'Meta ha rifiutato un messaggio',
    remedy: `È contrario alle sue regole, o chi lo ha ricevuto lo ha segnalato. Leggi il motivo ${MANAGER}, alla voce «Qualità dell'account», prima di mandarne altri.`,
  },
}

const stepNames: Record<WhatsAppStep, string> = {
  authorization: "Verifica dell'autorizzazione",
  permissions: 'Verifica dei permessi',
  account: "Lettura dell'account WhatsApp Business",
  number: 'Ricerca del numero',
  health: 'Lettura dello stato del numero',
  registration: 'Registrazione del numero',
  subscription: 'Iscrizione agli eventi',
}

const remedies: Record<WhatsAppProblemKind, string> = {
  expired: "L'autorizzazione non è più valida: premi «Ricollega».",
  permission: 'Manca un permesso: premi «Ricollega» e lascia attivi tutti i permessi richiesti.',
  restricted: 'Meta ha limitato questo account: controlla il motivo in Gestione WhatsApp.',
  rate: 'Meta ha ricevuto troppe richieste: aspetta qualche minuto e premi «Verifica ora».',
  pin: 'Il numero ha già un PIN per la verifica in due passaggi: disattivala in Gestione WhatsApp, poi premi «Verifica ora».',
  unverified:
    'Il numero non è verificato: verificalo in Gestione WhatsApp, poi premi «Verifica ora».',
  callback:
    "Meta non riesce a raggiungere Bancone per mandargli gli eventi: avvisa l'assistenza, poi premi «Verifica ora».",
  refused:
    "Meta ha rifiutato la richiesta: controlla il numero in Gestione WhatsApp, poi premi «Verifica ora». Se si ripete, avvisa l'assistenza.",
  unreachable: 'Meta non ha risposto: aspetta qualche minuto e premi «Verifica ora».',
}

/** The step of the last check that failed, and what to do. */
export function problemTexts({ step, kind }: NonNullable<WhatsAppConnection['problem']>) {
  return { step: stepNames[step], remedy: remedies[kind] }
}

const cancelled: Readonly<Record<string, string>> = {
  BUSINESS_ACCOUNT_SELECTION: "Ti sei fermato alla scelta dell'attività.",
  WABA_PHONE_PROFILE_PICKER: "Ti sei fermato alla scelta dell'account e del numero.",
  WHATSAPP_BUSINESS_PROFILE_SETUP: 'Ti sei fermato al profilo WhatsApp Business.',
  PHONE_NUMBER_SETUP: "Ti sei fermato all'inserimento del numero.",
  PHONE_NUMBER_VERIFICATION:
    'Ti sei fermato alla verifica del numero. Tieni vicino il telefono che riceve il codice, per SMS o per chiamata.',
  PERMISSIONS: 'Ti sei fermato ai permessi: senza, Bancone non può usare il numero.',
}

/** Why a login has ended, and what to do. */
export function endText(end: SignupEnd): string {
  switch (end.kind) {
    case 'cancelled':
      return `${cancelled[end.step ?? ''] ?? 'Hai interrotto il collegamento.'} Per riprendere premi di nuovo «Connetti WhatsApp Business».`
    case 'reported':
      return 'La finestra di Facebook ha segnalato un errore. Riprova, e se si ripete scrivi a Meta da lì.'
    case 'denied':
      return 'Non hai autorizzato Bancone. Per collegare il numero premi di nuovo «Connetti WhatsApp Business» e conferma.'
    case 'closed':
      return 'La finestra di Facebook è stata chiusa prima della fine. Se non si è aperta, permetti le finestre a comparsa per questo sito.'
    case 'no-code':
      return "Hai scelto il numero, ma la finestra è stata chiusa prima dell'autorizzazione. Ripeti il collegamento."
    case 'late':
      return 'Sono passati più di 30 secondi e il codice di Facebook è scaduto. Ripeti il collegamento.'
  }
}

const qualities: Readonly<Record<string, string>> = {
  GREEN: 'Alta',
  YELLOW: 'Media',
  RED: 'Bassa',
}
export const qualityText = (quality: string | null) => qualities[quality ?? ''] ?? 'Non ancora nota'

const nameStatuses: Readonly<Record<string, string>> = {
  APPROVED: 'Approvato',
  AVAILABLE_WITHOUT_REVIEW: 'Approvato',
  PENDING_REVIEW: 'In esame',
  DECLINED: 'Rifiutato',
  EXPIRED: 'Scaduto',
}
export const nameStatusText = (status: string | null) =>
  nameStatuses[status ?? ''] ?? 'Non ancora noto'

/** `TIER_1K` is 1.000 people a day who did not write first. */
export function limitText(limit: string | null): string {
  if (limit === 'TIER_UNLIMITED') return 'Senza limite'
  const [, digits, thousands] = /^TIER_(\d+)(K)?$/.exec(limit ?? '') ?? []
  if (digits === undefined) return 'Non ancora noto'
  return `${(Number(digits) * (thousands ? 1_000 : 1)).toLocaleString('it-IT')} persone al giorno`
}
