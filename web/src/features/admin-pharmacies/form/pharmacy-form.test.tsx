import {
  type AdminPharmacy,
  changePharmacy,
  checkAirtable,
  createPharmacy,
  getAdminPharmacy,
} from '@bancone/contract/admin-pharmacies'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  adminPharmacy,
  adminServer,
  openAdministration,
  plan,
  sent,
} from '../../../../test/administration.ts'
import { fill } from '../../../../test/fill.ts'
import { administrator } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { failure, rawReply } from '../../../../test/stub-api.ts'

const newPage = '/admin/pharmacies/new'
const editPage = (pharmacy: AdminPharmacy) => `/admin/pharmacies/edit/${pharmacy.id}`

const plans = () => [
  plan(1),
  plan(2, { name: 'Premium', max_offers: null, features: ['offers', 'analytics'] }),
]

function server(pharmacies: AdminPharmacy[] = []) {
  return adminServer({ pharmacies, plans: plans() })
}

const field = (label: string) => screen.findByLabelText(label)
const checkedFeatures = () =>
  within(screen.getByRole('group', { name: 'Funzionalità' }))
    .getAllByRole('checkbox', { checked: true })
    .map((box) => box.getAttribute('aria-label'))
const save = () => screen.getByRole('button', { name: 'Salva' })
const listed = () => screen.findByRole('heading', { name: 'Farmacie' })

test('an empty form is refused with a text for each field, and the first gets the focus', async () => {
  const api = server()
  const { user } = openAdministration(newPage, api)
  await user.click(await screen.findByRole('radio', { name: 'Imposta una password' }))
  fill(await field('Telefono'), 'abc')
  fill(await field('URL del logo'), 'javascript:alert(1)')
  await user.click(save())
  expect(await screen.findByText('Il nome della farmacia è obbligatorio')).toBeDefined()
  for (const text of [
    "L'email è obbligatoria",
    'Nessuno può chiamare questo numero: scrivilo intero, per esempio 041 520 1234.',
    'Scrivi un indirizzo che comincia con https://.',
    'La password è obbligatoria per la creazione di una nuova farmacia',
    'Seleziona un piano di abbonamento - questo campo è obbligatorio',
  ])
    expect(screen.getByText(text)).toBeDefined()
  await focused(await field('Nome'))
  expect(sent(api, 'POST').filter(({ path }) => path.includes('create'))).toEqual([])
})

test('a pharmacy is created with a link by mail; empty texts are left out', async () => {
  const api = server()
  const { user } = openAdministration(newPage, api)
  fill(await field('Nome'), 'Farmacia Nuova')
  fill(await field('Email'), ' nuova@example.it ')
  fill(await field('Telefono'), '  ')
  // A password that was typed before is not sent.
  await user.click(screen.getByRole('radio', { name: 'Imposta una password' }))
  fill(await field('Password'), 'una password lunga')
  await user.click(screen.getByRole('radio', { name: 'Invia un link via email' }))
  expect(checkedFeatures()).toEqual(['Pagina Offerte', 'Integrazione WhatsApp'])
  await user.selectOptions(await field('Piano di abbonamento'), 'Premium')
  expect(checkedFeatures()).toEqual(['Pagina Offerte', 'Statistiche e Analytics'])
  expect(screen.queryByLabelText('Numero massimo di offerte')).toBeNull()
  expect(screen.queryByText(/diverso dal piano/)).toBeNull()
  await user.click(save())
  expect(await screen.findByText('Farmacia creata')).toBeDefined()
  expect(await screen.findByText(/il link per scegliere la password è in arrivo/)).toBeDefined()
  expect(await listed()).toBeDefined()
  expect(sent(api, 'POST').at(-1)).toEqual({
    path: '/api/admin-create-pharmacy',
    body: {
      name: 'Farmacia Nuova',
      email: 'nuova@example.it',
      subscription_plan_id: plan(2).id,
      plan_valid_until: null,
      is_active: true,
      max_offers: null,
      features_enabled: ['offers', 'analytics'],
      use_supabase_orders: false,
    },
  })
})

