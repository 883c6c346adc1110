import { screen } from '@testing-library/react'
import { renderDashboard } from './render-page.tsx'
import type { StubApi } from './stub-api.ts'

/** Renders the dashboard and opens the details of an order, by its number, or by its record id when it has none. */
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
