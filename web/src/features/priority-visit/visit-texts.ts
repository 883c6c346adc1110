import type { PriorityStatus, WaitingTime } from '@bancone/contract/priority'
import type { CustomerVisit } from '@bancone/contract/priority-customer'

/** Of the tab, which names neither the customer nor the order. */
export const PAGE_TITLE = 'Accesso prioritario'
export const CALLED_TITLE = 'Sei Stato Chiamato! · Accesso prioritario'

/** The headings of the states. */
export const titles: Record<PriorityStatus, string> = {
  link_sent: 'Accesso prioritario',
  on_the_way: 'Ti aspettiamo',
  user_arrived: 'Richiesta Inviata',
  called: 'Sei Stato Chiamato!',
  served: 'Servizio completato',
  no_show: 'Chiamata senza risposta',
  cancelled: 'Accesso prioritario annullato',
  expired: 'Link scaduto',
}

/** What each state means, as far as it may be said without a token. */
export const meanings: Record<PriorityStatus, string> = {
  link_sent: 'Quando arrivi in farmacia avvisaci: ti chiamiamo prima della coda.',
  on_the_way: 'La farmacia sa che stai arrivando. Quando sei qui premi «Sono in farmacia».',
  user_arrived: 'Attendi di essere chiamato.',
  called: 'Vai subito al banco.',
  served: 'Hai ritirato il tuo ordine. Grazie e a presto.',
  no_show: 'Ti abbiamo chiamato e non ti abbiamo trovato. Presentati al banco.',
  cancelled: 'Questo accesso prioritario non è più attivo. Per il tuo ordine chiama la farmacia.',
  expired: 'Questo link non è più valido. Per il tuo ordine chiama la farmacia.',
}

export const ATTENDED = 'Il farmacista è stato avvisato. Attendi di essere chiamato.'
export const NOT_ATTENDED = 'In questo momento nessun operatore è collegato: presentati al banco.'

/** The heading of a link after which a newer one was sent. */
export const REPLACED = 'C’è un link più recente'
const OPEN_NEWER = 'Per questo ordine ti abbiamo inviato un altro link: apri quello.'

export const CALLED_IN_CAR = 'Resta in auto: arriviamo noi.'
/** Under the call: nothing is left to do on the page. */
export const CALL_DONE = 'La tua richiesta è completata: qui non devi fare altro.'

const NOT_ATTENDED_YET =
  'In questo momento nessun operatore è collegato: quando arrivi presentati al banco.'
const COOLING_DOWN =
  'Ti abbiamo cercato e non ti abbiamo trovato. Potrai avvisarci di nuovo tra qualche minuto.'

/**
 * The one sentence under each title. While no screen of the staff is open, it does not promise that the customer is
 * called.
 */
export function meaningOf({ status, isAttended, isReplaced, place }: CustomerVisit): string {
  if (isReplaced) return OPEN_NEWER
  if (status === 'called') return place === null ? meanings.called : CALLED_IN_CAR
  if (status !== 'user_arrived') return meanings[status]
  return isAttended ? ATTENDED : NOT_ATTENDED
}

/** The same before the arrival. @param closed the text of the opening hours while the pharmacy is closed, else null */
export function meaningBefore(
  { status, isAttended }: Pick<CustomerVisit, 'status' | 'isAttended'>,
  closed: string | null,
  isCoolingDown: boolean,
): string {
  if (closed !== null) return `${closed}. Potrai avvisare la farmacia quando è aperta.`
  if (isCoolingDown) return COOLING_DOWN
  return isAttended ? meanings[status] : NOT_ATTENDED_YET
}

/** `Sei il prossimo`, `2 persone prima di te`. */
export function positionText(ahead: number): string {
  if (ahead === 0) return 'Sei il prossimo'
  return ahead === 1 ? '1 persona prima di te' : `${ahead} persone prima di te`
}

/** `5–10 minuti`, `meno di 5 minuti`. */
export function waitText({ low, high }: WaitingTime): string {
  return low === 0 ? `meno di ${high} minuti` : `${low}–${high} minuti`
}
