import { getOwnAdministrator } from '@bancone/contract/administrators'
import {
  endSupportVisit,
  getCurrentVisit,
  startSupportVisit,
} from '@bancone/contract/support-visits'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { administrator, order, pharmacy, sessionOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'

const visit = {
  id: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41',
  pharmacyId: pharmacy.id,
  pharmacyName: pharmacy.name,
  secondsLeft: 1_800,
}

test('a visit begins with a reason, reads with its id and as an administrator, and ends', async () => {
  const api = serverWith([order(1)])
    .on(getOwnAdministrator, () => administrator)
    .on(getCurrentVisit, () => ({ visit: null }))
    .on(startSupportVisit, () => visit)
    .on(endSupportVisit, () => ({}))
  const session = sessionOf(administrator.id, { email: administrator.email })
  storeSession('admin', session)
  const { user } = renderApp(`/admin/visit/${pharmacy.id}`, api, { signedIn: false })
  const reason = await screen.findByLabelText('Motivo')
  fill(reason, 'perché')
  await user.click(screen.getByRole('button', { name: 'Inizia la visita' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Scrivi almeno 10 caratteri.')
  fill(reason, 'Gli ordini non si aggiornano')
  await user.click(screen.getByRole('button', { name: 'Inizia la visita' }))
  expect((await screen.findByRole('timer')).getAttribute('aria-label')).toMatch(
    /^Tempo rimasto: (30:00|29:5\d)$/,
  )
  await user.click(await screen.findByRole('button', { name: /^Dettagli ordine/ }))
  expect(await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })).toBeDefined()
  await user.keyboard('{Escape}')
  const read = api.requests.filter(({ path }) => path.startsWith('/api/airtable-orders'))
  expect(read.length).toBeGreaterThan(0)
  for (const { bearer } of read) expect(bearer).toBe(`Bearer ${session.access_token}`)
  for (const { visitId } of read) expect(visitId).toBe(visit.id)
  await user.click(screen.getByText('Esci dalla visita', { selector: 'button' }))
  expect(await screen.findByLabelText('Motivo')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull())
})
