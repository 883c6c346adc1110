import {
  changeOrderRetention,
  getOrderRetention,
  type OwnOrderRetention,
  previewOwnOrderRetention,
} from '@bancone/contract/order-retention'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { focused } from '../../../test/focused.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const first: OwnOrderRetention = { orderDays: null, platformDays: 180, isOnAirtable: false }

const server = (retention = first) =>
  serverWith([])
    .on(getOrderRetention, () => retention)
    .on(previewOwnOrderRetention, () => ({ orders: 12 }))
    .on(changeOrderRetention, ({ body }) => ({ ...retention, orderDays: body.orderDays }))
const open = (api: ReturnType<typeof server>) => renderApp('/account/customer-data', api)
const findSelect = () =>
  screen.findByRole<HTMLSelectElement>('combobox', { name: "Quanto tempo dopo l'ultima modifica" })
const save = () => screen.getByRole('button', { name: 'Salva la durata' })
const changes = (api: ReturnType<typeof server>) =>
  api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)

test('the time of the platform is there, and another is saved after a question', async () => {
  const api = server()
  const { user } = open(api)
  const select = await findSelect()
  expect([...select.options].map(({ text }) => text)).toEqual([
    'Come la piattaforma: 180 giorni',
    '30 giorni',
    '60 giorni',
    '90 giorni',
    '180 giorni',
    '1 anno',
    '2 anni',
  ])
  await user.selectOptions(select, '90 giorni')
  await user.click(save())
  const asked = await screen.findByRole('dialog', { name: 'Eliminare i dati dei clienti?' })
  expect(asked.textContent).toContain('da 12 ordini al massimo')
  await user.click(within(asked).getByRole('button', { name: 'Annulla' }))
  await focused(select)
  expect([select.value, changes(api)]).toEqual(['90', []])
  await user.click(save())
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Salva ed elimina' }))
  expect(await screen.findByText('Durata salvata')).toBeDefined()
  expect(changes(api)).toEqual([{ before: null, orderDays: 90 }])
})

test('a time that removes nothing is saved at once, and what a colleague has saved stays', async () => {
  const api = server({ orderDays: 45, platformDays: null, isOnAirtable: true })
  api.on(previewOwnOrderRetention, () => ({ orders: 0 }))
  const { user } = open(api)
  const select = await findSelect()
  expect([select.value, select.options[0]?.text]).toEqual(['45', 'Come la piattaforma: mai'])
  expect(screen.getByText(/I tuoi ordini sono in Airtable/)).toBeDefined()
  await user.selectOptions(select, '2 anni')
  await user.click(save())
  await screen.findByText('Durata salvata')
  await user.selectOptions(select, 'Come la piattaforma: mai')
  const text = 'Un collega ha cambiato la durata nel frattempo: ricarica la pagina e riprova.'
  api.on(changeOrderRetention, () => failure('order_retention.changed_meanwhile', text))
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(select.value).toBe('')
  expect(changes(api)).toEqual([
    { before: 45, orderDays: 730 },
    { before: 730, orderDays: null },
  ])
})
