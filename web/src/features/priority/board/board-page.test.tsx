import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import {
  changePrioritySession,
  getPriorityBoard,
  type PrioritySession,
  undoPriorityChange,
} from '@bancone/contract/priority'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { pharmacy } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { inactive } from '../../../../test/inactive.ts'
import { pressKeys, scan } from '../../../../test/press-keys.ts'
import { boardOf, priorityServer, session } from '../../../../test/priority.ts'
import { renderApp } from '../../../../test/render-app.tsx'
import { deferred, failure, rawReply, type StubApi } from '../../../../test/stub-api.ts'
import { withSession } from './board-changes.ts'

const button = (name: string) => screen.getByRole('button', { name })
const card = (name: string) => {
  const found = screen.getByRole('heading', { name, level: 3 }).closest('li')
  if (!found) throw new Error(`${name} has no card`)
  return within(found)
}
const names = () => screen.getAllByRole('heading', { level: 3 }).map((each) => each.textContent)
const reads = (api: StubApi) =>
  api.requests.filter(({ path }) => path === getPriorityBoard.path).length
const changes = (api: StubApi) =>
  api.requests.filter(({ path }) => path.endsWith('/status')).map(({ body }) => body)
const undone = (api: StubApi) =>
  api.requests.filter(({ path }) => path.endsWith('/undo')).map(({ body }) => body)

/** The page of a pharmacy with this board; changes are applied to it. */
async function open(board = boardOf()) {
  const { api, held } = priorityServer(board)
  const find = (id: string) => {
    const { waiting, sentBack, completed } = held.board
    return [...waiting, ...sentBack, ...completed].find((each) => each.id === id)
  }
  const before = new Map<string, PrioritySession>()
  api.on(changePrioritySession, ({ params, body }) => {
    const found = find(params.prioritySessionId)
    if (!found || found.status !== body.from || found.version !== body.version)
      return failure('priority.changed_meanwhile')
    before.set(found.id, found)
    const { to, desk } = body
    const moved = {
      ...found,
      status: to,
      calledAt:
        to === 'called' ? new Date().toISOString() : to === 'served' ? found.calledAt : null,
      calledBy: to === 'called' ? desk : found.calledBy,
      timesNotPresent: found.timesNotPresent + (to === 'link_sent' ? 1 : 0),
      version: found.version + 1,
    }
    held.board = withSession(held.board, moved)
    return moved
  })
  api.on(undoPriorityChange, ({ params, body }) => {
    const [found, was] = [find(params.prioritySessionId), before.get(params.prioritySessionId)]
    if (!found || !was || found.version !== body.version)
      return failure('priority.changed_meanwhile')
    const back = { ...was, version: found.version + 1 }
    held.board = withSession(held.board, back)
    return back
  })
  const view = renderApp('/priority', api)
  await screen.findByRole('heading', { name: 'Gestione Accesso Prioritario' })
  return { api, held, ...view }
}

test('those who wait are shown in their order, with all that is needed to call them', async () => {
  const late = session(12, {
    customerName: null,
    recordId: 'recAbCdEf9XyZ',
    phone: '+39 333 123 4567',
    place: 'In auto, posto 4',
    timesNotPresent: 2,
  })
  const coming = session(30, { status: 'on_the_way', onTheWayAt: '2026-01-05T09:20:00Z' })
  await open(boardOf({ waiting: [late, session(4)], onTheWay: [coming] }))
  await waitFor(() => expect(document.title).toBe('Priority · Bancone'))
  expect(screen.getByText('Connesso')).toBeDefined()
  expect(screen.getByText('Autenticato')).toBeDefined()
  const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent)
  expect(tabs).toEqual(['Clienti in Attesa (2)', 'Completati Oggi (0)'])
  expect(names()).toEqual(['Cliente #9XyZ', 'Cliente 4'])
  const first = card('Cliente #9XyZ')
  for (const text of ['In attesa', '412', 'Ordine 1012', 'In auto, posto 4'])
    expect(first.getByText(text)).toBeDefined()
  expect(first.getByText('Attende da molto: 12 minuti')).toBeDefined()
  expect(first.getByText('già segnalato 2 volte')).toBeDefined()
  expect(first.getByText(/^Arrivo \d\d:\d\d$/)).toBeDefined()
  expect(first.getByRole('link').getAttribute('href')).toBe('tel:+393331234567')
  expect(card('Cliente 4').getByText('In attesa da 4 minuti')).toBeDefined()
  expect(screen.getByRole('heading', { name: 'In arrivo (1)' })).toBeDefined()
  expect(screen.getByText('partito alle 10:20')).toBeDefined()
})

