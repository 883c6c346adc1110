import { listAccountSessions } from '@bancone/contract/account'
import { listApiKeys } from '@bancone/contract/api-keys'
import { getOwnPharmacy, type OwnPharmacy } from '@bancone/contract/pharmacies'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountServer, openAccount, section } from '../../../test/account.ts'
import { authError } from '../../../test/auth-error.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { storageKeys } from '../../lib/storage-keys.ts'

const title = () => screen.findByRole('heading', { level: 1, name: 'Sicurezza' })
const titles = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

test('the menu of the name leads to the page, which says one matter after the other', async () => {
  const { api } = accountServer()
  const { user } = renderApp('/', api)
  await user.click(await screen.findByRole('button', { name: pharmacy.name }))
  await user.click(screen.getByRole('menuitem', { name: 'Sicurezza' }))
  await focused(await title())
  expect(document.title).toBe('Sicurezza · Bancone')
  await section('Chiavi API')
  expect(titles()).toEqual([
    'Il tuo account',
    'Password',
    'Verifica in due passaggi',
    'Dispositivi',
    'Chiavi API',
    "Visite dell'assistenza",
    'Attività recente',
  ])
})

test('an owner is led to the keys, which are counted; a colleague is told nothing of them', async () => {
  const server = accountServer()
  const key = { id: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41', name: 'Sito', start: 'bnc_1' }
  server.api.on(listApiKeys, () => ({
    keys: [{ ...key, createdAt: '2026-01-05T07:30:00Z', lastUsedAt: null }],
  }))
  const { unmount } = openAccount(server)
  const keys = await section('Chiavi API')
  expect(await keys.findByText('Una chiave attiva.')).toBeDefined()
  expect(keys.getByRole('link', { name: 'Gestisci le chiavi' }).getAttribute('href')).toBe(
    '/account/api-keys',
  )
  unmount()

  const other = accountServer()
  const colleague: OwnPharmacy = { ...pharmacy, role: 'staff', personName: 'Anna' }
  other.api.on(getOwnPharmacy, () => colleague)
  openAccount(other)
  await section('Attività recente')
  await screen.findByDisplayValue('Anna')
  expect(titles()).not.toContain('Chiavi API')
  expect(other.api.requests.some(({ path }) => path === listApiKeys.path)).toBe(false)
})

test("the administrator's header leads to the same page, with their own session", async () => {
  const server = accountServer()
  const { user } = openAccount(server, { area: 'admin' })
  await title()
  await user.click(screen.getByRole('link', { name: /amministratori|Amministrazione/ }))
  await screen.findByRole('heading', { name: 'Dashboard amministratori' })
  await user.click(screen.getByRole('link', { name: /^Sicurezza: amministrazione@/ }))
  await focused(await title())
  await section('Dispositivi')
  expect(titles()).not.toContain('Chiavi API')
  const asked = server.api.requests.filter(({ path }) => path === listAccountSessions.path)
  const { access_token } = server.session()
  expect(asked.map(({ bearer }) => bearer)).toEqual(asked.map(() => `Bearer ${access_token}`))
  expect(server.api.requests.some(({ path }) => path === getOwnPharmacy.path)).toBe(false)
})

test('a session that has ended meanwhile leads to the login, which says so', async () => {
  const server = accountServer()
  const { user } = openAccount(server)
  const person = await section('Il tuo account')
  await user.type(await person.findByLabelText('Nome e cognome'), 'Anna')
  server.api
    .auth('PUT', '/user', () => authError(403, 'session_not_found'))
    .auth('POST', '/token', () => authError(400, 'session_not_found'))
  await user.click(person.getByRole('button', { name: 'Salva il nome' }))
  expect(await screen.findByRole('heading', { name: 'Accedi' })).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('La sessione è scaduta. Accedi di nuovo.')
  expect(localStorage.getItem(storageKeys.pharmacy.session)).toBeNull()
})
