import type { AirtableAccess, PharmacyAirtable } from '@bancone/contract/airtable'
import { formatDateTime, formatNumber } from '../../lib/format.ts'

export const accessProblems: Record<NonNullable<AirtableAccess['problem']>, string> = {
  not_configured: 'Per questa base manca un token.',
  wrong_token: 'Airtable non riconosce il token: è sbagliato, scaduto o revocato.',
  no_access:
    'Il token non vede questa base: in Airtable aggiungi la base al token, con il permesso data.records:read.',
  missing_scope:
    'Il token vede la tabella, ma non può leggerne i record: gli manca il permesso data.records:read.',
  table_not_found: 'Il token vede la base, ma non c’è questa tabella: controlla il Table ID.',
  unreachable: 'Airtable non risponde. Riprova tra poco.',
}

/** Which token is used. */
export function tokenText({ token }: PharmacyAirtable): string {
  if (token.origin === 'own' && token.setAt !== null) {
    return `Token della base, impostato il ${formatDateTime(token.setAt)}`
  }
  return token.origin === 'server'
    ? 'Token del server'
    : 'Nessuno: gli ordini non si possono leggere'
}

/** Who else has the same token; null for no other pharmacy. */
export function sharedText({ otherPharmacies: others }: PharmacyAirtable): string | null {
  if (others === 0) return null
  return others === 1
    ? 'La base è anche di un’altra farmacia: il token vale per entrambe.'
    : `La base è anche di altre ${formatNumber(others)} farmacie: il token vale per tutte.`
}

/** How changes in Airtable are noticed, with what could make it better. */
export function webhookText({ webhook }: PharmacyAirtable): { title: string; hint: string } {
  const { state, pingedAt } = webhook
  switch (state) {
    case 'active':
      return {
        title: 'Airtable avvisa di ogni modifica',
        hint: pingedAt === null ? '' : `Ultimo avviso: ${formatDateTime(pingedAt)}.`,
      }
    case 'waiting':
      return {
        title: 'Controllo periodico',
        hint: 'Gli avvisi di Airtable sono attivi: contano dal primo che arriva.',
      }
    case 'starting':
      return { title: 'Controllo periodico', hint: 'Gli avvisi di Airtable sono in preparazione.' }
    case 'no_scope':
      return {
        title: 'Controllo periodico',
        hint: 'Per ricevere gli avvisi di Airtable il token ha bisogno del permesso webhook:manage.',
      }
    case 'no_token':
      return { title: 'Nessun controllo', hint: 'Serve un token per ricevere gli avvisi.' }
    case 'failed':
      return {
        title: 'Controllo periodico',
        hint: 'Airtable ha rifiutato gli avvisi: la base ne ha forse già dieci. Riproviamo da soli.',
      }
    case 'off':
      return {
        title: 'Controllo periodico',
        hint: 'Airtable avvisa solo server con un indirizzo https.',
      }
  }
}
