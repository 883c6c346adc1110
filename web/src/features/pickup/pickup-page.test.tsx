import {
  changePickupColumns,
  changePickupSettings,
  getPickupColumns,
  getPickupSettings,
  type PickupSettings,
} from '@bancone/contract/order-pickup'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

test('an owner says which status makes ready, and what was not saved stays', async () => {
  let saved: PickupSettings = { readyStatus: null, overdueDays: 3 }
  const api = serverWith([])
    .on(getPickupColumns, () => ({ columns: null, refused: [] }))
    .on(getPickupSettings, () => saved)
    .on(changePickupSettings, () => failure('service.unavailable'))
  const { user } = renderApp('/account/pickup', api)
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'È pronto' })
  const save = screen.getByRole('button', { name: 'Salva' })
  expect([select.selectedOptions[0]?.text, inactive(save)]).toEqual([
    'Solo quando premi «Pronto»',
    true,
  ])
  await user.selectOptions(select, 'Anche quando diventa «Confermato»')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Non ritirato' }), 'Dopo 7 giorni')
  await user.click(save)
  await screen.findByRole('alert')
  expect(select.value).toBe('Confermato')
  api.on(changePickupSettings, ({ body }) => (saved = body))
  await user.click(save)
  await screen.findByText('Impostazioni salvate')
  expect([saved, inactive(save)]).toEqual([{ readyStatus: 'Confermato', overdueDays: 7 }, true])
  expect(screen.queryByRole('heading', { name: 'Colonne di Airtable' })).toBeNull()
})

test('an owner names columns of the base, and is told which of them Airtable refuses', async () => {
  const none = { ready: null, collected: null, putBack: null }
  let refused = ['Ritirato il']
  const bodies: object[] = []
  const api = serverWith([])
    .on(getPickupSettings, () => ({ readyStatus: null, overdueDays: 3 }))
    .on(getPickupColumns, () => ({ columns: none, refused: [] }))
    .on(changePickupColumns, ({ body }) => {
      bodies.push(body)
      return { columns: body, refused }
    })
  const { user } = renderApp('/account/pickup', api)
  const section = within(await screen.findByRole('region', { name: 'Colonne di Airtable' }))
  const save = section.getByRole('button', { name: 'Salva' })
  const collected = section.getByRole('textbox', { name: 'Ritirato' })
  expect(inactive(save)).toBe(true)
  await user.type(section.getByRole('textbox', { name: 'Pronto' }), 'Pronto il')
  await user.type(collected, 'Ritirato il')
  await user.click(save)
  const missing = await section.findByRole('alert')
  expect([missing.textContent, collected]).toEqual([
    'Airtable non ha questa colonna, o non accetta una data.',
    section.getByRole('textbox', { description: missing.textContent, name: 'Ritirato' }),
  ])
  refused = []
  await user.clear(collected)
  await user.click(save)
  await screen.findByText('Colonne salvate')
  expect(section.queryByRole('alert')).toBeNull()
  const named = { ready: 'Pronto il', collected: 'Ritirato il', putBack: null }
  expect(bodies).toEqual([named, { ...named, collected: null }])
})
