import type { PriorityStatus, WaitingTime } from '@bancone/contract/priority'
import type { CustomerVisit } from '@bancone/contract/priority-customer'

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
  no_show: 'Ti abbiamo chiamato e non eri al banco. Presentati al banco.',
  cancelled: 'Questo accesso prioritario non è più attivo. Per il tuo ordine chiama la farmacia.',
  expired: 'Questo link non è più valido. Per il tuo ordine chiama la farmacia.',
}

export const ATTENDED = 'Il farmacista è stato avvisato. Attendi di essere chiamato.'
export const NOT_ATTENDED = 'In questo momento nessun operatore è collegato: presentati al banco.'

/** The sentence under each title. While no screen of the staff is open, `NOT_ATTENDED` replaces the one of a waiting customer. */
export function meaningOf({ status, isAttended }: CustomerVisit): string {
  if (status !== 'user_arrived') return meanings[status]
  return isAttended ? ATTENDED : NOT_ATTENDED
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
