type Issue = { code?: string | undefined; path?: PropertyKey[] | undefined }

const messages: Record<string, string> = {
  email: 'Inserisci un indirizzo email valido.',
  phone: 'Inserisci il numero con il prefisso, per esempio +39 06 1234567.',
  whatsapp: 'Inserisci il numero con il prefisso, per esempio +39 333 1234567.',
  hours: 'Al massimo 200 caratteri.',
  orderDays: 'Inserisci un numero di giorni tra 30 e 730, oppure lascia vuoto.',
  removedOrderDays: 'Inserisci un numero di giorni tra 7 e 365.',
  pageViewDays: 'Inserisci un numero di giorni tra 30 e 1.095.',
  maxOffers: 'Inserisci un numero intero, oppure lascia vuoto per nessun limite.',
  from: 'Inserisci giorno e ora.',
  until: 'Inserisci giorno e ora.',
}

/** The Italian text of an issue in a field of the settings. */
export function fieldMessage({ code, path }: Issue): string {
  const field = String(path?.at(-1) ?? '')
  if (field === 'until' && code === 'custom') return "La fine deve venire dopo l'inizio."
  if (field === 'text') {
    return code === 'too_big' ? 'Il testo è troppo lungo.' : 'Scrivi il testo.'
  }
  return messages[field] ?? 'Il valore non è valido.'
}
