import type { MigrationFailure, MigrationItemKind } from '@bancone/contract/migration-runs'

/** Why a record is among the items of a run. */
export type ItemReason =
  | 'cells'
  | 'record'
  | 'not_stored'
  | 'no_pharmacy'
  | 'waiting_change'
  | 'retired'
  | 'missing'
  | 'extra'
  | 'differs'
  | 'picture_missing'
  | 'picture_damaged'
  | 'picture_refused'

type Text = { reason: string; advice: string }

const texts: Record<ItemReason, (columns: string) => Text> = {
  cells: (columns) => ({
    reason: `Il valore di ${columns} non si può leggere.`,
    advice: `L’ordine si importa con gli altri valori. In Airtable correggi ${columns}, poi riprova.`,
  }),
  record: () => ({
    reason: 'Il record non si può leggere.',
    advice: 'In Airtable ricrea il record, poi riprova.',
  }),
  not_stored: () => ({
    reason: 'Il database non accetta i valori del record.',
    advice: 'In Airtable accorcia i testi molto lunghi, poi riprova.',
  }),
  no_pharmacy: () => ({
    reason: 'PharmaWA non indica nessuna delle farmacie di questa tabella.',
    advice:
      'In Airtable scrivi in PharmaWA il nome, il codice o il telefono della farmacia, poi riprova.',
  }),
  waiting_change: (columns) => ({
    reason: `Una modifica fatta qui non è ancora arrivata in Airtable (${columns}).`,
    advice: 'Aspetta che la modifica arrivi in Airtable: non serve altro.',
  }),
  retired: (columns) => ({
    reason: `Il record è diverso in ${columns}, ma ora vale il database.`,
    advice: 'Se vale Airtable, correggi l’ordine nella pagina degli ordini.',
  }),
  missing: () => ({
    reason: 'L’ordine è in Airtable ma non nel database.',
    advice: 'Avvia la migrazione: l’ordine viene importato.',
  }),
  extra: () => ({
    reason: 'L’ordine è nel database ma non in Airtable.',
    advice: 'Se in Airtable è stato eliminato, qui scompare entro sei ore.',
  }),
  differs: (columns) => ({
    reason: `L’ordine è diverso in ${columns}.`,
    advice: 'Avvia la migrazione: l’ordine diventa come in Airtable.',
  }),
  picture_missing: () => ({
    reason: 'La copia dell’immagine non c’è più.',
    advice: 'Riprova: l’immagine viene copiata di nuovo.',
  }),
  picture_damaged: () => ({
    reason: 'La copia dell’immagine è danneggiata.',
    advice: 'Riprova: l’immagine viene copiata di nuovo.',
  }),
  picture_refused: () => ({
    reason: 'L’immagine non si è potuta copiare.',
    advice: 'Controlla l’allegato in Airtable, poi riprova.',
  }),
}

function isReason(reason: string): reason is ItemReason {
  return Object.hasOwn(texts, reason)
}

/** The reason of an item and what to do, in Italian. */
export function itemText(reason: string, columns: readonly string[]): Text {
  return isReason(reason) ? texts[reason](columns.join(', ')) : { reason, advice: '' }
}

/** The names of the kinds in a file. */
export const kindNames: Record<MigrationItemKind, string> = {
  refused: 'Da correggere',
  conflict: 'Conflitto',
  only_in_airtable: 'Solo in Airtable',
  only_here: 'Solo nel database',
  different: 'Diverso',
  picture: 'Immagine',
}

export const failureTexts: Record<MigrationFailure, string> = {
  unreachable: 'Airtable non risponde.',
  rate_limited: 'Airtable ha ricevuto troppe richieste.',
  denied: 'Airtable non dà accesso alla base o alla tabella.',
  refused: 'Airtable ha rifiutato la richiesta: controlla le colonne della tabella.',
  not_drained: 'Alcune modifiche non sono arrivate in Airtable.',
  no_airtable: 'La farmacia non ha più questa base o tabella Airtable.',
  internal: 'Errore interno: riprova, o avvisa chi gestisce il server.',
}

/** The reason and the columns in a text of the adapter about a record that it could not read. */
export function unreadableReason(text: string): { reason: ItemReason; columns: string[] } {
  const [outcome = '', names = ''] = text.split(': ')
  const columns = names.split(', ').filter((name) => name !== '')
  return { reason: outcome.startsWith('kept') ? 'cells' : 'record', columns }
}
