import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  accountServer,
  device,
  openAccount,
  RIGHT_CODE,
  RIGHT_PASSWORD,
  reauthenticate,
  SECRET,
  section,
} from '../../../test/account.ts'
import { authError } from '../../../test/auth-error.ts'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { focused } from '../../../test/focused.ts'

const part = () => section('Verifica in due passaggi')

async function begin(server = accountServer()) {
  const view = openAccount(server)
  const matter = await part()
  await view.user.click(await matter.findByRole('button', { name: 'Attiva' }))
  await reauthenticate(view.user)
  const code = await matter.findByLabelText<HTMLInputElement>('Codice di 6 cifre')
  return { server, matter, code, ...view }
}

test('it is begun with a picture, the secret in groups, and a way into an app of the telephone', async () => {
  const { matter } = await begin()
  const picture = matter.getByRole<HTMLImageElement>('img', { name: /Codice QR/ })
  const [kind, drawing = ''] = picture.src.split(',')
  expect(kind).toBe('data:image/svg+xml;charset=utf-8')
  expect(decodeURIComponent(drawing)).toMatch(/^<svg .*fill="#000"/)
  expect(drawing).not.toContain('#')
  expect(matter.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeDefined()
  expect(matter.getByText("Apri nell'app").getAttribute('href')).toMatch(/^otpauth:\/\/totp\//)
})

test('its code turns it on, and the recovery codes are kept before it goes on', async () => {
  const downloads = fakeDownloads()
  const print = vi.fn<() => void>()
  vi.stubGlobal('print', print)
  const { server, matter, code, user, client } = await begin()
  server.account.devices = [device(1, { secondFactor: true })]
  await user.click(code)
  await user.paste('123 456')
  const kept = within(await screen.findByRole('dialog', { name: 'Salva i codici di recupero' }))
  await focused(kept.getByRole('button', { name: 'Copia' }))
  expect(server.account.apps).toEqual(['App di autenticazione'])
  const shown = kept.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(shown).toEqual(server.codes(1))

  await user.click(kept.getByRole('button', { name: 'Copia' }))
  expect(await navigator.clipboard.readText()).toBe(server.codes(1).join('\n'))
  await user.click(kept.getByRole('button', { name: 'Scarica' }))
  await waitFor(() => expect(downloads.saved).toHaveLength(1))
  expect(downloads.saved[0]?.name).toBe('codici-di-recupero-bancone.txt')
  expect(downloads.saved[0]?.text).toContain(server.account.email)
  expect(downloads.saved[0]?.text).toContain(server.codes(1).join('\r\n'))
  await user.click(kept.getByRole('button', { name: 'Stampa' }))
  expect(print).toHaveBeenCalledTimes(1)
  const paper = document.querySelector('[data-print-alone]')
  expect(paper?.textContent).toContain(server.codes(1)[9])
  window.dispatchEvent(new Event('afterprint'))
  await waitFor(() => expect(document.querySelector('[data-print-alone]')).toBeNull())

  await user.click(kept.getByRole('button', { name: 'Li ho salvati' }))
  expect(await screen.findByText('Verifica in due passaggi attiva')).toBeDefined()
  await focused(screen.getByRole('heading', { name: 'Verifica in due passaggi' }))
  expect(matter.getByRole('button', { name: 'Rimuovi App di autenticazione' })).toBeDefined()
  // The others were signed out.
  const devices = await section('Dispositivi')
  await waitFor(() => expect(devices.queryByText('Safari · iOS')).toBeNull())
  // Neither the secret nor the codes are anywhere any more.
  await waitFor(() => {
    const cached = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) =>
      cache.getAll().map(({ state }) => state.data),
    )
    const all = JSON.stringify([
      cached,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
    ])
    expect(all).not.toContain(SECRET)
    expect(all).not.toContain(server.codes(1)[0])
  })
})

test('the password is asked for first, since an open session alone must not lock its owner out', async () => {
  const server = accountServer()
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Attiva' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Conferma che sei tu' }))
  const field = dialog.getByLabelText<HTMLInputElement>('La tua password')
  await focused(field)
  const send = () => user.click(dialog.getByRole('button', { name: 'Continua' }))
  await send()
  expect(await dialog.findByText('Scrivi la tua password.')).toBeDefined()
  await user.type(field, 'un-altra')
  await send()
  expect(await dialog.findByText('La password non è corretta.')).toBeDefined()
  await focused(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 8])
  await user.keyboard('{Escape}')
  await focused(matter.getByRole('button', { name: 'Attiva' }))
  expect(server.account.begun).toBe(0)

  await user.click(matter.getByRole('button', { name: 'Attiva' }))
  await reauthenticate(user)
  const code = await matter.findByLabelText('Codice di 6 cifre')
  expect(document.activeElement?.contains(code)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
})

test('a wrong code says so and is typed over; a lock says for how long', async () => {
  const { server, matter, code, user } = await begin()
  await user.type(code, '000000')
  expect((await matter.findByRole('alert')).textContent).toContain('Il codice non è corretto')
  await focused(code)
  expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6])
  server.api.auth('POST', '/factors/[^/]+/verify', () =>
    authError(429, 'over_request_rate_limit', { retryAfter: 840 }),
  )
  await user.keyboard('111111')
  expect(await matter.findByText('Troppi tentativi. Riprova tra 14 minuti.')).toBeDefined()
  expect(server.account.apps).toEqual([])
})

