import {
  getPushKey,
  subscribeDevice,
  testDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeNotifications } from '../../../test/fake-notifications.ts'
import { fakePush, publicKey } from '../../../test/fake-push.ts'
import { fakeSound } from '../../../test/fake-sound.ts'
import { renderPart, signedIn } from '../../../test/render-part.tsx'
import { failure, StubApi } from '../../../test/stub-api.ts'
import { AlertsButton } from './alerts-button.tsx'

const READY = 'Questo dispositivo riceve gli avvisi anche a pagina chiusa'

function server() {
  const api = new StubApi()
    .on(getPushKey, () => ({ publicKey: publicKey(1) }))
    .on(subscribeDevice, () => ({}))
    .on(unsubscribeDevice, () => ({}))
    .on(testDevice, () => ({}))
  signedIn(api)
  return api
}

async function open() {
  const view = renderPart(<AlertsButton arrivals={false} />)
  await view.user.click(screen.getByRole('button', { name: 'Avvisi' }))
  await screen.findByRole('dialog', { name: 'Avvisi' })
  return view
}

const notifications = () => screen.getByRole('switch', { name: 'Notifiche di sistema' })
const sound = () =>
  screen.getByRole('switch', { name: 'Suono finché qualcuno non ha visto i nuovi ordini' })
const isOn = (control: HTMLElement) => control.getAttribute('aria-checked') === 'true'

test('a device that is told says so, and takes a test', async () => {
  fakeNotifications('granted')
  fakePush()
  const api = server()
  const { user } = await open()
  expect(await screen.findByText(READY)).toBeDefined()
  expect(isOn(notifications())).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Invia una notifica di prova' }))
  expect(await screen.findByText(/^Inviata/)).toBeDefined()
  expect(api.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/api/notifications/test',
    body: { endpoint: 'https://push.example/1' },
  })
})

test('a test that cannot be delivered says why', async () => {
  fakeNotifications('granted')
  fakePush()
  const api = server()
  api.on(testDevice, () => failure('notifications.undeliverable'))
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: 'Invia una notifica di prova' }))
  expect(await screen.findByText(/non è arrivato/)).toBeDefined()
})

test('a device that could not be subscribed says why, and tries again', async () => {
  fakeNotifications('granted')
  const push = fakePush()
  server()
  push.refusal = new DOMException('no', 'AbortError')
  const { user } = await open()
  expect(await screen.findByText('Gli avvisi arrivano solo con Bancone aperto')).toBeDefined()
  expect(screen.getByText(/Il servizio di notifiche del browser/)).toBeDefined()
  push.refusal = null
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText(READY)).toBeDefined()
})

test('the switch asks for the permission and switches off again', async () => {
  const browser = fakeNotifications('default')
  const push = fakePush()
  server()
  const { user } = await open()
  expect(screen.getByText('Questo dispositivo non riceve ancora avvisi')).toBeDefined()
  await user.click(notifications())
  expect(await screen.findByText(READY)).toBeDefined()
  expect(browser.asked).toBe(1)
  await user.click(notifications())
  expect(await screen.findByText('Questo dispositivo non riceve avvisi')).toBeDefined()
  await waitFor(() => expect(push.endpoint).toBeNull())
})

test('where notifications are blocked the way out is said, and the switch cannot be used', async () => {
  fakeNotifications('denied')
  await open()
  expect(screen.getByText('Le notifiche sono bloccate in questo browser')).toBeDefined()
  expect(notifications().getAttribute('aria-disabled')).toBe('true')
})

test('the sound is off until it is wanted, and is heard once when it is', async () => {
  const speaker = fakeSound()
  const { user } = await open()
  expect(isOn(sound())).toBe(false)
  await user.click(sound())
  expect(isOn(sound())).toBe(true)
  expect(speaker.played).toEqual(['/sounds/notification.mp3'])
  expect(localStorage.getItem('orderSound')).toBe('true')
  await user.click(sound())
  expect(isOn(sound())).toBe(false)
  expect(speaker.played).toHaveLength(1)
})

test('a sound that cannot be heard is said to be so', async () => {
  const speaker = fakeSound()
  speaker.allowed = false
  const { user } = await open()
  await user.click(sound())
  expect(await screen.findByText(/Il suono non è partito/)).toBeDefined()
})
