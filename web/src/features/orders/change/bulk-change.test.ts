import { changeOrdersStatus } from '@bancone/contract/bulk-changes'
import { expect, test } from 'vitest'
import { order } from '../../../../test/fixtures.ts'
import { signedIn } from '../../../../test/render-part.tsx'
import { StubApi } from '../../../../test/stub-api.ts'
import { type BulkItem, changeInBatches, undoItems } from './bulk-run.ts'

const item = (n: number, from: string): BulkItem => ({
  recordId: order(n).id,
  number: String(n),
  from,
  to: 'Confermato',
})
const nothing = () => Promise.resolve()

test('what had the status already is done, but not ours to take back', async () => {
  signedIn(
    new StubApi().on(changeOrdersStatus, ({ body: { changes } }) => ({
      changed: changes
        .slice(0, 1)
        .map(({ recordId, Stato }) => ({ recordId, from: Stato, to: Stato })),
      left: [{ recordId: order(2).id, now: 'Confermato' }],
    })),
  )
  const items = [item(1, 'In attesa'), item(2, 'In attesa')]
  const outcome = await changeInBatches(items, false, nothing)
  expect(outcome).toMatchObject({ changed: [], unchanged: 2, skipped: [], remaining: [] })
  // Unless we have asked for it before, and only the answer did not come.
  const again = await changeInBatches(items, true, nothing)
  expect(again).toMatchObject({ changed: items, unchanged: 0 })
})

test('a status longer than is sent is not compared', async () => {
  const api = new StubApi().on(changeOrdersStatus, () => ({ changed: [], left: [] }))
  signedIn(api)
  await changeInBatches([item(1, 'x'.repeat(201))], false, nothing)
  expect(api.requests[0]?.body).toEqual({
    changes: [{ recordId: order(1).id, Stato: 'Confermato' }],
  })
})

test('the way back is from what it was made to what it was, where that can be written', () => {
  expect(undoItems([item(1, 'Annullato'), item(2, 'Da verificare')])).toEqual({
    items: [{ ...item(1, 'Confermato'), to: 'Annullato' }],
    notRestorable: 1,
  })
})
