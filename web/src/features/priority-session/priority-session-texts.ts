import type { PriorityStatus, WaitingTime } from '@bancone/contract/priority'
import type { CustomerPrioritySession } from '@bancone/contract/priority-customer'

/** Of the tab, which names neither the customer nor the order. */
export const PAGE_TITLE = 'Accesso prioritario'
export const CALLED_TITLE = 'Sei Stato Chiamato! · Accesso prioritario'

/** The headings of the states. */
export const titles: Record<PriorityStatus, string> = {
  link_sent: 'Accesso prioritario',
  on_the_way: 'In arrivo',
  user_arrived: 'Richiesta Inviata',
  called: 'Sei Stato Chiamato!',
  served: 'Servizio completato',
  no_show: 'Chiamata senza risposta',
  cancelled: 'Accesso prioritario annullato',
  expired: 'Link scaduto',
}

/** What each state means, as far as it may be said without a token. */
export const meanings: Record<PriorityStatus, string> = {
  link_sent: 'All’arrivo in farmacia basta avvisarci: la chiamata arriva prima della coda.',
  on_the_way: 'La farmacia è avvisata. All’arrivo premere «Sono in farmacia».',
  user_arrived: 'Attendere la chiamata.',
  called: 'Andare subito al banco.',
  served: 'Ordine ritirato. Grazie e a presto.',
  no_show: 'Abbiamo chiamato, ma non c’era nessuno. Presentarsi al banco.',
  cancelled: 'Questo accesso prioritario non è più attivo. Per l’ordine chiamare la farmacia.',
  expired: 'Questo link non è più valido. Per l’ordine chiamare la farmacia.',
}

export const ATTENDED = 'Il farmacista è stato avvisato. Attendere la chiamata.'
export const NOT_ATTENDED = 'In questo momento nessun operatore è collegato: presentarsi al banco.'

/** The heading of a link after which a newer one was sent. */
export const REPLACED = 'C’è un link più recente'
const OPEN_NEWER = 'Per questo ordine abbiamo inviato un altro link: aprire quello.'

export const CALLED_IN_CAR = 'Restare in auto: arriviamo noi.'
/** Under the call: nothing is left to do on the page. */
export const CALL_DONE = 'La richiesta è completata: qui non serve altro.'

const NOT_ATTENDED_YET =
  'In questo momento nessun operatore è collegato: all’arrivo presentarsi al banco.'
const COOLING_DOWN =
  'Abbiamo chiamato, ma non c’era nessuno. Sarà possibile avvisarci di nuovo tra qualche minuto.'

/**
 * The one sentence under each title. While no screen of the staff is open, it does not promise that the customer is
 * called.
 */
export function meaningOf({
  status,
  isAttended,
  isReplaced,
  place,
}: CustomerPrioritySession): string {
  if (isReplaced) return OPEN_NEWER
  if (status === 'called') return place === null ? meanings.called : CALLED_IN_CAR
  if (status !== 'user_arrived') return meanings[status]
  return isAttended ? ATTENDED : NOT_ATTENDED
}

/** The same before the arrival. @param closed the text of the opening hours while the pharmacy is closed, else null */
export function meaningBefore(
  { status, isAttended }: Pick<CustomerPrioritySession, 'status' | 'isAttended'>,
  closed: string | null,
  isCoolingDown: boolean,
): string {
  if (closed !== null) return `${closed}. Si potrà avvisare la farmacia quando è aperta.`
  if (isCoolingDown) return COOLING_DOWN
  return isAttended ? meanings[status] : NOT_ATTENDED_YET
}

/** `La prossima chiamata`, `2 persone prima`. */
export function positionText(ahead: number): string {
  if (ahead === 0) return 'La prossima chiamata'
  return ahead === 1 ? '1 persona prima' : `${ahead} persone prima`
}

/** `5–10 minuti`, `meno di 5 minuti`. */
export function waitText({ low, high }: WaitingTime): string {
  return low === 0 ? `meno di ${high} minuti` : `${low}–${high} minuti`
}
