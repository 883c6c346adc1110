import { getOwnAdministrator } from '@bancone/contract/administrators'
import { getOwnPharmacy, type OwnPharmacy } from '@bancone/contract/pharmacies'
import {
  changeOwnProfile,
  changePharmacyProfile,
  getOwnProfile,
  getPharmacyProfile,
  type PharmacyProfile,
} from '@bancone/contract/pharmacy-profile'
import { fireEvent, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeObjectUrls, keptPicture, pictureOf } from '../../../../test/fake-pictures.ts'
import { fakeUploads } from '../../../../test/fake-uploads.ts'
import { administrator, pharmacy, sessionOf } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { renderApp, serverWith, storeSession } from '../../../../test/render-app.tsx'
import { failure } from '../../../../test/stub-api.ts'

const empty: PharmacyProfile = {
  logoUrl: null,
  brandColor: null,
  openingWeek: null,
  closings: [],
  description: null,
  mapUrl: null,
}

const branded: OwnPharmacy = { ...pharmacy, features: ['custom_branding'] }

function server() {
  return serverWith([])
    .on(getOwnPharmacy, () => branded)
    .on(getOwnProfile, () => empty)
    .on(changeOwnProfile, ({ body: { logo, ...body } }) => ({
      ...body,
      logoUrl: logo ? '/images/a_1/0123' : null,
    }))
}

const sentTo = (api: ReturnType<typeof server>) =>
  api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)
const save = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Salva' }))
const day = (name: string) => within(screen.getByRole('group', { name }))
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

test('an owner sets the hours of the week, copied from Monday, and what else is shown', async () => {
  const api = server()
  const { user } = renderApp('/account/pharmacy', api)
  await screen.findByRole('heading', { name: 'Orari di apertura' })
  expect(day('Lunedì').getByText('Chiuso')).toBeDefined()
  const add = day('Lunedì').getByRole('button', { name: 'Aggiungi un orario a Lunedì' })
  await user.click(add)
  await focused(day('Lunedì').getByLabelText('Lunedì, apre alle'))
  await user.click(add)
  await user.click(screen.getByRole('button', { name: 'Copia fino a venerdì' }))
  await user.click(day('Martedì').getByRole('button', { name: /^Togli l'orario 08:30/ }))
  await focused(day('Martedì').getByRole('button', { name: 'Aggiungi un orario a Martedì' }))
  type(screen.getByLabelText('Colore'), '#FFD400')
  expect(screen.getByText(/sulle pagine chiare diventa #806a00/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Aggiungi una chiusura' }))
  type(screen.getByLabelText('Dal'), '2026-12-25')
  type(screen.getByLabelText('Nota'), 'Natale')
  type(screen.getByLabelText('Testo breve'), 'Siamo in piazza.')
  type(screen.getByLabelText('Link alla mappa'), 'https://maps.app.goo.gl/abc')
  await save(user)
  expect(await screen.findByText('Profilo salvato')).toBeDefined()
  const morning = { from: '08:30', to: '12:30' }
  const afternoon = { from: '15:30', to: '19:30' }
  const whole = [morning, afternoon]
  expect(sentTo(api)).toEqual([
    {
      brandColor: '#ffd400',
      openingWeek: [whole, [afternoon], whole, whole, whole, [], []],
      closings: [{ from: '2026-12-25', to: '2026-12-25', note: 'Natale' }],
      description: 'Siamo in piazza.',
      mapUrl: 'https://maps.app.goo.gl/abc',
    },
  ])
})

test('what cannot be saved is said beside its field, and the first one gets the focus', async () => {
  const api = server()
  const { user } = renderApp('/account/pharmacy', api)
  const add = await screen.findByRole('button', { name: 'Aggiungi un orario a Lunedì' })
  await user.click(add)
  await user.click(add)
  const [, second] = screen.getAllByLabelText('Lunedì, apre alle')
  if (second) type(second, '12:00')
  type(screen.getByLabelText('Link alla mappa'), 'https://example.it')
  await user.click(screen.getByRole('button', { name: 'Aggiungi una chiusura' }))
  await save(user)
  expect(await screen.findByText('Questi orari si sovrappongono.')).toBeDefined()
  expect(screen.getAllByText('Scegli il giorno.')).toHaveLength(2)
  expect(screen.getByText(/^Incolla un link di Google Maps/)).toBeDefined()
  const [first] = screen.getAllByLabelText('Lunedì, apre alle')
  if (first) await focused(first)
  expect(sentTo(api)).toEqual([])
})

test('a logo is uploaded, saved and taken away', async () => {
  fakeObjectUrls()
  const uploads = fakeUploads()
  const api = server()
  const { user } = renderApp('/account/pharmacy', api)
  await user.upload(await screen.findByLabelText('Carica il logo'), pictureOf('png', 'logo.png'))
  const sent = await uploads.nth(1)
  expect(sent.path).toBe('/api/images')
  expect(screen.getByRole('button', { name: 'Salva' }).getAttribute('aria-disabled')).toBe('true')
  await sent.answers(201, JSON.stringify(keptPicture()))
  await save(user)
  await screen.findByText('Profilo salvato')
  await user.click(screen.getByRole('button', { name: 'Togli il logo' }))
  await focused(screen.getByLabelText('Carica il logo'))
  await save(user)
  await expect.poll(() => sentTo(api).length).toBe(2)
  expect(sentTo(api)).toMatchObject([{ logo: 'a_1' }, { logo: null }])
})

test('a failure keeps what was written, and says why', async () => {
  const api = server().on(changeOwnProfile, () => failure('service.unavailable'))
  const { user } = renderApp('/account/pharmacy', api)
  type(await screen.findByLabelText('Testo breve'), 'Siamo in piazza.')
  await save(user)
  expect((await screen.findByRole('alert')).textContent).toContain('non è disponibile')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Testo breve').value).toBe('Siamo in piazza.')
})

test.each([
  [{ ...branded, role: 'staff' as const }, 'Il profilo della farmacia è per i titolari'],
  [pharmacy, 'Branding non disponibile'],
])(
  '$role with $features: the page says for whom it is, and asks for nothing',
  async (own, words) => {
    const api = server().on(getOwnPharmacy, () => own)
    renderApp('/account/pharmacy', api)
    expect(await screen.findByRole('heading', { name: words })).toBeDefined()
    expect(api.requests.some(({ path }) => path === '/api/pharmacy/profile')).toBe(false)
  },
)

test('an administrator edits the profile of a pharmacy, and uploads its logo for it', async () => {
  fakeObjectUrls()
  const uploads = fakeUploads()
  const api = serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .on(getPharmacyProfile, () => ({ ...empty, name: 'Farmacia San Carlo' }))
    .on(changePharmacyProfile, ({ body: { logo: _, ...body } }) => ({
      ...body,
      logoUrl: null,
      name: 'Farmacia San Carlo',
    }))
  storeSession('admin', sessionOf(administrator.id))
  const address = `/admin/pharmacies/edit/${pharmacy.id}/profile`
  const { user } = renderApp(address, api, { signedIn: false })
  await screen.findByRole('heading', { name: 'Profilo di Farmacia San Carlo' })
  await user.upload(screen.getByLabelText('Carica il logo'), pictureOf('png', 'logo.png'))
  const sent = await uploads.nth(1)
  expect(sent.path).toBe(`/api/admin/pharmacies/${pharmacy.id}/images`)
  await sent.answers(201, JSON.stringify(keptPicture()))
  await save(user)
  await screen.findByText('Profilo salvato')
  expect(sentTo(api)).toMatchObject([{ logo: 'a_1' }])
})
