import { ActivityKind, listAccountActivity } from '@bancone/contract/account'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountServer, event, openAccount, section, unknownDevice } from '../../../test/account.ts'
import { focused } from '../../../test/focused.ts'
import { failure } from '../../../test/stub-api.ts'
import { activityWords } from './activity-section.tsx'

const part = () => section('Attività recente')

test('what happened is told with when and from where, as far as that is known', async () => {
  const server = accountServer()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-06T10:00:00Z') })
  const at = '2026-01-06T09:56:40Z'
  server.account.events = [
    event(4, 'signed_in', { method: 'oauth', at }),
    event(3, 'account_changed_by_administrator', unknownDevice),
    event(2, 'password_changed'),
  ]
  openAccount(server)
  const matter = await part()
  const items = (await matter.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(items).toEqual([
    'Accesso riuscito con un accesso collegato06/01/2026 10:56 (3 minuti fa) · Chrome · Windows · 93.40.12.1',
    'Account modificato da un amministratore01/01/2026 09:03 (5 giorni fa)',
    'Password cambiata01/01/2026 09:02 (5 giorni fa) · Chrome · Windows · 93.40.12.1',
  ])
  expect(matter.queryByText(/Non sei stato tu/)).toBeNull()
})

test('what is alarming is marked in words, and leads to the password', async () => {
  const server = accountServer()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-08T08:00:00Z') })
  server.account.events = [event(2, 'refresh_token_reused'), event(1, 'signed_in')]
  const { user } = openAccount(server)
  const matter = await part()
  expect(await matter.findAllByText('Da controllare')).toHaveLength(1)
  expect(matter.getByText(/Non sei stato tu/)).toBeDefined()
  await user.click(matter.getByRole('button', { name: 'Cambia la password' }))
  await focused(screen.getByRole('heading', { name: 'Password' }))
})

test('it is not asked about for good: what is a week old is only marked', async () => {
  const server = accountServer()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-08T08:03:00Z') })
  server.account.events = [event(2, 'sign_in_failed')]
  openAccount(server)
  const matter = await part()
  expect(await matter.findByText('Da controllare')).toBeDefined()
  expect(matter.queryByText(/Non sei stato tu/)).toBeNull()
})

test('older ones that do not come take nothing away, and are asked for again', async () => {
  const server = accountServer()
  server.api.on(listAccountActivity, ({ query }) =>
    query.before === undefined
      ? { events: [event(9, 'signed_out')], hasMore: true }
      : failure('service.unavailable'),
  )
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Mostra altre' }))
  expect((await matter.findByRole('alert')).textContent).toContain('non è disponibile')
  expect(matter.getByText('Uscita')).toBeDefined()
  server.api.on(listAccountActivity, () => ({ events: [event(8, 'invited')], hasMore: false }))
  await user.click(matter.getByRole('button', { name: 'Mostra altre' }))
  expect(await matter.findByText('Invito ricevuto')).toBeDefined()
  expect(matter.queryByRole('alert')).toBeNull()
})

test('nothing yet is said as such', async () => {
  const server = accountServer()
  server.account.events = []
  openAccount(server)
  expect(await (await part()).findByText('Non è ancora successo nulla.')).toBeDefined()
})

test('every kind has words of its own', () => {
  const texts = ActivityKind.options.map((kind) => activityWords({ kind, method: null }).text)
  expect(new Set(texts).size).toBe(ActivityKind.options.length)
})
