import type { Actor, OrderEvent } from '@bancone/contract/order-details'

/** Labels of the source's columns. */
const columnNames: Readonly<Record<string, string>> = {
  'Phone Number': 'Telefono',
  Created: 'Data Ordine',
  Last: 'Ultimo Aggiornamento',
  Ordine: 'Prodotto Richiesto',
  Image: 'Immagine',
}

const quoted = (status: string | null) => (status ? `«${status}»` : 'senza stato')

/** The actor's name from the point of view of the signed-in user. */
export function actorName({ name, you, here }: Actor): string {
  if (!you) return name
  return here ? 'tu' : 'tu, da un altro dispositivo'
}

/** Who changed the status; null when unknown. */
function author({ source, who }: OrderEvent): string | null {
  if (source === 'airtable') return 'Airtable'
  if (source === 'system') return 'il sistema'
  if (source === 'api') return who ? `API (chiave «${who.name}»)` : 'API'
  return who && actorName(who)
}

function received({ source, who }: OrderEvent): string {
  if (source === 'airtable') return 'Ricevuto da Airtable'
  if (source === 'api') {
    return who ? `Ricevuto tramite API (chiave «${who.name}»)` : 'Ricevuto tramite API'
  }
  if (source === 'system') return 'Ricevuto'
  if (who === null) return 'Inserito a mano'
  if (!who.you) return `Inserito da ${who.name}`
  return who.here ? 'Inserito da te' : 'Inserito da te, da un altro dispositivo'
}

function content({ columns, source }: OrderEvent): string {
  if (source === 'system') return 'Dati del cliente eliminati'
  const names = columns.map((column) => columnNames[column] ?? column).join(', ')
  if (source === 'person') return `${columns.length === 1 ? 'Corretto' : 'Corretti'}: ${names}`
  return `${columns.length === 1 ? 'Modificato' : 'Modificati'} in Airtable: ${names}`
}

const messageNames: Readonly<Record<string, string>> = {
  ready: 'Pronto per il ritiro',
  link: 'Link Priority',
  call: 'È il tuo turno',
}

const pickupTexts: Readonly<Record<string, string>> = {
  none: 'Non più pronto',
  ready: 'Pronto per il ritiro',
  collected: 'Ritirato',
  put_back: 'Rimesso a posto',
}

const reports: Readonly<Record<string, string>> = {
  sent: 'inviato',
  delivered: 'consegnato',
  read: 'letto',
  failed: 'non consegnato',
}

/** What happened, and who did it if the text does not say so. */
export function eventText(event: OrderEvent): { text: string; by: string | null } {
  const { kind, from, to } = event
  switch (kind) {
    case 'received':
      return { text: received(event), by: null }
    case 'status':
      return { text: `Da ${quoted(from)} a ${quoted(to)}`, by: author(event) }
    case 'content':
      return { text: content(event), by: event.source === 'person' ? author(event) : null }
    case 'refused':
      return { text: `Airtable ha rifiutato ${quoted(to)}`, by: null }
    case 'conflict':
      return {
        text: `Non applicato ${quoted(to)}: nel frattempo era cambiato in Airtable`,
        by: null,
      }
    case 'pickup':
      return { text: pickupTexts[to ?? ''] ?? 'Ritiro cambiato', by: author(event) }
    case 'message':
      return {
        text: `WhatsApp «${messageNames[from ?? ''] ?? 'Messaggio'}»: ${reports[to ?? ''] ?? to}`,
        by: null,
      }
  }
}