test('less than six digits are not sent', async () => {
  const { server, matter, code, user } = await begin()
  await user.type(code, '123{Enter}')
  expect(await matter.findByText("Scrivi le 6 cifre che l'app mostra adesso.")).toBeDefined()
  expect(server.api.requests.some(({ path }) => path.endsWith('/verify'))).toBe(false)
})

test('who takes too long, or began again elsewhere, gets another picture and is led to it', async () => {
  const { server, matter, code, user } = await begin()
  const picture = () => matter.getByRole<HTMLImageElement>('img').src
  const first = picture()
  server.api.auth('POST', '/factors/[^/]+/challenge', () => authError(404, 'mfa_factor_not_found'))
  await user.type(code, RIGHT_CODE)
  expect(await matter.findByText(/Il codice QR di prima non vale più/)).toBeDefined()
  // Not to the field, from where nothing of it is seen on a phone.
  await waitFor(() =>
    expect(document.activeElement?.textContent).toMatch(/^Il codice QR di prima non vale più/),
  )
  await waitFor(() => expect(picture()).not.toBe(first))
  expect(server.account.begun).toBe(2)
})

test('it can be left, and a picture that does not come asked for again', async () => {
  const server = accountServer()
  server.api.auth('POST', '/factors', () => authError(500, 'unexpected_failure'))
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Attiva' }))
  await reauthenticate(user)
  expect((await matter.findByRole('alert')).textContent).toContain('non è disponibile')
  server.api.auth('POST', '/factors', () =>
    Response.json({
      id: 'begun',
      type: 'totp',
      totp: { qr_code: '<svg/>', secret: SECRET, uri: 'otpauth://totp/a' },
    }),
  )
  await user.click(matter.getByRole('button', { name: 'Riprova' }))
  await matter.findByRole('img')
  await user.click(matter.getByRole('button', { name: 'Annulla' }))
  await focused(screen.getByRole('heading', { name: 'Verifica in due passaggi' }))
  expect(matter.getByRole('button', { name: 'Attiva' })).toBeDefined()
})

test('recovery codes that could not be made are made again, or another time', async () => {
  const server = accountServer()
  server.api.auth('POST', '/factors/recovery-codes/regenerate', () =>
    authError(500, 'unexpected_failure'),
  )
  const { matter, code, user } = await begin(server)
  server.account.codesLeft = 0
  server.account.codesTotal = 0
  await user.type(code, RIGHT_CODE)
  expect((await matter.findByRole('alert')).textContent).toContain('non è disponibile')
  await user.click(matter.getByRole('button', { name: 'Riprova' }))
  await matter.findByRole('button', { name: 'Riprova' })
  await user.click(matter.getByRole('button', { name: 'Più tardi' }))
  expect(await matter.findByText(/Senza codici di recupero/)).toBeDefined()
  expect(matter.getByRole('button', { name: 'Crea i codici' })).toBeDefined()
})

