import type { PublicOffersError } from '@bancone/contract/public-offers'

type Refusal = { title: string; text: string }

export const LOAD_FAILED: Refusal = {
  title: 'Errore',
  text: 'Si è verificato un errore nel caricamento delle offerte. Riprova più tardi.',
}

/** Texts shown when there are no offers. */
export const refusals: Record<PublicOffersError, Refusal> = {
  'ID farmacia non valido': { title: 'Errore', text: 'ID farmacia non valido' },
  'Farmacia non trovata': { title: 'Errore', text: 'Farmacia non trovata' },
  'Farmacia non attiva': {
    title: 'Farmacia non attiva',
    text: 'Questa farmacia non è attualmente attiva sulla piattaforma.',
  },
  'Funzionalità offerte non disponibile': {
    title: 'Offerte non disponibili',
    text: 'Questa farmacia non ha attivato la funzionalità offerte.',
  },
}
