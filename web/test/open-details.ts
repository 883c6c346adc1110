import { screen } from '@testing-library/react'
import { renderDashboard } from './render-page.tsx'
import type { StubApi } from './stub-api.ts'

/** The dashboard with the details of the n-th order open, or of one without a number by its record id. */
export async function openDetails(api: StubApi, n: number | string, render = renderDashboard) {
  const view = render('/', api)
  const opener = await screen.findByRole('button', { name: `Dettagli ordine ${n}` })
  await view.user.click(opener)
  return {
    ...view,
    opener,
    dialog: await screen.findByRole('dialog', { name: 'Dettaglio Ordine' }),
  }
}
