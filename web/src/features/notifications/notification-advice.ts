import type { NotificationState } from './notification-state.ts'

/** The problem, and what the user can do about it. */
export type Advice = { title: string; text: string }

/** Why a device cannot be notified, where a click does not help. */
export const stateAdvice = {
  blocked: {
    title: 'Le notifiche sono bloccate in questo browser',
    text: "Apri le impostazioni del sito, dall'icona accanto all'indirizzo, e consenti le notifiche.",
  },
  insecure: {
    title: 'Le notifiche richiedono una connessione sicura',
    text: 'Apri Bancone da un indirizzo che inizia con https.',
  },
  'install-first': {
    title: 'Aggiungi Bancone alla schermata Home',
    text: 'Su iPhone e iPad gli avvisi arrivano solo così: tocca Condividi, poi «Aggiungi alla schermata Home», e apri Bancone da lì.',
  },
  unsupported: {
    title: 'Questo browser non mostra notifiche',
    text: 'Apri Bancone con una versione aggiornata di Chrome, Edge, Firefox o Safari.',
  },
} satisfies Partial<Record<NotificationState, Advice>>

/** The device is notified only while a page of the application is open. */
export const openPagesOnly = 'Gli avvisi arrivano solo con Bancone aperto'
