import { getOwnAdministrator } from '@bancone/contract/administrators'
import { type AirtableTokenLoad, getAirtableLoad } from '@bancone/contract/airtable'
import {
  type BackupRun,
  type BackupStatus,
  confirmRecoverySheet,
  getBackups,
  startBackup,
} from '@bancone/contract/backups'
import { listPrivacyTexts, publishPrivacyText } from '@bancone/contract/privacy-texts'
import { checkService, listServices, type ServiceState } from '@bancone/contract/services'
import {
  changeSetting,
  getSettings,
  initialSettings,
  type PlatformSettings,
  previewOrderRetention,
} from '@bancone/contract/settings'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { administrator, sessionOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const policy = {
  version: 1,
  text: '## Titolo\n\nPrima <img src=x onerror="alert(1)"> [qui](javascript:alert(1))',
  publishedAt: '2026-11-20T10:00:00Z',
  publishedBy: null,
}
const airtable: ServiceState = {
  id: 'airtable',
  setup: 'configured',
  lastSuccess: '2026-11-20T10:00:00Z',
  milliseconds: 80,
  lastFailure: null,
}

const noBackups: BackupStatus = {
  setup: null,
  sheetConfirmedAt: null,
  lastBackup: null,
  lastTest: null,
  archivedUntil: null,
  runs: [],
  problems: ['not_configured'],
}

const cloudinary: ServiceState = {
  ...airtable,
  id: 'cloudinary',
  setup: 'missing',
  lastSuccess: null,
}

const load: AirtableTokenLoad = {
  origin: 'server',
  tokens: 1,
  names: ['Farmacia Aurora', 'Farmacia Brera', 'Farmacia Corso'],
  bases: 460,
  pharmacies: 470,
  reported: 0,
  requestsNow: 1_880.4,
  requestsAtPeak: 2_005.3,
  limit: 2_160,
  more: { polled: 36, reported: 171 },
}

function settings(): PlatformSettings {
  const never = { version: 0, updatedAt: null, updatedBy: null }
  return {
    support: { ...never, value: initialSettings.support },
    retention: { ...never, value: initialSettings.retention },
    order_retention: { ...never, value: initialSettings.order_retention },
    plan_defaults: { ...never, value: initialSettings.plan_defaults },
    notice: { ...never, value: null },
  }
}

function open(backups: BackupStatus = noBackups) {
  const api = serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .on(getSettings, settings)
    .on(listPrivacyTexts, () => ({ texts: [policy] }))
    .on(getBackups, () => backups)
    .on(getAirtableLoad, () => ({
      tokens: [load],
      withoutToken: 1,
      perPharmacy: { polled: 4.27, reported: 0.9 },
      perBase: { polled: 42, reported: 28 },
    }))
    .on(listServices, () => ({
      services: [airtable, cloudinary],
    }))
  storeSession('admin', sessionOf(administrator.id, { email: administrator.email }))
  return { api, ...renderApp('/admin/settings', api, { signedIn: false }) }
}

const section = async (name: string) => within(await screen.findByRole('region', { name }))

test('a setting is checked, saved over the version that was read, and says when', async () => {
  const { api, user } = open()
  const contact = await section('Contatto di assistenza')
  fill(contact.getByLabelText('Email'), 'aiuto@example.it')
  fill(contact.getByLabelText('Telefono'), '06 12')
  await user.click(contact.getByRole('button', { name: 'Salva il contatto' }))
  expect((await contact.findByRole('alert')).textContent).toMatch(/con il prefisso/)
  fill(contact.getByLabelText('Telefono'), '+39 06 1234567')
  let version = 0
  api.on(changeSetting, ({ body }) => {
    version += 1
    if (body.key !== 'support') return failure('request.invalid')
    const saved = { updatedAt: '2026-11-23T10:00:00Z', updatedBy: 'ada@example.it' }
    return { ...settings(), support: { value: body.value, version, ...saved } }
  })
  await user.click(contact.getByRole('button', { name: 'Salva il contatto' }))
  expect(await contact.findByText('Salvato il 23/11/2026 11:00 da ada@example.it')).toBeDefined()
  expect(api.requests.at(-1)?.body).toMatchObject({
    key: 'support',
    version: 0,
    value: { phone: '+39061234567' },
  })
  await user.click(contact.getByRole('button', { name: 'Salva il contatto' }))
  await waitFor(() => expect(api.requests.at(-1)?.body).toMatchObject({ version: 1 }))
})

test('what another administrator has changed meanwhile is not lost, nor is what was typed', async () => {
  const { api, user } = open()
  api.on(changeSetting, () =>
    failure(
      'settings.changed_meanwhile',
      'Un altro amministratore ha cambiato questa impostazione.',
    ),
  )
  const retention = await section('Conservazione dei dati')
  const days = retention.getByLabelText<HTMLInputElement>(/^Visite/)
  fill(days, '90')
  await user.click(retention.getByRole('button', { name: 'Salva le durate' }))
  expect((await retention.findByRole('alert')).textContent).toMatch(/Un altro amministratore/)
  expect(days.value).toBe('90')
})

test('a shorter time for page views and removed orders asks first, a longer one does not', async () => {
  const { api, user } = open()
  api.on(changeSetting, () => settings())
  const retention = await section('Conservazione dei dati')
  const save = retention.getByRole('button', { name: 'Salva le durate' })
  const saved = () => api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  fill(retention.getByLabelText(/^Storia/), '20')
  fill(retention.getByLabelText(/^Visite/), '60')
  await user.click(save)
  const dialog = within(await screen.findByRole('dialog', { name: 'Eliminare i dati più vecchi?' }))
  expect(
    dialog.getByText(/eliminati da più di 20 giorni, e le visite più vecchie di 60 giorni/),
  ).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Annulla' }))
  expect(saved()).toEqual([])
  await user.click(save)
  await user.click(await screen.findByRole('button', { name: 'Salva ed elimina' }))
  await waitFor(() => expect(saved()).toHaveLength(1))
  fill(retention.getByLabelText(/^Storia/), '40')
  fill(retention.getByLabelText(/^Visite/), '100')
  await user.click(save)
  await waitFor(() => expect(saved()).toHaveLength(2))
})

test("a time for customers' data is saved when it is known how many orders lose them", async () => {
  const { api, user } = open()
  let orders: number | null = 0
  api.on(changeSetting, () => settings()).on(previewOrderRetention, () => ({ orders }))
  const retention = await section('Dati dei clienti negli ordini')
  const days = retention.getByLabelText<HTMLInputElement>(/^Giorni/)
  const save = retention.getByRole('button', { name: 'Salva la durata' })
  const saved = () => api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  expect(days.value).toBe('')
  fill(days, '29')
  await user.click(save)
  expect((await retention.findByRole('alert')).textContent).toMatch(/tra 30 e 730/)
  fill(days, 'molti')
  await user.click(save)
  expect((await retention.findByRole('alert')).textContent).toMatch(/tra 30 e 730/)
  fill(days, '90')
  await user.click(save)
  await waitFor(() => expect(saved()).toMatchObject([{ value: { orderDays: 90 } }]))
  orders = 1_234
  fill(days, '60')
  await user.click(save)
  const dialog = within(await screen.findByRole('dialog', { name: /Eliminare i dati/ }))
  expect(dialog.getByText(/da 1.234 ordini al massimo/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Annulla' }))
  expect(document.activeElement).toBe(days)
  await user.click(save)
  await user.click(await screen.findByRole('button', { name: 'Salva ed elimina' }))
  await waitFor(() => expect(saved().at(-1)).toMatchObject({ value: { orderDays: 60 } }))
  expect(saved()).toHaveLength(2)
  orders = null
  await user.click(save)
  expect(await screen.findByText(/da un gran numero di ordini/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  api.on(previewOrderRetention, () => failure('request.too_many'))
  await user.click(save)
  expect(await retention.findByRole('alert')).toBeDefined()
  expect(saved()).toHaveLength(2)
  fill(days, '')
  await user.click(save)
  await waitFor(() => expect(saved().at(-1)).toMatchObject({ value: { orderDays: null } }))
  expect(retention.queryByRole('alert')).toBeNull()
})

test('a notice needs a text, a beginning and a later end', async () => {
  const { api, user } = open()
  const notice = await section('Avviso a tutte le farmacie')
  fill(notice.getByLabelText('Testo'), 'Manutenzione')
  fill(notice.getByLabelText('Dal'), '2026-11-23T20:00')
  fill(notice.getByLabelText('Al'), '2026-11-23T19:00')
  await user.click(notice.getByRole('button', { name: "Pubblica l'avviso" }))
  expect((await notice.findByRole('alert')).textContent).toBe("La fine deve venire dopo l'inizio.")
  expect(api.requests.some(({ method }) => method === 'PUT')).toBe(false)
})

test('a service is checked now, and its failure is told in words', async () => {
  const { api, user } = open()
  api.on(checkService, () => ({
    service: {
      ...airtable,
      lastFailure: { at: '2026-11-23T10:00:00Z', problem: 'refused' as const },
    },
  }))
  const services = await section('Servizi esterni')
  await user.click(await services.findByRole('button', { name: 'Verifica ora: Airtable' }))
  expect(await services.findByText(/ha rifiutato le credenziali/)).toBeDefined()
  expect(services.getByLabelText('In errore')).toBeDefined()
  expect(services.queryByRole('button', { name: 'Verifica ora: Cloudinary' })).toBeNull()
})

test('a new version of the policy is published over the one that was read; HTML in it is text', async () => {
  const { api, user, container } = open()
  const privacy = await section('Informativa sulla privacy')
  await user.click(await privacy.findByRole('button', { name: 'Anteprima' }))
  expect((await privacy.findAllByRole('heading', { name: 'Titolo' })).length).toBeGreaterThan(0)
  expect(container.querySelector('article img, section img')).toBeNull()
  expect(container.querySelector('a[href^=javascript]')).toBeNull()
  expect(container.querySelector('#titolo')).toBeNull()
  api.on(publishPrivacyText, ({ body }) => ({
    text: { ...policy, version: 2, text: body.text, publishedBy: 'ada@example.it' },
  }))
  fill(privacy.getByLabelText('Testo'), 'Nuovo testo')
  await user.click(privacy.getByRole('button', { name: 'Pubblica la nuova versione' }))
  expect(await screen.findByText('Versione 2 pubblicata')).toBeDefined()
  const body = { text: 'Nuovo testo', basedOn: 1 }
  expect(api.requests.find(({ method }) => method === 'POST')?.body).toEqual(body)
})

test('a link asks before it leads away from unsaved changes', async () => {
  const { user } = open()
  const support = await section('Contatto di assistenza')
  await user.type(support.getByLabelText('Orari'), 'lun–ven')
  await user.click(screen.getAllByRole('link', { name: 'Farmacie' })[0] ?? document.body)
  await user.click(await screen.findByRole('button', { name: 'Continua a modificare' }))
  expect(location.pathname).toBe('/admin/settings')
  expect(support.getByLabelText<HTMLInputElement>('Orari').value).toBe('lun–ven')
})

test('back-ups that are not configured say what to set', async () => {
  open()
  const backups = await section('Copie di sicurezza')
  expect(await backups.findByText('Non sono configurate.')).toBeDefined()
  expect(backups.getByText('BACKUP_TO')).toBeDefined()
  expect(backups.queryByRole('button')).toBeNull()
})

test('back-ups are run now, and count as active when the sheet is confirmed', async () => {
  const at = '2026-11-22T01:33:00Z'
  const done: BackupRun = {
    id: 'one',
    kind: 'backup',
    state: 'done',
    startedAt: at,
    finishedAt: at,
    bytes: 123_400_000,
    problem: null,
  }
  const unconfirmed: BackupStatus = {
    ...noBackups,
    setup: { target: 's3://copie/bancone', archive: true, keyId: 'ab12cd34' },
    lastBackup: done,
    runs: [{ ...done, id: 'two', state: 'failed', problem: 'target' }, done],
    problems: ['target', 'sheet_unconfirmed'],
  }
  const { api, user } = open(unconfirmed)
  const backups = await section('Copie di sicurezza')
  const alert = await backups.findByRole('alert')
  expect(alert.textContent).toContain('rifiuta i dati.La scheda di recupero')
  expect(backups.getByText('22/11/2026 02:33 (123 MB)')).toBeDefined()

  await user.click(backups.getByRole('button', { name: 'Conferma la scheda' }))
  expect(await backups.findByText('Scrivi gli ultimi 8 caratteri della chiave.')).toBeDefined()
  const confirmed = { ...unconfirmed, sheetConfirmedAt: at, problems: [] }
  api.on(confirmRecoverySheet, () => confirmed).on(getBackups, () => confirmed)
  fill(backups.getByLabelText('Ultimi 8 caratteri della chiave stampata'), 'ABCD-EFGH')
  await user.click(backups.getByRole('button', { name: 'Conferma la scheda' }))
  expect(await backups.findByText(/^Attive:/)).toBeDefined()
  expect(backups.getByText(/ab12cd34 è stata confermata/)).toBeDefined()

  const running: BackupRun = { ...done, id: 'three', state: 'running', finishedAt: null }
  const busy = { ...confirmed, runs: [running, done] }
  api.on(startBackup, () => busy).on(getBackups, () => busy)
  await user.click(backups.getByRole('button', { name: 'Esegui ora' }))
  expect(await backups.findByText('Copia in corso: 123 MB')).toBeDefined()
  expect(api.requests.find(({ path }) => path.endsWith('/runs'))?.body).toEqual({ kind: 'backup' })
})

test('the load of Airtable says how many pharmacies a user’s tokens carry and how many more', async () => {
  open()
  const airtableLoad = await section('Carico di Airtable')
  expect(await airtableLoad.findByText('Token del server')).toBeDefined()
  const texts = [
    'Farmacia Aurora, Farmacia Brera, Farmacia Corso e altre 467',
    '470',
    'in 460 basi, 0 con avvisi',
    '1.880',
    'al massimo 2.005 di 2.160',
    '+36',
    'con il controllo periodico, +171 con gli avvisi',
    'Questo utente è vicino al limite.',
    'Una farmacia ha una base senza token: i suoi ordini non si possono leggere.',
  ]
  for (const text of texts) expect(airtableLoad.getByText(text)).toBeDefined()
  expect(airtableLoad.getByText(/costa 4,3 richieste al minuto/)).toBeDefined()
  expect(
    airtableLoad.getByRole('img', { name: '93 % del limite nelle ore di punta' }),
  ).toBeDefined()
})
