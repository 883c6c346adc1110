import { OrdersPhase } from '@bancone/contract/orders-migration'
import { phaseNames } from '../migration-texts.ts'

export function isForward(from: OrdersPhase, to: OrdersPhase): boolean {
  return OrdersPhase.options.indexOf(to) > OrdersPhase.options.indexOf(from)
}

const forward: Record<OrdersPhase, string> = {
  airtable: '',
  shadow: 'Avvia il confronto',
  database: 'Passa al database',
  retired: 'Lascia Airtable',
}

/** What a move to a phase is called. */
export function stepTitle(from: OrdersPhase, to: OrdersPhase): string {
  return isForward(from, to) ? forward[to] : `Torna ad ${phaseNames[to]}`
}

/** What happens with a move, before it is made. */
export function stepEffect(from: OrdersPhase, to: OrdersPhase): string {
  if (!isForward(from, to)) return backEffects[from]
  return forwardEffects[to]
}

const forwardEffects: Record<OrdersPhase, string> = {
  airtable: '',
  shadow:
    'Le pagine della farmacia restano come sono. Ogni 5 minuti Airtable e il database vengono confrontati: dopo 24 ore senza differenze si può passare al database.',
  database:
    'Entro 2 secondi le pagine della farmacia leggono solo dal database, senza interruzioni. Le modifiche continuano ad andare in Airtable per almeno 14 giorni, e gli ordini scritti in Airtable si importano ancora. Si può tornare indietro.',
  retired:
    'Airtable non viene più contattato: le modifiche restano nel database, e gli ordini che altri programmi scrivono in Airtable non arrivano più. Prima controlla che nessuna automazione ci scriva ancora.',
}

const backEffects: Record<OrdersPhase, string> = {
  airtable: '',
  shadow: 'Il confronto si ferma. Per le pagine della farmacia non cambia nulla.',
  database:
    'Prima le modifiche in attesa vanno in Airtable, poi tutto viene verificato, e alla fine le pagine leggono di nuovo da Airtable, che vale anche dove resta una differenza: gli ordini eliminati in Airtable spariscono anche qui. Se una modifica non arriva in Airtable la farmacia rimane nel database.',
  retired:
    'Airtable viene letto di nuovo, e le modifiche fatte nel frattempo nel database ci vengono scritte. Le pagine della farmacia leggono di nuovo da Airtable.',
}
