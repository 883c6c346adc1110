import {
  cancelOrderExport,
  downloadOrderExport,
  getOrderExport,
  type OrderExport,
  startOrderExport,
} from '@bancone/contract/order-exports'
import { countOrders } from '@bancone/contract/order-search'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { fakeDownloads } from '../../../../test/fake-downloads.ts'
import { pageOf } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { inactive } from '../../../../test/inactive.ts'
import { renderPart, signedIn } from '../../../../test/render-part.tsx'
import { failure, rawReply, StubApi } from '../../../../test/stub-api.ts'
import { setViewport } from '../../../../test/viewport.ts'
import { Providers } from '../../../app/providers.tsx'
import { pharmacySession } from '../../../lib/session.ts'
import { OrderActions } from '../page/order-actions.tsx'
import { exportRun } from './export-run.ts'

const { counts } = pageOf([], { page: 1, pageSize: 1 })
const made: OrderExport = {
  id: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41',
  format: 'csv',
  state: 'ready',
  total: 1234,
  done: 0,
  fileName: 'ordini-2026-11-21.csv',
}

/** A file that comes when the test says so. */
function slowFile() {
  let stream: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      stream = controller
    },
  })
  return {
    body,
    end() {
      stream?.enqueue(new TextEncoder().encode('ID Ordine;Cliente'))
      stream?.close()
    },
    fail: () => stream?.error(new TypeError('terminated')),
  }
}

function server() {
  let state: OrderExport['state'] = 'running'
  const file = slowFile()
  const api = new StubApi()
    .on(countOrders, () => ({ total: 37, all: 1234, counts, late: 0, toCollect: 0, overdue: 0 }))
    .on(startOrderExport, ({ body }) => ({ ...made, format: body.format }))
    .on(getOrderExport, () => ({ ...made, state, done: 617 }))
    .on(downloadOrderExport, () => rawReply(file.body, 200))
    .on(cancelOrderExport, () => ({}))
    .auth('POST', '/logout', () => new Response(null, { status: 204 }))
  signedIn(api)
  onTestFinished(() => {
    exportRun.cancel()
    exportRun.reset()
  })
  return { api, file, become: (next: OrderExport['state']) => (state = next) }
}

async function open(address = '/') {
  const view = renderPart(
    <Providers>
      <OrderActions onCreated={() => undefined} onShow={() => undefined} more={null}>
        {null}
      </OrderActions>
    </Providers>,
    address,
  )
  await view.user.click(screen.getByRole('button', { name: 'Esporta' }))
  return { ...view, dialog: await screen.findByRole('dialog', { name: 'Esporta gli ordini' }) }
}

const button = (name: string) => within(screen.getByRole('dialog')).getByRole('button', { name })

async function begun(address?: string) {
  const view = await open(address)
  await waitFor(() => expect(inactive(button('Esporta'))).toBe(false))
  await view.user.click(button('Esporta'))
  await screen.findByRole('progressbar')
  return view
}

test('what is filtered is counted, and asked for with its words in a body', async () => {
  const { api } = server()
  const { dialog, user } = await open('/?stato=Annullato&ordina=cliente#q=mario%20rossi')
  await within(dialog).findByText('37 ordini trovati con i filtri attuali.')
  await user.click(within(dialog).getByRole('radio', { name: 'XLSX' }))
  await user.click(button('Esporta'))
  await screen.findByRole('progressbar')
  const asked = api.requests.find(({ path }) => path === '/api/orders/exports')
  expect(asked?.body).toEqual({
    q: 'mario rossi',
    stato: ['Annullato'],
    format: 'xlsx',
    ordina: 'cliente',
  })
  expect(api.requests.every(({ path }) => !path.includes('mario'))).toBe(true)
})

test('without a filter it is all orders, and without orders there is nothing to export', async () => {
  const { api } = server()
  api.on(countOrders, () => ({ total: 1234, all: 1234, counts, late: 0, toCollect: 0, overdue: 0 }))
  const { dialog, unmount } = await open()
  expect(await within(dialog).findByText('Tutti i 1.234 ordini.')).toBeDefined()
  unmount()
  api.on(countOrders, () => ({ total: 0, all: 0, counts, late: 0, toCollect: 0, overdue: 0 }))
  const again = await open()
  expect(await within(again.dialog).findByText('Non ci sono ancora ordini.')).toBeDefined()
  expect(inactive(button('Esporta'))).toBe(true)
})