test('a limit that is no number, and a year of another century, are refused and stay as typed', async () => {
  const pharmacy = adminPharmacy(5)
  const api = server([pharmacy])
  const { user } = openAdministration(editPage(pharmacy), api)
  const limit = await field('Numero massimo di offerte')
  fill(await field('Valido fino al'), '0026-12-31')
  for (const typed of ['abc', '', '1e3', '2,5', '10 offerte']) {
    fill(limit, typed)
    await user.click(save())
    expect(await screen.findByText('Scrivi un numero intero.')).toBeDefined()
    expect(limit).toHaveProperty('value', typed)
  }
  expect(screen.getByText('La data non è valida.')).toBeDefined()
  fill(limit, '-1')
  expect(
    await screen.findByText('Il numero massimo di offerte non può essere negativo'),
  ).toBeDefined()
  expect(sent(api, 'PUT')).toEqual([])
  fill(limit, '1.000')
  fill(await field('Valido fino al'), '2026-12-31')
  await user.click(save())
  expect(await screen.findByText('Farmacia aggiornata')).toBeDefined()
  expect(sent(api, 'PUT')[0]?.body).toMatchObject({ max_offers: 1000 })
})

test('what the server refuses of a new pharmacy is told at its field', async () => {
  const api = server().on(createPharmacy, () =>
    failure('pharmacies.email_taken', 'Questa email ha già un account'),
  )
  const { user } = openAdministration(newPage, api)
  fill(await field('Nome'), 'Farmacia Nuova')
  fill(await field('Email'), 'nuova@example.it')
  await user.selectOptions(await field('Piano di abbonamento'), 'Premium')
  await user.click(save())
  await focused(await field('Email'))
  expect(screen.getByText('Questa email ha già un account')).toBeDefined()
  expect(screen.getByText(/^Errore durante il salvataggio della farmacia/)).toBeDefined()
})

