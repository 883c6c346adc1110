import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@bancone/contract/api-keys'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const SECRET = 'bnc_0123456789abcdefghijklmnopqrstuvwxyz'

function key(n: number, traits: Partial<ApiKey> = {}): ApiKey {
  return {
    id: `3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d4${n}`,
    name: `Programma ${n}`,
    start: `bnc_${n}a2b`,
    createdAt: '2026-01-05T07:30:00Z',
    lastUsedAt: null,
    ...traits,
  }
}

function server(keys: ApiKey[]) {
  return serverWith([])
    .on(listApiKeys, () => ({ keys }))
    .on(createApiKey, ({ body: { name } }) => {
      const made = key(9, { name })
      keys.unshift(made)
      return { ...made, key: SECRET }
    })
    .on(revokeApiKey, ({ params }) => {
      keys.splice(
        keys.findIndex(({ id }) => id === params.keyId),
        1,
      )
      return {}
    })
}

const page = '/account/api-keys'
const heading = () => screen.findByRole('heading', { name: 'Chiavi API' })
const newKey = () => screen.getByRole('button', { name: 'Nuova chiave' })

test('the menu of the name leads to the keys, which say when they were used', async () => {
  const keys = [key(2, { lastUsedAt: '2026-01-06T09:00:00Z' }), key(1)]
  const { user } = renderApp('/', server(keys))
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Chiavi API' }))
  await focused(await heading())
  expect(document.title).toBe('Chiavi API · Bancone')
  const list = (await screen.findByText('Programma 1')).closest('ul')
  const items = [...(list?.children ?? [])].map(({ textContent }) => textContent)
  expect(items).toEqual([
    'Programma 2bnc_2a2b…Creata il 05/01/2026 08:30 · usata il 06/01/2026 10:00Revoca',
    'Programma 1bnc_1a2b…Creata il 05/01/2026 08:30 · mai usataRevoca',
  ])
})

test('a new key is shown once, and cannot be closed by mistake', async () => {
  const { user, client } = renderApp(page, server([]))
  await screen.findByText('Nessuna chiave')
  await user.click(newKey())
  const dialog = within(await screen.findByRole('dialog', { name: 'Nuova chiave' }))
  await focused(dialog.getByRole('textbox', { name: 'Nome' }))
  await user.keyboard('Il nostro sito{Enter}')
  expect(await dialog.findByText(SECRET)).toBeDefined()
  await user.keyboard('{Escape}')
  expect((await dialog.findByRole('alert')).textContent).toContain('Prima copia la chiave')
  expect(dialog.getByText(SECRET)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Ho copiato la chiave' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Il nostro sito')).toBeDefined()
  await focused(newKey())
  expect(screen.queryByText(SECRET)).toBeNull()
  const kept = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) =>
    cache.getAll().map(({ state }) => state.data),
  )
  expect(
    JSON.stringify([kept, Object.entries(localStorage), Object.entries(sessionStorage)]),
  ).not.toContain(SECRET)
})

test('it can be copied, and where that is not possible it says so', async () => {
  const { user } = renderApp(page, server([]))
  await screen.findByText('Nessuna chiave')
  await user.click(newKey())
  await user.type(await screen.findByRole('textbox', { name: 'Nome' }), 'Sito{Enter}')
  const dialog = within(screen.getByRole('dialog'))
  const copy = await dialog.findByRole('button', { name: 'Copia la chiave' })
  await user.click(copy)
  expect(await dialog.findByText('Copiato')).toBeDefined()
  expect(await navigator.clipboard.readText()).toBe(SECRET)
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(
    new DOMException('no', 'NotAllowedError'),
  )
  await user.click(copy)
  expect(await dialog.findByText(/Copia non riuscita/)).toBeDefined()
})

test('without a name there is no key; what the server refuses is said and the name stays', async () => {
  const api = server([]).on(createApiKey, () => failure('api_keys.too_many'))
  const { user } = renderApp(page, api)
  await screen.findByText('Nessuna chiave')
  await user.click(newKey())
  await user.click(await screen.findByRole('button', { name: 'Crea' }))
  expect(await screen.findByText('Dai un nome alla chiave.')).toBeDefined()
  expect(api.requests.some(({ method }) => method === 'POST')).toBe(false)
  await user.type(screen.getByRole('textbox', { name: 'Nome' }), 'Sito{Enter}')
  expect(
    (await screen.findByText(/Hai già 10 chiavi attive/)).closest('[role=alert]'),
  ).not.toBeNull()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Nome' }).value).toBe('Sito')
})

test('while a key is made it is not asked for twice', async () => {
  const answer = deferred<ReturnType<typeof failure>>()
  const api = server([]).on(createApiKey, () => answer.promise)
  const { user } = renderApp(page, api)
  await screen.findByText('Nessuna chiave')
  await user.click(newKey())
  await user.type(await screen.findByRole('textbox', { name: 'Nome' }), 'Sito{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Creazione in corso…' }))
  await user.type(screen.getByRole('textbox', { name: 'Nome' }), '{Enter}')
  expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  answer.resolve(failure('internal'))
  expect(await screen.findByRole('button', { name: 'Crea' })).toBeDefined()
})

test('a key is revoked after a question, and is gone', async () => {
  const { user } = renderApp(page, server([key(2), key(1)]))
  const revoke = await screen.findByRole('button', { name: 'Revoca la chiave Programma 2' })
  await user.click(revoke)
  const title = { name: 'Revocare la chiave «Programma 2»?' }
  const dialog = within(await screen.findByRole('dialog', title))
  await user.click(dialog.getByRole('button', { name: 'Annulla' }))
  await focused(revoke)
  await user.click(revoke)
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoca' }),
  )
  expect(await screen.findByText('Chiave revocata')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Programma 2')).toBeNull())
  expect(screen.getByText('Programma 1')).toBeDefined()
  await focused(newKey())
})

test('with ten keys there is no room for another, and it says so', async () => {
  const keys = Array.from({ length: 10 }, (_, n) => key(n))
  const { user } = renderApp(page, server(keys))
  await screen.findByText('Programma 0')
  expect(inactive(newKey())).toBe(true)
  await user.click(newKey())
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByText(/Hai 10 chiavi, il massimo/)).toBeDefined()
})

test('the guide has an example of this server without a key, and leads to the document', async () => {
  renderApp(page, server([key(1)]))
  const example = await screen.findByLabelText('Esempio di comando')
  expect(example.textContent).toContain(`curl -X POST ${location.origin}/api/orders`)
  expect(example.textContent).not.toContain('bnc_')
  expect(screen.getByRole('link', { name: /Documentazione/ }).getAttribute('href')).toBe(
    '/api/docs',
  )
})
