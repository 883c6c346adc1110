import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { getPriorityBoard, issuePriorityLinks, type PriorityLink } from '@bancone/contract/priority'
import { recordCounterPresence } from '@bancone/contract/priority-counters'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { orders, pharmacy } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { boardOf, withPriority } from '../../../../test/priority.ts'
import { renderApp, serverWith } from '../../../../test/render-app.tsx'
import { failure } from '../../../../test/stub-api.ts'

const TOKEN = 'aaaaaaaaaaaaaaaaaaaaaa'

function linkOf(recordId: string, whatsAppNumber: string | null): PriorityLink {
  const url = `https://bancone.example/priority/PHARM-0001/${recordId}#t=${TOKEN}`
  return {
    recordId,
    prioritySessionId: `3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d0${recordId.slice(-1)}`,
    orderNumber: String(Number(recordId.slice(-1))),
    customerName: `Cliente ${recordId.slice(-1)}`,
    url,
    whatsAppNumber,
    message: `Ciao! Apri ${url}`,
    expiresAt: '2026-11-30T10:00:00Z',
  }
}

function server() {
  return serverWith(orders(3))
    .on(getOwnPharmacy, () => withPriority)
    .on(getPriorityBoard, () => boardOf())
    .on(recordCounterPresence, () => ({}))
    .on(issuePriorityLinks, ({ body }) => ({
      links: body.recordIds
        .filter((id) => id !== 'rec000002')
        .map((id) => linkOf(id, id === 'rec000003' ? '393331234567' : null)),
      refused: body.recordIds.filter((id) => id === 'rec000002'),
    }))
}

const issue = () => screen.findByRole('button', { name: 'Invia link Priority' })

test('from an order: link, code and message, which stay out of the cache', async () => {
  const { user, client } = renderApp('/?ordine=rec000003', server())
  const button = await issue()
  await user.click(button)
  const dialog = within(await screen.findByRole('dialog', { name: 'Invia link Priority' }))
  const whatsApp = await dialog.findByRole('link', { name: 'WhatsApp' })
  const { url, message } = linkOf('rec000003', null)
  expect(whatsApp.getAttribute('href')).toBe(
    `https://wa.me/393331234567?text=${encodeURIComponent(message)}`,
  )
  expect(dialog.getByTitle('QR code del link Priority')).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Copia link Priority' }))
  expect(await navigator.clipboard.readText()).toBe(url)
  const kept = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) =>
    cache.getAll().map(({ state }) => state.data),
  )
  const stored = [Object.entries(localStorage), Object.entries(sessionStorage)]
  expect(JSON.stringify([kept, stored])).not.toContain(TOKEN)
  await user.click(dialog.getByRole('button', { name: 'Chiudi' }))
  await focused(button)
})

test('from a selection: a list of links, and what has none', async () => {
  const { user } = renderApp('/', server())
  const boxes = await screen.findAllByRole('checkbox', { name: /^Seleziona ordine/ })
  for (const box of boxes) await user.click(box)
  await user.click(await issue())
  const dialog = within(await screen.findByRole('dialog', { name: 'Invia i link Priority' }))
  const list = await dialog.findByRole('list', { name: 'Link da inviare' })
  expect([...list.children].map(({ textContent }) => textContent)).toEqual([
    'Cliente 3Ordine 3WhatsApp, ordine 3',
    'Cliente 1Ordine 1Senza numero per WhatsApp',
  ])
  expect(dialog.getByText(/^Per un ordine non c’è un link/)).toBeDefined()
})

test('what could not be issued can be tried again', async () => {
  const api = server().on(issuePriorityLinks, () =>
    failure('priority.too_many', 'Troppi link in poco tempo. Riprova tra un minuto.'),
  )
  const { user } = renderApp('/?ordine=rec000003', api)
  await user.click(await issue())
  expect(await screen.findByText('Troppi link in poco tempo. Riprova tra un minuto.')).toBeDefined()
  api.on(issuePriorityLinks, () => ({ links: [linkOf('rec000003', null)], refused: [] }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Senza numero per WhatsApp')).toBeDefined()
})

test('a pharmacy without the feature issues none', async () => {
  renderApp(
    '/?ordine=rec000003',
    server().on(getOwnPharmacy, () => pharmacy),
  )
  await screen.findByRole('button', { name: 'Stampa foglio' })
  expect(screen.queryByRole('button', { name: 'Invia link Priority' })).toBeNull()
})