test('empty lists are named as such, and a broken connection is warned of', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api, user } = await open()
  expect(screen.getByText('Nessun cliente in attesa al momento')).toBeDefined()
  expect(screen.queryByText(/potrebbero non essere affidabili/)).toBeNull()
  api.on(getPriorityBoard, () => rawReply('<html>', 500))
  await user.click(button('Aggiorna'))
  expect(await screen.findByText('Errore')).toBeDefined()
  expect(screen.getByText(/potrebbero non essere affidabili/)).toBeDefined()
  expect(screen.queryByText(/ricaricare la pagina/)).toBeNull()
  for (let n = 0; n < 5; n += 1) await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(await screen.findByText(/prova a ricaricare la pagina/)).toBeDefined()
  await user.click(screen.getByRole('tab', { name: 'Completati Oggi (0)' }))
  expect(await screen.findByText('Nessun accesso prioritario completato oggi')).toBeDefined()
})

test('it is read every ten seconds, and says that it is being read', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api, held, user } = await open()
  const before = reads(api)
  held.board = boardOf({ waiting: [session(1)] })
  await act(() => vi.advanceTimersByTimeAsync(10_100))
  expect(await screen.findByRole('heading', { name: 'Cliente 1' })).toBeDefined()
  expect(reads(api)).toBeGreaterThan(before)
  const answer = deferred<typeof held.board>()
  api.on(getPriorityBoard, () => answer.promise)
  await user.click(button('Aggiorna'))
  const shown = () => screen.getByText('Aggiornamento...').getAttribute('aria-hidden')
  await waitFor(() => expect(shown()).toBe('false'))
  answer.resolve(boardOf())
  await waitFor(() => expect(shown()).toBe('true'))
})

test.each([
  [true, 'Connessione attiva e funzionante'],
  [false, 'Problemi di connessione rilevati'],
])('the test of the connection (%s) has a result after a second', async (works, result) => {
  const { api, user } = await open()
  if (!works) api.on(getPriorityBoard, () => rawReply('<html>', 500))
  await user.click(button('Test'))
  expect(await screen.findByText('Test di connessione in corso...')).toBeDefined()
  expect(screen.queryByText(result)).toBeNull()
  expect(await screen.findByText(result, {}, { timeout: 3_000 })).toBeDefined()
})

test('a call completes the session, in the name of the desk, and can be undone', async () => {
  const { api, user } = await open(boardOf({ waiting: [session(5), session(4)] }))
  await user.click(button('Dai un nome al banco'))
  await user.type(await screen.findByRole('textbox', { name: 'Nome del banco' }), 'Banco 2{Enter}')
  expect(await screen.findByRole('button', { name: /^Banco 2/ })).toBeDefined()
  await user.click(button('Chiama Cliente: Cliente 5'))
  expect(await screen.findByText('Cliente chiamato e servizio completato!')).toBeDefined()
  await waitFor(() => expect(names()).toEqual(['Cliente 4']))
  await focused(screen.getByRole('tabpanel'))
  await user.click(screen.getByRole('tab', { name: 'Completati Oggi (1)' }))
  expect(card('Cliente 5').getByText('Completato')).toBeDefined()
  expect(card('Cliente 5').getByText('Chiamato da Banco 2')).toBeDefined()
  // sonner captures the pointer, which jsdom cannot.
  fireEvent.click(button('Annulla'))
  expect(await screen.findByRole('tab', { name: 'Clienti in Attesa (2)' })).toBeDefined()
  const desk = 'Banco 2'
  expect(changes(api)).toEqual([{ from: 'user_arrived', to: 'called', version: 1, desk }])
  expect(undone(api)).toEqual([{ version: 2 }])
})

test('a digit leads to a customer and u to the undo, Enter does it, and a scanner calls nobody', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api, user } = await open(boardOf({ waiting: [session(5), session(4)] }))
  await user.click(button('Dai un nome al banco'))
  await user.type(await screen.findByRole('textbox'), '12u')
  await user.keyboard('{Escape}')
  await pressKeys(user, '1', '2')
  await focused(button('Chiama Cliente: Cliente 4'))
  for (const code of ['8032853240234', '21', '1', 'A023853014']) await scan(user, code)
  expect([changes(api), document.activeElement]).toEqual([[], button('Chiama Cliente: Cliente 4')])
  await pressKeys(user, '2', '{Enter}')
  await waitFor(() => expect(names()).toEqual(['Cliente 5']))
  await pressKeys(user, 'u')
  await focused(button('Annulla'))
  for (const code of ['8032853240234', 'u']) await scan(user, code)
  expect(undone(api)).toEqual([])
  await pressKeys(user, '{Enter}')
  await waitFor(() => expect(names()).toHaveLength(2))
  expect([changes(api).length, undone(api).length]).toEqual([1, 1])
  await pressKeys(user, '?')
  const help = within(await screen.findByRole('dialog', { name: 'Scorciatoie da tastiera' }))
  expect(help.getByText('Va al cliente con quel numero: Invio lo chiama')).toBeDefined()
})

