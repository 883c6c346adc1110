import { inviteColleague } from '@bancone/contract/colleagues'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { colleague, colleagueServer } from '../../../test/colleagues.ts'
import { sessionOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, storeSession } from '../../../test/render-app.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const inviteButton = () => screen.findByRole('button', { name: 'Invita un collega' })

async function openSheet(api: StubApi) {
  const { user, unmount } = renderApp('/account/colleagues', api)
  await user.click(await inviteButton())
  const sheet = within(await screen.findByRole('dialog', { name: 'Invita un collega' }))
  const name = sheet.getByRole<HTMLInputElement>('textbox', { name: 'Nome e cognome' })
  const email = sheet.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
  return { user, unmount, sheet, name, email }
}

const posts = (api: StubApi) => api.requests.filter(({ method }) => method === 'POST')

test('a colleague is invited as a helper by default, and is in the list', async () => {
  const api = colleagueServer([])
  const { user, sheet, name } = await openSheet(api)
  await focused(name)
  const helper = sheet.getByRole<HTMLInputElement>('radio', { name: 'Collaboratore' })
  expect(helper.checked).toBe(true)
  const described = helper.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toContain('Non gestisce i colleghi')
  await user.keyboard(' Giulia Ferri {Tab} giulia@example.it ')
  await user.click(sheet.getByRole('button', { name: 'Invia invito' }))
  expect(await screen.findByText('Invito inviato')).toBeDefined()
  expect(posts(api).map(({ body }) => body)).toEqual([
    { name: 'Giulia Ferri', email: 'giulia@example.it', role: 'staff' },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Giulia Ferri')).toBeDefined()
  await focused(await inviteButton())
  await user.click(await inviteButton())
  const again = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nome e cognome' })
  expect(again.value).toBe('')
})

test('what is missing or wrong is said at its field, and nothing is sent', async () => {
  const api = colleagueServer([])
  const { user, sheet, name, email } = await openSheet(api)
  await user.click(sheet.getByRole('button', { name: 'Invia invito' }))
  expect(await sheet.findByText('Scrivi nome e cognome.')).toBeDefined()
  expect(sheet.getByText("Scrivi l'indirizzo email.")).toBeDefined()
  await user.click(name)
  await user.paste('x'.repeat(81))
  await user.type(email, 'giulia@')
  expect(await sheet.findByText('Al massimo 80 caratteri.')).toBeDefined()
  expect(await sheet.findByText(/non è completo/)).toBeDefined()
  expect(email.getAttribute('aria-invalid')).toBe('true')
  expect(posts(api)).toEqual([])
})

test('an address that has an account is said at the field, and what was typed stays', async () => {
  const api = colleagueServer([]).on(inviteColleague, () => failure('colleagues.address_taken'))
  const { user, sheet, name, email } = await openSheet(api)
  await user.type(name, 'Giulia Ferri')
  await user.type(email, 'giulia@example.it')
  await user.click(sheet.getByRole('radio', { name: 'Titolare' }))
  await user.click(sheet.getByRole('button', { name: 'Invia invito' }))
  expect((await sheet.findByRole('alert')).textContent).toContain('ha già un account Bancone')
  await focused(email)
  expect([name.value, email.value]).toEqual(['Giulia Ferri', 'giulia@example.it'])
  expect(sheet.getByRole<HTMLInputElement>('radio', { name: 'Titolare' }).checked).toBe(true)
})

test.each([
  ['colleagues.too_many', /Hai già 30 colleghi/],
  ['colleagues.too_many_mails', /troppi inviti/],
  ['service.unavailable', /non è disponibile/],
] as const)('%s is said above the fields, and the button is there again', async (code, words) => {
  const answer = deferred<ReturnType<typeof failure>>()
  const api = colleagueServer([]).on(inviteColleague, () => answer.promise)
  const { user, sheet, name, email } = await openSheet(api)
  await user.type(name, 'Giulia Ferri')
  await user.type(email, 'giulia@example.it')
  await user.click(sheet.getByRole('button', { name: 'Invia invito' }))
  const busy = await sheet.findByRole('button', { name: 'Invio in corso…' })
  expect(inactive(busy)).toBe(true)
  await user.click(busy)
  expect(posts(api)).toHaveLength(1)
  answer.resolve(failure(code))
  expect((await sheet.findByRole('alert')).textContent).toMatch(words)
  expect(sheet.getByRole('button', { name: 'Invia invito' })).toBeDefined()
  expect(email.value).toBe('giulia@example.it')
})

test('a draft survives a look at another page, and is not shown to the next user', async () => {
  const api = colleagueServer([colleague(1)])
  const { user, name } = await openSheet(api)
  await user.type(name, 'Giulia')
  await user.keyboard('{Escape}')
  await user.click(await inviteButton())
  const typed = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nome e cognome' })
  expect(typed.value).toBe('Giulia')
  // Another owner signs in with the same browser.
  storeSession('pharmacy', sessionOf('6a0b7d5d-1c9f-4b0d-8e5e-1b6a7c0d1e2f'))
  const key = storageKeys.pharmacy.session
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await inviteButton())
  const blank = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nome e cognome' })
  expect(blank.value).toBe('')
})

test('who closes it while it is sent is told that it did not work', async () => {
  const answer = deferred<ReturnType<typeof failure>>()
  const api = colleagueServer([]).on(inviteColleague, () => answer.promise)
  const { user, sheet, name, email } = await openSheet(api)
  await user.type(name, 'Giulia Ferri')
  await user.type(email, 'giulia@example.it')
  await user.click(sheet.getByRole('button', { name: 'Invia invito' }))
  await sheet.findByRole('button', { name: 'Invio in corso…' })
  await user.click(sheet.getByRole('button', { name: 'Chiudi' }))
  answer.resolve(failure('service.unavailable'))
  expect(await screen.findByText("L'invito non è stato inviato")).toBeDefined()
})
