import type { SourceFailure } from '@bancone/contract/order-health'

/** Why Airtable could not be read. */
export const troubleNames: Record<SourceFailure, string> = {
  unreachable: 'Airtable non risponde',
  rate_limited: 'Airtable ci ha chiesto di rallentare',
  denied: "Airtable non accetta l'accesso di Bancone",
  not_found: 'La tabella degli ordini non si trova più in Airtable',
  refused: 'Airtable ha rifiutato la richiesta',
  internal: 'Airtable risponde, ma Bancone non riesce a salvare gli ordini',
}