test('a device that calls without a name is prompted for it once, when the call is final', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user } = await open(boardOf({ waiting: [session(5), session(4)] }))
  await user.click(button('Chiama Cliente: Cliente 5'))
  await screen.findByText('Cliente chiamato e servizio completato!')
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect(screen.queryByText('Come si chiama questo banco?')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  fireEvent.click(await screen.findByRole('button', { name: 'Dai un nome' }))
  expect(await screen.findByRole('dialog', { name: 'Questo banco' })).toBeDefined()
  await user.keyboard('{Escape}')
  await user.click(button('Chiama Cliente: Cliente 4'))
  await act(() => vi.advanceTimersByTimeAsync(12_000))
  expect(screen.queryByText('Come si chiama questo banco?')).toBeNull()
})

test('the second of two desks reads who was first, and a failed call is told', async () => {
  const { api, held, user } = await open(boardOf({ waiting: [session(5)] }))
  api.on(changePrioritySession, () => failure('service.unavailable'))
  await user.click(button('Chiama Cliente: Cliente 5'))
  expect(await screen.findByText('Errore nella chiamata del cliente')).toBeDefined()
  expect(inactive(button('Chiama Cliente: Cliente 5'))).toBe(false)
  const called = {
    status: 'called' as const,
    calledBy: 'Banco 1',
    calledAt: '2026-01-05T09:00:00Z',
  }
  api.on(changePrioritySession, () => {
    held.board = boardOf({ completed: [session(5, called)] })
    return rawReply(
      JSON.stringify({
        error: 'Lo stato del cliente è già stato cambiato.',
        code: 'priority.changed_meanwhile',
        requestId: 'test',
        details: { status: 'called', desk: 'Banco 1' },
      }),
      409,
    )
  })
  await user.click(button('Chiama Cliente: Cliente 5'))
  expect(await screen.findByText('Chiamato da Banco 1')).toBeDefined()
  expect(await screen.findByText('Nessun cliente in attesa al momento')).toBeDefined()
})

test('who is not there is put back at once by Annulla, and later from their own list', async () => {
  const { api, user } = await open(boardOf({ waiting: [session(5)] }))
  await user.click(button('Non presente: Cliente 5'))
  expect(await screen.findByText('Segnato come non presente')).toBeDefined()
  expect(await screen.findByRole('heading', { name: 'Non presenti (1)' })).toBeDefined()
  const sent = { from: 'user_arrived', to: 'link_sent', version: 1, desk: null }
  expect(changes(api)).toEqual([sent])
  fireEvent.click(button('Annulla'))
  expect(await screen.findByText('Operazione annullata')).toBeDefined()
  expect(names()).toEqual(['Cliente 5'])
  expect(screen.queryByText(/già segnalato/)).toBeNull()
  await user.click(button('Non presente: Cliente 5'))
  await user.click(await screen.findByRole('button', { name: 'Rimetti in attesa: Cliente 5' }))
  expect(await screen.findByText('già segnalato 1 volta')).toBeDefined()
  expect(screen.queryByRole('heading', { name: /^Non presenti/ })).toBeNull()
  expect(changes(api).at(-1)).toMatchObject({ from: 'link_sent', to: 'user_arrived', version: 4 })
})

test('who was called is served, has to wait again, or was not there', async () => {
  const called = (n: number) =>
    session(n, { status: 'called', calledAt: `2026-01-05T09:0${n}:00Z`, calledBy: null })
  const { api, user } = await open(boardOf({ completed: [called(3), called(2), called(1)] }))
  await user.click(screen.getByRole('tab', { name: 'Completati Oggi (3)' }))
  await user.click(button('Consegnato: Cliente 3'))
  expect(await screen.findByText('Segnato come consegnato')).toBeDefined()
  fireEvent.click(button('Annulla'))
  await user.click(await screen.findByRole('button', { name: 'Consegnato: Cliente 3' }))
  await user.click(button('Non presente: Cliente 2'))
  expect(await screen.findByText('Segnato come non presente')).toBeDefined()
  await user.click(button('Rimetti in attesa: Cliente 1'))
  expect(await screen.findByRole('tab', { name: 'Clienti in Attesa (1)' })).toBeDefined()
  expect(changes(api)).toMatchObject([
    { to: 'served', version: 1 },
    { to: 'served', version: 3 },
    { to: 'link_sent' },
    { to: 'user_arrived' },
  ])
})

test('a pharmacy without the feature reads what to do, and nothing is asked of the server', async () => {
  const { api } = priorityServer()
  api.on(getOwnPharmacy, () => pharmacy)
  renderApp('/priority', api)
  const title = 'Funzionalità Priority Access non abilitata'
  expect(await screen.findByRole('heading', { name: title })).toBeDefined()
  expect(
    screen.getByText("Contatta l'amministratore per abilitare questa funzionalità nel tuo piano."),
  ).toBeDefined()
  expect(reads(api)).toBe(0)
})

test('while it is being loaded the page says so', async () => {
  const { api } = priorityServer()
  const answer = deferred<ReturnType<typeof boardOf>>()
  api.on(getPriorityBoard, () => answer.promise)
  renderApp('/priority', api)
  expect(await screen.findByText('Caricamento in corso...')).toBeDefined()
  answer.resolve(boardOf())
  await screen.findByText('Nessun cliente in attesa al momento')
})
