import {
  changeOrderRetention,
  getOrderRetention,
  listHeldOrders,
  type OwnOrderRetention,
  previewOwnOrderRetention,
} from '@bancone/contract/order-retention'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const first: OwnOrderRetention = { orderDays: null, platformDays: 180, isOnAirtable: false }

const server = (retention = first) =>
  serverWith([])
    .on(getOrderRetention, () => retention)
    .on(listHeldOrders, () => ({ orders: [] }))
    .on(previewOwnOrderRetention, () => ({ orders: 12 }))
    .on(changeOrderRetention, ({ body }) => ({ ...retention, orderDays: body.orderDays }))
const open = (api: ReturnType<typeof server>) => renderApp('/account/customer-data', api)
const findSelect = () =>
  screen.findByRole<HTMLSelectElement>('combobox', { name: 'Quando si eliminano' })
const save = () => screen.getByRole('button', { name: 'Salva la durata' })
const changes = (api: ReturnType<typeof server>) =>
  api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)

test('the time of the platform is there, and another is saved after a question', async () => {
  const api = server()
  const { user } = open(api)
  const select = await findSelect()
  expect([...select.options].map(({ text }) => text)).toEqual([
    'Come la piattaforma: dopo 180 giorni',
    'Dopo 30 giorni',
    'Dopo 60 giorni',
    'Dopo 90 giorni',
    'Dopo 180 giorni',
    'Dopo 1 anno',
    'Dopo 2 anni',
  ])
  expect(inactive(save())).toBe(true)
  await user.selectOptions(select, 'Dopo 90 giorni')
  await user.click(save())
  const asked = await screen.findByRole('dialog', { name: 'Eliminare i dati dei clienti?' })
  expect(asked.textContent).toContain(
    'Se si eliminano dopo 90 giorni, dalla prossima notte i dati del cliente spariscono da 12 ordini al massimo',
  )
  await user.click(within(asked).getByRole('button', { name: 'Annulla' }))
  await focused(select)
  expect([select.value, changes(api)]).toEqual(['', []])
  await user.selectOptions(select, 'Dopo 90 giorni')
  await user.click(save())
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Salva ed elimina' }))
  expect(await screen.findByText('Durata salvata')).toBeDefined()
  expect(changes(api)).toEqual([{ orderDays: 90, seen: { orderDays: null, platformDays: 180 } }])
})

test('a time that removes nothing is saved at once, and what was chosen meanwhile is not', async () => {
  const api = server({ orderDays: 45, platformDays: null, isOnAirtable: true })
  const counted = deferred<{ orders: number }>()
  api.on(previewOwnOrderRetention, () => counted.promise)
  const { user } = open(api)
  const select = await findSelect()
  expect([select.value, select.options[0]?.text]).toEqual(['45', 'Come la piattaforma: mai'])
  expect(screen.getByText(/I tuoi ordini sono in Airtable/)).toBeDefined()
  await user.selectOptions(select, 'Dopo 2 anni')
  await user.click(save())
  await user.selectOptions(select, 'Dopo 30 giorni')
  counted.resolve({ orders: 0 })
  await screen.findByText('Durata salvata')
  expect(changes(api)).toEqual([{ orderDays: 730, seen: { orderDays: 45, platformDays: null } }])
  expect(select.value).toBe('30')
  await user.click(save())
  await waitFor(() => expect(changes(api)).toHaveLength(2))
  expect(changes(api)[1]).toEqual({ orderDays: 30, seen: { orderDays: 730, platformDays: null } })
})

test.each([0, 12])(
  'what has changed meanwhile is refused and shown (%i orders)',
  async (orders) => {
    const retention = { ...first }
    const text = 'La durata è cambiata nel frattempo: ora vedi quella attuale.'
    const api = server(retention)
      .on(getOrderRetention, () => retention)
      .on(previewOwnOrderRetention, () => ({ orders }))
      .on(changeOrderRetention, () => failure('order_retention.changed_meanwhile', text))
    const { user } = open(api)
    const select = await findSelect()
    await user.selectOptions(select, 'Dopo 2 anni')
    retention.orderDays = 60
    retention.platformDays = 30
    await user.click(save())
    if (orders > 0) {
      await user.click(await screen.findByRole('button', { name: 'Salva ed elimina' }))
      await focused(select)
    }
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(select.value).toBe('60'))
    expect(select.options[0]?.text).toBe('Come la piattaforma: dopo 30 giorni')
  },
)

test('orders that are held are listed, with a link to each', async () => {
  const at = '2026-01-05T07:30:00Z'
  const who = { name: 'Anna', you: false, here: false }
  const held = { recordId: 'rec000042', number: '42', reason: 'Reclamo', who, at }
  const api = server().on(listHeldOrders, () => ({ orders: [held] }))
  open(api)
  const section = within(
    await screen.findByRole('region', { name: "Ordini con l'eliminazione bloccata" }),
  )
  expect(section.getByRole('listitem').textContent).toContain('Reclamo')
  expect(section.getByRole('listitem').textContent).toContain('Anna · 05/01/2026 08:30')
  const link = section.getByRole('link', { name: 'Ordine 42' })
  expect(link.getAttribute('href')).toBe('/?ordine=rec000042')
})