test('a count that fails says so, and can be asked for again', async () => {
  const { api } = server()
  api.on(countOrders, () => failure('internal'))
  const { dialog, user } = await open()
  await within(dialog).findByRole('alert')
  api.on(countOrders, () => ({ total: 1, all: 1, counts, late: 0, toCollect: 0, overdue: 0 }))
  await user.click(button('Riprova'))
  expect(await within(dialog).findByText("L'unico ordine che c'è.")).toBeDefined()
})

test('the progress is told, and at the end the file is saved under its name', async () => {
  const downloads = fakeDownloads()
  const { file, become } = server()
  await begun()
  expect(await screen.findByText('617 di 1.234 ordini')).toBeDefined()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50')
  become('done')
  file.end()
  await screen.findByText('File salvato tra i download: ordini-2026-11-21.csv')
  await waitFor(() =>
    expect(downloads.saved).toEqual([{ name: 'ordini-2026-11-21.csv', text: 'ID Ordine;Cliente' }]),
  )
  expect(await screen.findByText('Esportazione completata')).toBeDefined()
})

test('Annulla gives it up here and on the server', async () => {
  const downloads = fakeDownloads()
  const { api } = server()
  const { user } = await begun()
  await user.click(button('Annulla'))
  expect(await screen.findByText('Esportazione annullata.')).toBeDefined()
  await waitFor(() => {
    expect(api.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/api/orders/exports/${made.id}`,
    })
  })
  expect(document.activeElement).toBe(button('Esporta'))
  expect(downloads.saved).toEqual([])
})

test.each(['fails', 'ends too early'])('a file that %s is not saved', async (how) => {
  const downloads = fakeDownloads()
  const { file, become } = server()
  await begun()
  if (how === 'fails') file.fail()
  else {
    become('failed')
    file.end()
  }
  const dialog = screen.getByRole('dialog')
  expect((await within(dialog).findByRole('alert')).textContent).toBe(
    'Il file non è completo: riprova.',
  )
  expect(downloads.saved).toEqual([])
  expect(inactive(button('Esporta'))).toBe(false)
})

test('what the server refuses is said', async () => {
  const { api } = server()
  api.on(startOrderExport, () => failure('exports.too_many'))
  const { dialog, user } = await open()
  await waitFor(() => expect(inactive(button('Esporta'))).toBe(false))
  await user.click(button('Esporta'))
  expect((await within(dialog).findByRole('alert')).textContent).toContain('troppe esportazioni')
})

test('closed, it goes on, also to be seen: the file is saved and a toast says so', async () => {
  const downloads = fakeDownloads()
  const { file, become } = server()
  const { user } = await begun()
  await user.click(button('Chiudi'))
  await focused(screen.getByRole('button', { name: 'Esporta' }))
  await user.click(screen.getByRole('button', { name: 'Esporta' }))
  expect(await screen.findByRole('progressbar')).toBeDefined()
  await user.click(button('Chiudi'))
  become('done')
  file.end()
  expect(await screen.findByText('Esportazione completata')).toBeDefined()
  await waitFor(() => expect(downloads.saved).toHaveLength(1))
})

test('it ends with the session, and nothing of it is left', async () => {
  const downloads = fakeDownloads()
  const { file } = server()
  await begun()
  pharmacySession.signOut()
  file.end()
  await waitFor(() => expect(exportRun.state()).toEqual({ state: 'idle' }))
  expect(downloads.saved).toEqual([])
})

test('on a phone it is behind a button, and gets the focus back', async () => {
  setViewport('narrow')
  server()
  const { user } = renderPart(
    <Providers>
      <OrderActions onCreated={() => undefined} onShow={() => undefined} more={null}>
        {null}
      </OrderActions>
    </Providers>,
  )
  const more = screen.getByRole('button', { name: 'Altro' })
  expect(more.getAttribute('aria-expanded')).toBe('false')
  await user.click(more)
  expect(more.getAttribute('aria-expanded')).toBe('true')
  const panel = document.getElementById(more.getAttribute('aria-controls') ?? '')
  expect(panel?.textContent).toBe('EsportaRiepilogo del giorno')
  await user.click(screen.getByRole('button', { name: 'Esporta' }))
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await focused(screen.getByRole('button', { name: 'Esporta' }))
})