test('another app has a name of its own, and no recovery codes of its own', async () => {
  const server = accountServer({ apps: ['Telefono'] })
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Aggiungi un altro dispositivo' }))
  const name = matter.getByLabelText<HTMLInputElement>("Nome dell'app")
  await focused(name)
  await user.clear(name)
  await user.type(name, 'telefono{Enter}')
  expect(await matter.findByText(/Hai già collegato un'app con questo nome/)).toBeDefined()
  await user.clear(name)
  await user.type(name, 'Tablet{Enter}')
  const code = await matter.findByLabelText('Codice di 6 cifre')
  // The focus goes on from the form of the name.
  expect(document.activeElement?.contains(code)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
  await user.type(code, RIGHT_CODE)
  expect(await matter.findByText('Tablet')).toBeDefined()
  expect(server.account.apps).toEqual(['Telefono', 'Tablet'])
  expect(server.account.made).toBe(0)
})

test('one of two apps is removed by a dialog; the last one turns it off', async () => {
  const server = accountServer({ apps: ['Telefono', 'Tablet'] })
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Rimuovi Tablet' }))
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await focused(matter.getByRole('button', { name: 'Rimuovi Tablet' }))
  expect(server.account.apps).toHaveLength(2)
  await user.click(matter.getByRole('button', { name: 'Rimuovi Tablet' }))
  await screen.findByRole('dialog', { name: 'Rimuovere «Tablet»?' })
  await user.type(screen.getByLabelText('La tua password'), RIGHT_PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Rimuovi' }))
  await waitFor(() => expect(matter.queryByText('Tablet')).toBeNull())

  await user.click(await matter.findByRole('button', { name: 'Rimuovi Telefono' }))
  const dialog = await screen.findByRole('dialog', {
    name: 'Disattivare la verifica in due passaggi?',
  })
  expect(dialog.textContent).toContain('anche i codici di recupero non varranno più')
  await user.type(screen.getByLabelText('La tua password'), RIGHT_PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Disattiva' }))
  expect(await matter.findByRole('button', { name: 'Attiva' })).toBeDefined()
  await focused(screen.getByRole('heading', { name: 'Verifica in due passaggi' }))
  expect(server.account.apps).toEqual([])
})

test('no app is removed without the password', async () => {
  const server = accountServer({ apps: ['Telefono'] })
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Rimuovi Telefono' }))
  const field = screen.getByLabelText<HTMLInputElement>('La tua password')
  await focused(field)
  const send = () => user.click(screen.getByRole('button', { name: 'Disattiva' }))
  await send()
  expect(await screen.findByText('Scrivi la tua password.')).toBeDefined()
  await user.type(field, 'un-altra')
  await send()
  expect(await screen.findByText('La password non è corretta.')).toBeDefined()
  await focused(field)
  expect(server.account.apps).toEqual(['Telefono'])
  expect(server.api.requests.some(({ method }) => method === 'DELETE')).toBe(false)
})

test('the browser asks before recovery codes that were not kept go', async () => {
  const { code, user } = await begin()
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(asks()).toBe(false)
  await user.type(code, RIGHT_CODE)
  const kept = await screen.findByRole('button', { name: 'Li ho salvati' })
  expect(asks()).toBe(true)
  await user.click(kept)
  expect(asks()).toBe(false)
})

test('only a confirmation closes codes that were not kept, neither Esc nor back', async () => {
  const { server, matter, code, user } = await begin()
  await user.type(code, RIGHT_CODE)
  const shown = await screen.findByText(server.codes(1)[0] ?? '')
  await waitFor(() => expect(history.state).toMatchObject({ usr: { overlay: 'recovery-codes' } }))
  const stay = () => screen.findByRole('button', { name: 'Torna ai codici' })

  await user.keyboard('{Escape}')
  await user.click(await stay())
  expect(screen.queryByRole('dialog', { name: 'Hai salvato i codici?' })).toBeNull()
  await focused(screen.getByRole('button', { name: 'Li ho salvati' }))
  history.back()
  await user.click(await stay())
  await waitFor(() => expect(history.state).toMatchObject({ usr: { overlay: 'recovery-codes' } }))
  expect(shown.isConnected).toBe(true)

  history.back()
  await stay()
  await user.click(screen.getByRole('button', { name: 'Chiudi' }))
  expect(shown.isConnected).toBe(false)
  expect(location.pathname).toBe('/account')
  await focused(screen.getByRole('heading', { name: 'Verifica in due passaggi' }))
  expect(matter.getByText(/Ne restano 10 di 10/)).toBeDefined()
})

test('a removal that fails says so and keeps the dialog; one done elsewhere is done', async () => {
  const server = accountServer({ apps: ['Telefono'] })
  server.api.auth('DELETE', '/factors/[^/]+', () => authError(500, 'unexpected_failure'))
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Rimuovi Telefono' }))
  await user.type(screen.getByLabelText('La tua password'), RIGHT_PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Disattiva' }))
  expect((await screen.findByRole('alert')).textContent).toContain('non è disponibile')
  server.api.auth('DELETE', '/factors/[^/]+', () => {
    server.account.apps = []
    return authError(404, 'mfa_factor_not_found')
  })
  await user.click(screen.getByRole('button', { name: 'Disattiva' }))
  expect(await matter.findByRole('button', { name: 'Attiva' })).toBeDefined()
})

test.each([
  [7, 'Ne restano 7 di 10', null],
  [3, 'Ne restano 3 di 10', 'I codici di recupero stanno finendo: creane di nuovi.'],
  [1, 'Ne resta 1 di 10', 'I codici di recupero stanno finendo: creane di nuovi.'],
  [
    0,
    'Li hai usati tutti e 10.',
    'Senza codici di recupero, se perdi il telefono non puoi più entrare: creane di nuovi.',
  ],
])('of ten recovery codes %d are left: said, and warned of', async (left, said, warning) => {
  const server = accountServer({ apps: ['Telefono'] })
  server.account.codesLeft = left
  openAccount(server)
  const matter = await part()
  expect(await matter.findByText(new RegExp(said))).toBeDefined()
  expect(matter.queryByText(/creane di nuovi/)?.textContent ?? null).toBe(warning)
})

test('new recovery codes are asked about, since those before end', async () => {
  const server = accountServer({ apps: ['Telefono'] })
  server.account.codesLeft = 2
  const { user } = openAccount(server)
  const matter = await part()
  await user.click(await matter.findByRole('button', { name: 'Crea codici nuovi' }))
  const dialog = await screen.findByRole('dialog', { name: 'Creare codici di recupero nuovi?' })
  expect(dialog.textContent).toContain('quelli che hai salvato non varranno più')
  expect(server.account.made).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Crea i codici' }))
  expect(await screen.findByText(server.codes(1)[0] ?? '')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Li ho salvati' }))
  await focused(matter.getByRole('heading', { name: 'Codici di recupero' }))
  expect(await matter.findByText(/Ne restano 10 di 10/)).toBeDefined()
  expect(screen.queryByText(server.codes(1)[0] ?? '')).toBeNull()
})
