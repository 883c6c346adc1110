import type { Freshness } from '@bancone/contract/order-health'
import { expect, test } from 'vitest'
import { pageOf } from '../../../../test/fixtures.ts'
import { FIRST_PAGE } from '../data/orders-cache.ts'
import { healthSummary, quarantineReasonText } from './copy-health-texts.ts'

test.each<[Partial<Freshness>, string | null]>([
  [{}, null],
  [{ pendingChanges: 3 }, null],
  [{ trouble: 'denied' }, 'Airtable non si può leggere.'],
  [{ trouble: 'internal' }, 'Gli ordini di Airtable non si salvano.'],
  [{ setAside: 1 }, '1 ordine di Airtable non si legge del tutto.'],
  [{ setAside: 1200 }, '1.200 ordini di Airtable non si leggono del tutto.'],
  [{ missingColumns: ['Last'] }, 'Nella tabella di Airtable manca la colonna «Last».'],
  [
    { setAside: 2, missingColumns: ['Last', 'Image'] },
    '2 ordini di Airtable non si leggono del tutto. Nella tabella di Airtable mancano 2 colonne.',
  ],
])('%j is said as %j', (freshness, summary) => {
  expect(healthSummary(pageOf([], FIRST_PAGE, freshness).freshness)).toBe(summary)
})

test.each([
  ['kept; cannot be read: Cliente, Last', /^Nell'elenco, .*: Cliente, Last$/],
  ['left out; cannot be read: createdTime', /^Non è nell'elenco\. .*: createdTime$/],
  ['left out; names no pharmacy: PharmaWA', /^Non è nell'elenco: .*PharmaWA non dice di quale/],
  ['left out; cannot be stored', /^Non si può salvare com'è ora/],
  ['anything else', /^Da controllare: anything else$/],
])('the reason %s names the columns', (reason, text) => {
  expect(quarantineReasonText(reason)).toMatch(text)
})
