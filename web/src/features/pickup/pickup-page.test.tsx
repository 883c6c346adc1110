import {
  changePickupSettings,
  getPickupSettings,
  type PickupSettings,
} from '@bancone/contract/order-pickup'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

test('an owner says which status makes ready, and what was not saved stays', async () => {
  let saved: PickupSettings = { readyStatus: null, overdueDays: 3 }
  const api = serverWith([])
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
})