test('an edit marks what differs from the plan, and puts it back', async () => {
  const pharmacy = adminPharmacy(5, {
    max_offers: 50,
    features_enabled: ['offers', 'analytics', 'whatsapp_integration'],
    deviations: ['max_offers', 'analytics'],
  })
  const api = server([pharmacy])
  const { user } = openAdministration(editPage(pharmacy), api)
  expect(await field('Email')).toHaveProperty('readOnly', true)
  expect(screen.getByText('diverso dal piano')).toBeDefined()
  expect(screen.getByText('diverso dal piano (10)')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Ripristina: Statistiche e Analytics' }))
  await focused(await screen.findByRole('heading', { name: 'Abbonamento e funzionalità' }))
  await user.click(screen.getByRole('button', { name: 'Ripristina: Numero massimo di offerte' }))
  expect(screen.queryByText(/diverso dal piano/)).toBeNull()
  await user.click(save())
  expect(await screen.findByText('Farmacia aggiornata')).toBeDefined()
  const [request] = sent(api, 'PUT')
  expect(request?.body).toMatchObject({
    max_offers: 10,
    features_enabled: ['offers', 'whatsapp_integration'],
    phone: '',
  })
  expect(request?.body).not.toHaveProperty('password')
})

test('a new password asks for the own one when the session is old, and is then saved', async () => {
  const pharmacy = adminPharmacy(5)
  const api = server([pharmacy]).on(changePharmacy, () =>
    failure('session.reauthentication_needed'),
  )
  api.auth('PUT', '/user', () => {
    api.on(changePharmacy, () => ({ pharmacy }))
    return Response.json({ id: administrator.id, aud: 'authenticated', email: administrator.email })
  })
  const { user } = openAdministration(editPage(pharmacy), api)
  fill(await field('Nuova password'), 'breve')
  await user.click(save())
  expect(await screen.findByText('La password deve avere almeno 10 caratteri.')).toBeDefined()
  fill(await field('Nuova password'), 'una password lunga')
  await user.click(save())
  const dialog = within(await screen.findByRole('dialog', { name: 'Conferma che sei tu' }))
  fill(dialog.getByLabelText('La tua password'), 'segreta')
  await user.click(dialog.getByRole('button', { name: 'Continua' }))
  expect(await screen.findByText('Farmacia aggiornata')).toBeDefined()
  expect(sent(api, 'PUT').at(-1)?.body).toMatchObject({ password: 'una password lunga' })
})

test('a pharmacy that was changed meanwhile keeps the own changes and shows the others', async () => {
  const pharmacy = adminPharmacy(5)
  const api = server([pharmacy]).on(changePharmacy, () =>
    failure('pharmacies.changed_meanwhile', 'Nel frattempo la farmacia è stata cambiata'),
  )
  const { user } = openAdministration(editPage(pharmacy), api)
  fill(await field('Nome'), 'Il mio nome')
  const now = { ...pharmacy, name: 'Altro nome', address: 'Via Nuova 1', version: 'second' }
  api.on(getAdminPharmacy, () => ({ pharmacy: now }))
  await user.click(save())
  expect(await screen.findByText(/Nel frattempo la farmacia è stata cambiata/)).toBeDefined()
  expect(await field('Nome')).toHaveProperty('value', 'Il mio nome')
  expect(await field('Indirizzo')).toHaveProperty('value', 'Via Nuova 1')
  api.on(changePharmacy, () => ({ pharmacy: now }))
  await user.click(save())
  expect(await listed()).toBeDefined()
  const bodies = sent(api, 'PUT').map(({ body }) => body)
  expect(bodies).toMatchObject([
    { name: 'Il mio nome', address: '', seen: 'first' },
    { name: 'Il mio nome', address: 'Via Nuova 1', seen: 'second' },
  ])
})

test('a telephone number that nobody can call is refused, unless it was saved before', async () => {
  const pharmacy = adminPharmacy(5, { phone: 'chiedere al banco' })
  const api = server([pharmacy]).on(changePharmacy, () => ({ pharmacy }))
  const { user } = openAdministration(editPage(pharmacy), api)
  fill(await field('Telefono'), '041 52')
  await user.click(save())
  expect(await screen.findByText(/^Nessuno può chiamare questo numero/)).toBeDefined()
  await focused(await field('Telefono'))
  expect(sent(api, 'PUT')).toEqual([])
  fill(await field('Telefono'), 'chiedere al banco')
  await user.click(save())
  expect(await screen.findByText('Farmacia aggiornata')).toBeDefined()
})

test('a weak password is told as a failure of the password', async () => {
  const pharmacy = adminPharmacy(5)
  const api = server([pharmacy]).on(changePharmacy, () => failure('pharmacies.weak_password'))
  const { user } = openAdministration(editPage(pharmacy), api)
  fill(await field('Nuova password'), 'password123')
  await user.click(save())
  expect(await screen.findByText(/^Errore durante l'aggiornamento della password/)).toBeDefined()
  await focused(await field('Nuova password'))
})

test('leaving with changes asks first; without an answer they are found again, except the password', async () => {
  const pharmacy = adminPharmacy(5)
  const { user } = openAdministration(editPage(pharmacy), server([pharmacy]))
  fill(await field('Nome'), 'Altro nome')
  fill(await field('Nuova password'), 'una password lunga')
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await user.click(await screen.findByRole('button', { name: 'Continua a modificare' }))
  await focused(screen.getByRole('button', { name: 'Annulla' }))
  const bar = within(screen.getByRole('navigation', { name: 'Principale' }))
  await user.click(bar.getByRole('link', { name: 'Farmacie' }))
  expect(JSON.stringify(sessionStorage)).not.toContain('una password lunga')
  await user.click(await screen.findByRole('link', { name: 'Farmacia 5' }))
  expect(await screen.findByText(/Abbiamo ritrovato le modifiche/)).toBeDefined()
  expect(await field('Nome')).toHaveProperty('value', 'Altro nome')
  expect(await field('Nuova password')).toHaveProperty('value', '')
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await user.click(await screen.findByRole('button', { name: 'Lascia senza salvare' }))
  await user.click(await screen.findByRole('link', { name: 'Farmacia 5' }))
  expect(await field('Nome')).toHaveProperty('value', 'Farmacia 5')
})

test('an unchanged form is left at once, to the list as it was', async () => {
  const pharmacy = adminPharmacy(5)
  const { user } = openAdministration('/admin/pharmacies#q=farmacia5', server([pharmacy]))
  await user.click(await screen.findByRole('link', { name: 'Farmacia 5' }))
  await field('Nome')
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  await listed()
  expect(location.hash).toBe('#q=farmacia5')
})

test("'Prova connessione' names the base and the table, and what is missing", async () => {
  const api = server().on(checkAirtable, () => ({
    base: 'Ordini',
    table: 'WhatsApp',
    missingColumns: ['Stato', 'PharmaWA'],
    problem: null,
  }))
  const { user } = openAdministration(newPage, api)
  fill(await field('Airtable Base ID'), 'app12')
  expect(screen.getByText(/Di solito è «app» seguito da 14/)).toBeDefined()
  fill(await field('Airtable Table ID'), 'tblABCDEFGHIJKLMN')
  await user.click(screen.getByRole('button', { name: 'Prova connessione' }))
  const result = await screen.findByText('Base «Ordini», tabella «WhatsApp».')
  expect(result.parentElement?.textContent).toContain('StatoPharmaWA')
  expect(sent(api, 'POST').at(-1)?.body).toEqual({
    airtable_base_id: 'app12',
    airtable_table_id: 'tblABCDEFGHIJKLMN',
  })
  // The result is of other ids.
  fill(await field('Airtable Base ID'), 'app13')
  expect(screen.queryByText('Base «Ordini», tabella «WhatsApp».')).toBeNull()
  api.on(checkAirtable, () => ({
    base: null,
    table: null,
    missingColumns: [],
    problem: 'unreachable' as const,
  }))
  await user.click(screen.getByRole('button', { name: 'Prova connessione' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Airtable non risponde')
})

test('the table of another pharmacy is taken after a question, which says what PharmaWA must say', async () => {
  const ids = { airtable_base_id: 'appSHARED', airtable_table_id: 'tblSHARED' }
  const pharmacy = adminPharmacy(5)
  const api = server([pharmacy, adminPharmacy(6, ids)])
  const { user } = openAdministration(editPage(pharmacy), api)
  fill(await field('Airtable Base ID'), ids.airtable_base_id)
  fill(await field('Airtable Table ID'), ` ${ids.airtable_table_id}`)
  const text =
    'Questa tabella è già di Farmacia 6 (PHARM-0006). Gli ordini di «Farmacia 5» devono avere in PharmaWA il suo nome, il suo codice o il suo telefono; quelli che non nominano nessuna farmacia restano a chi li riceve già.'
  expect(await screen.findByText(text)).toBeDefined()
  await user.click(save())
  const dialog = within(await screen.findByRole('dialog', { name: 'Usare la stessa tabella?' }))
  expect(dialog.getByText(text)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Annulla' }))
  expect(sent(api, 'PUT')).toEqual([])
  fill(await field('Nome'), 'Farmacia 6')
  await user.click(save())
  const again = within(await screen.findByRole('dialog', { name: 'Usare la stessa tabella?' }))
  expect(again.getByText(/il suo codice o il suo telefono \(il nome è uguale/)).toBeDefined()
  await user.click(again.getByRole('button', { name: 'Usa la stessa tabella' }))
  expect(await screen.findByText('Farmacia aggiornata')).toBeDefined()
  expect(sent(api, 'PUT')).toHaveLength(1)
})

test('without plans the form says to make them first, and the backup says to migrate first', async () => {
  const { user } = openAdministration(newPage, adminServer({}))
  expect(
    await screen.findByText('Nessun piano di abbonamento disponibile. Configura prima i piani.'),
  ).toBeDefined()
  expect(screen.getByRole('link', { name: 'Vai ai piani' })).toBeDefined()
  await user.click(screen.getByRole('switch', { name: 'Orders backup' }))
  expect(screen.getByText(/Prima di attivarlo migra i dati/)).toBeDefined()
})

test.each([adminPharmacy(9).id, 'qualcosa'])('the unknown id %s leads to the list', async (id) => {
  openAdministration(`/admin/pharmacies/edit/${id}`, server())
  expect(await screen.findByText('Farmacia non trovata')).toBeDefined()
  expect(await listed()).toBeDefined()
  expect(location.pathname).toBe('/admin/pharmacies')
})

test('a pharmacy that cannot be read is an error to try again', async () => {
  const pharmacy = adminPharmacy(5)
  const api = server([pharmacy]).on(getAdminPharmacy, () => rawReply('broken', 500))
  const { user } = openAdministration(editPage(pharmacy), api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento dei dati della farmacia',
  )
  api.on(getAdminPharmacy, () => ({ pharmacy }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  await waitFor(async () => expect(await field('Nome')).toHaveProperty('value', 'Farmacia 5'))
})
