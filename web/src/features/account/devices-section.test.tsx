import { endAccountSession, listAccountSessions } from '@bancone/contract/account'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  accountServer,
  device,
  openAccount,
  section,
  unknownDevice,
} from '../../../test/account.ts'
import { authError } from '../../../test/auth-error.ts'
import { focused } from '../../../test/focused.ts'
import { deferred, failure } from '../../../test/stub-api.ts'

const part = () => section('Dispositivi')

test('each says what it is, from where, since when and when it was used', async () => {
  const server = accountServer()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-20T10:00:00Z') })
  const lastUsedAt = '2026-01-20T09:57:30Z'
  server.account.devices = [
    device(1, { secondFactor: true }),
    device(2, { lastUsedAt }),
    device(3, unknownDevice),
  ]
  openAccount(server)
  const matter = await part()
  const items = (await matter.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(items).toEqual([
    'Chrome · WindowsQuesto dispositivo93.40.12.1 · in usoDal 05/01/2026 08:30 · con la verifica in due passaggi',
    'Safari · iOS93.40.12.2 · usato 2 minuti faDal 05/01/2026 08:30Fai uscire',
    'Dispositivo sconosciutousato il 06/01/2026 08:30Dal 05/01/2026 08:30Fai uscire',
  ])
})

test('one is signed out with a button, which says that it is at work', async () => {
  const server = accountServer()
  const answer = deferred<object>()
  server.api.on(endAccountSession, async ({ params }) => {
    await answer.promise
    server.account.devices = server.account.devices.filter(({ id }) => id !== params.sessionId)
    return {}
  })
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Fai uscire Safari · iOS' }))
  expect(await matter.findByText('Uscita in corso…')).toBeDefined()
  answer.resolve({})
  await waitFor(() => expect(matter.queryByText('Safari · iOS')).toBeNull())
  expect(await screen.findByText('Il dispositivo è uscito')).toBeDefined()
  await focused(screen.getByRole('heading', { name: 'Dispositivi' }))
  // Without other devices there is nothing to sign out.
  expect(matter.queryByRole('button', { name: 'Esci dagli altri dispositivi' })).toBeNull()
})

test('what fails is said where it was asked for; one that has left is gone', async () => {
  const server = accountServer()
  server.api.on(endAccountSession, () => failure('service.unavailable'))
  const { user } = openAccount(server)
  const matter = await part()
  const end = await matter.findByRole('button', { name: 'Fai uscire Safari · iOS' })
  await user.click(end)
  expect((await matter.findByRole('alert')).textContent).toContain('non è disponibile')
  server.api.on(endAccountSession, () => {
    server.account.devices = [device(1)]
    return failure('account.session_not_found')
  })
  await user.click(end)
  await waitFor(() => expect(matter.queryByText('Safari · iOS')).toBeNull())
  expect(matter.queryByRole('alert')).toBeNull()
})

test('all others are signed out after a question, and not this one', async () => {
  const server = accountServer()
  server.api.auth('POST', '/logout', (_, url) => {
    expect(url.searchParams.get('scope')).toBe('others')
    server.account.devices = [device(1)]
    return new Response(null, { status: 204 })
  })
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Esci dagli altri dispositivi' }))
  await screen.findByRole('dialog', { name: 'Uscire dagli altri dispositivi?' })
  const read = deferred<void>()
  server.api.on(listAccountSessions, async () => {
    await read.promise
    return { sessions: server.account.devices }
  })
  await user.click(screen.getByRole('button', { name: 'Esci dagli altri' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(matter.getByRole('button', { name: 'Esci dagli altri dispositivi' }))
  read.resolve()
  await waitFor(() => expect(matter.queryByText('Safari · iOS')).toBeNull())
  expect(matter.getByText('Questo dispositivo')).toBeDefined()
  await focused(screen.getByRole('heading', { name: 'Dispositivi' }))
})

test('where that fails the question stays, with what went wrong', async () => {
  const server = accountServer()
  server.api.auth('POST', '/logout', () => authError(503, 'request_timeout'))
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Esci dagli altri dispositivi' }))
  await user.click(screen.getByRole('button', { name: 'Esci dagli altri' }))
  expect((await screen.findByRole('alert')).textContent).toContain('non è disponibile')
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await focused(matter.getByRole('button', { name: 'Esci dagli altri dispositivi' }))
  expect(matter.getByText('Safari · iOS')).toBeDefined()
})
