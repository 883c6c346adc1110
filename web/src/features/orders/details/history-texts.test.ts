import type { OrderEvent } from '@bancone/contract/order-details'
import { expect, test } from 'vitest'
import { maria, orderEvent } from '../../../../test/fixtures.ts'
import { eventText } from './history-texts.ts'

const me = { name: 'Farmacia', you: true, here: true }
const elsewhere = { name: 'Farmacia', you: true, here: false }
const site = { name: 'Sito', you: false, here: false }

test.each<[Partial<OrderEvent>, string, string | null]>([
  [{ kind: 'received', source: 'airtable' }, 'Ricevuto da Airtable', null],
  [{ kind: 'received', source: 'api', who: site }, 'Ricevuto tramite API (chiave «Sito»)', null],
  [{ kind: 'received', source: 'api' }, 'Ricevuto tramite API', null],
  [{ kind: 'received', source: 'system' }, 'Ricevuto', null],
  [{ kind: 'received', who: maria }, 'Inserito da Maria', null],
  [{ kind: 'received', who: me }, 'Inserito da te', null],
  [{ kind: 'received', who: elsewhere }, 'Inserito da te, da un altro dispositivo', null],
  [{ kind: 'received' }, 'Inserito a mano', null],
  [{ who: maria }, 'Da «In attesa» a «Confermato»', 'Maria'],
  [{ who: me }, 'Da «In attesa» a «Confermato»', 'tu'],
  [{ who: elsewhere }, 'Da «In attesa» a «Confermato»', 'tu, da un altro dispositivo'],
  [{}, 'Da «In attesa» a «Confermato»', null],
  [{ source: 'airtable' }, 'Da «In attesa» a «Confermato»', 'Airtable'],
  [{ source: 'system' }, 'Da «In attesa» a «Confermato»', 'il sistema'],
  [{ source: 'api', who: site }, 'Da «In attesa» a «Confermato»', 'API (chiave «Sito»)'],
  [{ from: null, source: 'airtable' }, 'Da senza stato a «Confermato»', 'Airtable'],
  [
    { kind: 'content', source: 'airtable', columns: ['Indirizzo', 'Phone Number'] },
    'Modificati in Airtable: Indirizzo, Telefono',
    null,
  ],
  [
    { kind: 'content', source: 'airtable', columns: ['Ordine'] },
    'Modificato in Airtable: Prodotto Richiesto',
    null,
  ],
  [{ kind: 'content', who: maria, columns: ['Ordine'] }, 'Corretto: Prodotto Richiesto', 'Maria'],
  [{ kind: 'content', source: 'system', columns: ['Cliente'] }, 'Dati del cliente eliminati', null],
  [{ kind: 'refused', to: 'Annullato' }, 'Airtable ha rifiutato «Annullato»', null],
  [
    { kind: 'conflict', to: 'Annullato' },
    'Non applicato «Annullato»: nel frattempo era cambiato in Airtable',
    null,
  ],
])('%j reads %j, by %j', (traits, text, by) => {
  expect(eventText(orderEvent(traits))).toEqual({ text, by })
})
