import { describe, expect, it } from 'vitest'
import { IMAGE_QUOTA_BYTES } from './images.ts'
import { type AttentionFacts, attentionOf, daysLeft } from './pharmacy-attention.ts'

/** In Rome it is the 24th already. */
const now = Date.parse('2026-06-23T22:30:00Z')
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const daysAgo = (days: number) => ago(days * 24 * 60)

const well: AttentionFacts = {
  isActive: true,
  createdAt: daysAgo(400),
  lastSeenAt: ago(5),
  lastOrderAt: ago(60),
  copyError: null,
  lastReadAt: ago(1),
  missingColumns: [],
  waitingChanges: 0,
  waitingSince: null,
  quarantined: 0,
  activeOffers: 3,
  maxOffers: 10,
  imageBytes: 1_000,
  failedJobs: 0,
  planValidUntil: null,
}

const seen = (facts: Partial<AttentionFacts>) => {
  const { light, reasons } = attentionOf({ ...well, ...facts }, now)
  return [light, ...reasons.map(({ text }) => text)]
}

describe('a pharmacy', () => {
  it.each<[Partial<AttentionFacts>, ...string[]]>([
    [{}, 'green'],
    [{ copyError: 'denied' }, 'red', "Airtable rifiuta l'accesso: controlla il token e la base"],
    [{ copyError: 'not_found' }, 'red', 'Airtable non trova la base o la tabella'],
    [{ copyError: 'refused' }, 'red', 'Airtable rifiuta la lettura della tabella'],
    [{ copyError: 'unreachable', lastReadAt: ago(59) }, 'yellow', 'Airtable non risponde'],
    [{ copyError: 'unreachable', lastReadAt: ago(61) }, 'red', 'Airtable non risponde'],
    [
      { copyError: 'rate_limited', lastReadAt: null },
      'red',
      'Airtable limita le richieste (mai letta)',
    ],
    [{ waitingChanges: 1, waitingSince: ago(10) }, 'green'],
    [{ waitingChanges: 1, waitingSince: ago(11) }, 'yellow', '1 modifica aspetta Airtable'],
    [{ waitingChanges: 4, waitingSince: ago(61) }, 'red', '4 modifiche aspettano Airtable'],
    [{ missingColumns: ['Stato'] }, 'yellow', 'Nella tabella manca la colonna «Stato»'],
    [
      { missingColumns: ['Stato', 'Last'] },
      'yellow',
      'Nella tabella mancano le colonne «Stato», «Last»',
    ],
    [{ quarantined: 2 }, 'yellow', '2 ordini non leggibili'],
    [{ failedJobs: 1 }, 'yellow', '1 operazione in background non riesce'],
    [{ activeOffers: 8 }, 'green'],
    [{ activeOffers: 9 }, 'yellow', 'Vicina al limite: 9 offerte attive su 10'],
    [{ activeOffers: 10 }, 'yellow', 'Limite raggiunto: 10 offerte attive su 10'],
    [{ activeOffers: 11 }, 'yellow', 'Oltre il limite: 11 offerte attive su 10'],
    [{ activeOffers: 0, maxOffers: 0 }, 'green'],
    [{ activeOffers: 5_000, maxOffers: null }, 'green'],
    [{ imageBytes: IMAGE_QUOTA_BYTES * 0.95 }, 'yellow', 'Spazio per le immagini usato al 95%'],
    [{ lastSeenAt: daysAgo(13) }, 'green'],
    [{ lastSeenAt: daysAgo(14) }, 'yellow', 'Nessun accesso da 14 giorni'],
    [{ lastSeenAt: null }, 'yellow', 'Nessun accesso da quando è stata creata'],
    [{ lastSeenAt: null, createdAt: daysAgo(3), lastOrderAt: null }, 'green'],
    [{ lastOrderAt: daysAgo(20) }, 'yellow', 'Nessun ordine da 20 giorni'],
    [{ lastOrderAt: null }, 'green'],
    [{ planValidUntil: '2026-07-09' }, 'green'],
    [{ planValidUntil: '2026-07-08' }, 'yellow', 'Il piano scade tra 14 giorni'],
    [{ planValidUntil: '2026-06-25' }, 'yellow', 'Il piano scade domani'],
    [{ planValidUntil: '2026-06-24' }, 'yellow', 'Il piano scade oggi'],
    [
      { planValidUntil: '2026-06-23' },
      'yellow',
      'Piano scaduto il 23/06/2026: le funzioni restano fino al 07/07/2026',
    ],
    [
      { planValidUntil: '2026-06-09' },
      'red',
      'Piano scaduto il 09/06/2026: le funzioni sono sospese',
    ],
    [
      { isActive: false, copyError: 'denied', failedJobs: 3, planValidUntil: '2026-01-01' },
      'green',
    ],
  ])('%j is %s', (facts, ...expected) => {
    expect(seen(facts)).toEqual(expected)
  })

  it('has the light of its most severe reason, which comes first', () => {
    expect(seen({ quarantined: 1, planValidUntil: '2026-01-01', failedJobs: 2 })).toEqual([
      'red',
      'Piano scaduto il 01/01/2026: le funzioni sono sospese',
      '1 ordine non leggibile',
      '2 operazioni in background non riescono',
    ])
  })
})

it('counts the days of a plan by the calendar of Rome, also when the clocks change', () => {
  expect(daysLeft('2026-06-24', now)).toBe(0)
  expect(daysLeft('2026-03-30', Date.parse('2026-03-28T23:30:00Z'))).toBe(1)
  expect(daysLeft('2025-12-31', Date.parse('2026-01-01T12:00:00Z'))).toBe(-1)
})
