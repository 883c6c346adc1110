import { getOrder } from '@bancone/contract/order-details'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { topicEvents } from '@bancone/contract/realtime'
import { listReplyTexts } from '@bancone/contract/reply-texts'
import {
  confirmWhatsAppDraft,
  dismissWhatsAppDraft,
  listWhatsAppDrafts,
} from '@bancone/contract/whatsapp-drafts'
import {
  type CustomerNotice,
  cancelOrderNotice,
  getOrderWhatsApp,
  listUnreadCustomers,
  markCustomerRead,
  type OrderWhatsApp,
  recordWhatsAppConsent,
  sendOrderNotice,
  sendWhatsAppReply,
} from '@bancone/contract/whatsapp-orders'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { detailsOf, order, pharmacy } from '../../../../test/fixtures.ts'
import { inactive } from '../../../../test/inactive.ts'
import { openDetails } from '../../../../test/open-details.ts'
import { serverWith } from '../../../../test/render-app.tsx'
import { renderDashboard } from '../../../../test/render-page.tsx'
import { failure } from '../../../../test/stub-api.ts'
import { publishPharmacyEvent } from '../../../lib/pharmacy-events.ts'
import { messagesRow } from './order-messages-texts.ts'

const AT = '2026-11-23T09:00:00Z'
const ID = '3d0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41'
/** A text with which nothing was done. */
const plain = { content: 'text', change: null, state: null, reason: null } as const
const given = { isGiven: true, channel: 'counter', by: 'Maria', at: AT, wording: 'Vuole?' } as const

const nothing: OrderWhatsApp = {
  isOn: true,
  isReachable: true,
  consent: null,
  consents: [],
  question: { version: 1, text: 'Vuole che Le scriviamo?' },
  notices: [],
  products: null,
  isPartlyReady: false,
  remindersLeft: 0,
  sendsLinks: false,
  windowEndsAt: null,
  conversation: [],
}
const consented = { ...nothing, consent: given, consents: [given] }

function notice(state: CustomerNotice['state'], reason: CustomerNotice['reason'] = null) {
  const one = {
    id: ID,
    kind: 'ready' as const,
    state,
    reason,
    isAutomatic: false,
    dueAt: AT,
    at: AT,
  }
  return { ...consented, notices: [one] }
}

function reminded(remindersLeft: number) {
  const read = notice('read')
  return {
    ...read,
    remindersLeft,
    notices: read.notices.map((one) => ({ ...one, kind: 'reminder' as const })),
  }
}

function server(first: OrderWhatsApp) {
  let current = first
  const now = (next: OrderWhatsApp) => (current = next)
  return serverWith([order(7, { 'Phone Number': '333 1234567', Cliente: 'Anna' })])
    .on(getOwnPharmacy, () => ({ ...pharmacy, features: ['whatsapp_integration' as const] }))
    .on(listWhatsAppDrafts, () => ({ drafts: [] }))
    .on(listUnreadCustomers, () => ({ customers: [] }))
    .on(markCustomerRead, () => ({}))
    .on(getOrderWhatsApp, () => current)
    .on(recordWhatsAppConsent, ({ body }) => now(body.isGiven ? consented : nothing))
    .on(sendOrderNotice, () => now(notice('queued')))
    .on(cancelOrderNotice, () => now(consented))
    .on(listReplyTexts, () => ({ texts: [] }))
}

test.each<[string, OrderWhatsApp, string, string | null]>([
  ['no number', { ...nothing, isReachable: false }, 'numero di telefono valido', null],
  ['no consent', nothing, 'non ha ancora detto', 'consent'],
  [
    'an end of the consent',
    { ...nothing, consent: { ...given, isGiven: false } },
    'non vuole avvisi',
    'consent',
  ],
  ['a consent', consented, 'vuole essere avvisato', 'notify'],
  ['a notice that waits', notice('queued'), 'sta per partire', 'cancel'],
  ['the night', notice('queued', 'hours'), 'parte il 23/11/2026 10:00', 'cancel'],
  ['medicines', notice('held_back', 'medicine'), 'solo se lo invii tu', 'notify'],
  ['what is accepted', notice('accepted'), 'non ancora consegnato', null],
  ['what was delivered', notice('delivered'), 'consegnato il 23/11/2026 10:00', null],
  ['what was read, and the consent ended', { ...notice('read'), consent: null }, 'letto', null],
  ['no response', notice('unsure'), 'non si sa ancora', null],
  ['a number without WhatsApp', notice('failed', 'not_on_whatsapp'), 'non ha WhatsApp', 'call'],
  ['a refusal that can be mended', notice('queued', 'payment'), 'metodo di pagamento', 'cancel'],
  ['the number of the pharmacy', notice('failed', 'own_number'), 'Correggi il telefono', 'retry'],
  ['a failure', notice('failed', 'refused'), 'non è stato consegnato', 'retry'],
  ['a part', { ...consented, isPartlyReady: true }, 'una parte è pronta', 'notify'],
  ['what is overdue', { ...notice('read'), remindersLeft: 2 }, 'Non ritirato', 'notify'],
  ['what is overdue without a consent', { ...nothing, remindersLeft: 2 }, 'non ha chiesto', 'call'],
  ['the first reminder', reminded(1), 'Promemoria del ritiro: Avviso letto', 'notify'],
  [
    'the second reminder',
    { ...notice('read'), notices: reminded(0).notices },
    'avvisato',
    'notify',
  ],
  ['the limit of the month', notice('held_back', 'monthly_limit'), 'solo se lo invii tu', 'notify'],
])('%s has its text and one action', (_, whatsApp, text, action) => {
  const state = { status: 'Confermato', pickup: 'none' } as const
  const row = messagesRow(whatsApp, state)
  expect(row.text).toContain(text)
  expect(row.action).toBe(action)
  for (const over of [{ status: 'Annullato' }, { pickup: 'collected' as const }])
    expect(messagesRow(consented, { ...state, ...over }).action).toBeNull()
})

test('the consent is asked for, the notice sent and taken back', async () => {
  const { user, dialog } = await openDetails(server(nothing), 7)
  await user.click(await within(dialog).findByRole('button', { name: 'Chiedi il consenso' }))
  const asking = await screen.findByRole('dialog', { name: 'Chiedi al cliente' })
  within(asking).getByText('«Vuole che Le scriviamo?»')
  const record = within(asking).getByRole('button', { name: 'Registra il consenso' })
  expect(inactive(record)).toBe(true)
  await user.click(within(asking).getByRole('checkbox'))
  await user.click(record)
  await user.click(await within(dialog).findByRole('button', { name: 'Avvisa che è pronto' }))
  await user.click(await within(dialog).findByRole('button', { name: 'Annulla avviso' }))
  await within(dialog).findByRole('button', { name: 'Avvisa che è pronto' })
  within(dialog).getByText('Consenso dato al banco il 23/11/2026 10:00, registrato da Maria')
  await user.click(within(dialog).getByRole('button', { name: 'Ritira il consenso' }))
  await within(dialog).findByRole('button', { name: 'Chiedi il consenso' })
})

test('the link of priority access is sent, shown on its way and taken back', async () => {
  const links = { ...consented, sendsLinks: true }
  let current: OrderWhatsApp = links
  const api = server(links)
    .on(getOrderWhatsApp, () => current)
    .on(sendOrderNotice, ({ body: { kind } }) => {
      const { notices } = notice('queued')
      return (current = { ...links, notices: notices.map((one) => ({ ...one, kind })) })
    })
    .on(cancelOrderNotice, () => (current = links))
  const { user, dialog } = await openDetails(api, 7)
  await user.click(await within(dialog).findByRole('button', { name: 'Manda il link Priority' }))
  await within(dialog).findByText(/^Link Priority: L'avviso sta per partire/)
  await user.click(within(dialog).getByRole('button', { name: 'Annulla il link' }))
  await within(dialog).findByRole('button', { name: 'Manda il link Priority' })
  expect(within(dialog).queryByText(/^Link Priority:/)).toBeNull()
})

test('nothing is shown while the messages are off, or without the feature', async () => {
  const off = await openDetails(server({ ...nothing, isOn: false }), 7)
  await waitFor(() => expect(off.dialog.textContent).toContain('Cronologia'))
  expect(screen.queryByRole('heading', { name: 'Avvisi su WhatsApp' })).toBeNull()
})

test('a reply is one of the texts, is refused where it names a product, and is shown then', async () => {
  const message = { ...plain, id: ID, at: AT, order: null }
  const talking: OrderWhatsApp = {
    ...consented,
    windowEndsAt: '2026-11-24T09:00:00Z',
    conversation: [
      { ...message, from: 'customer', text: 'Posso passare?', change: 'edited' },
      { ...message, id: `${ID.slice(0, -1)}2`, from: 'customer', content: 'image', text: null },
      {
        ...message,
        id: `${ID.slice(0, -1)}3`,
        from: 'customer',
        content: 'location',
        text: 'Casa',
      },
    ],
  }
  const sent: { id: string; text: string }[] = []
  const api = server(talking).on(sendWhatsAppReply, ({ body }) => {
    sent.push(body)
    if (sent.length === 1) return failure('whatsapp.names_product', 'Toglilo e riprova.')
    const reply = {
      ...message,
      id: body.id,
      from: 'pharmacy',
      text: body.text,
      state: 'queued',
    } as const
    return { ...talking, conversation: [...talking.conversation, reply] }
  })
  const { user, dialog } = await openDetails(api, 7)
  const chat = await within(dialog).findByRole('list', { name: 'Conversazione su WhatsApp' })
  const said = within(chat)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(said).toEqual([
    expect.stringMatching(/^Cliente: Posso passare\?.*Modificato dopo$/),
    expect.stringMatching(/^Cliente: Foto: Bancone non la scarica\./),
    expect.stringMatching(/^Cliente: PosizioneCasa/),
  ])
  await user.click(within(dialog).getByRole('button', { name: 'Rispondi' }))
  const form = within(dialog).getByRole('form', { name: 'Risposta al cliente' })
  await user.selectOptions(within(form).getByRole('combobox'), 'Pronto per il ritiro')
  expect(within(form).getByRole<HTMLTextAreaElement>('textbox').value).toMatch(
    /^Gentile Anna, .* 7 /,
  )
  await user.click(within(form).getByRole('button', { name: 'Invia risposta' }))
  await within(form).findByText('Toglilo e riprova.')
  await user.click(within(form).getByRole('button', { name: 'Invia risposta' }))
  await waitFor(() => expect(chat.textContent).toContain('Invio in corso'))
  // Another attempt is the same reply.
  expect(sent[1]).toEqual(sent[0])
})

test('a message of the customer becomes an order, and what the app has sent is told apart', async () => {
  const at = { ...plain, at: AT }
  const asked = {
    ...at,
    id: ID,
    from: 'customer',
    text: 'Tenete la crema?',
    order: 'possible',
  } as const
  const own = {
    ...at,
    id: `${ID.slice(0, -1)}2`,
    from: 'pharmacy',
    text: 'Certo',
    order: null,
  } as const
  let order7: OrderWhatsApp = { ...consented, conversation: [asked, own] }
  const confirmed: unknown[] = []
  const api = server(nothing)
    .on(getOrderWhatsApp, () => order7)
    .on(confirmWhatsAppDraft, ({ params, body }) => {
      confirmed.push([params.draftId, body.fields])
      order7 = { ...order7, conversation: [{ ...asked, order: 'made' }, own] }
      return order(8)
    })
  const { user, dialog } = await openDetails(api, 7)
  const chat = await within(dialog).findByRole('list', { name: 'Conversazione su WhatsApp' })
  expect(chat.textContent).toContain("Dall'app WhatsApp")
  await user.click(within(chat).getByRole('button', { name: 'Crea ordine' }))
  const sheet = await screen.findByRole('dialog', { name: 'Ordine da WhatsApp' })
  within(sheet).getByRole('button', { name: 'Annulla' })
  await user.click(within(sheet).getByRole('button', { name: 'Crea ordine' }))
  await screen.findByText('Ordine 8 creato')
  const fields = { Cliente: 'Anna', 'Phone Number': '333 1234567', Ordine: 'Tenete la crema?' }
  expect(confirmed).toEqual([[ID, fields]])
  await waitFor(() => expect(chat.textContent).toContain('Ordine creato'))
  expect(within(chat).queryByRole('button')).toBeNull()
})

test('orders from WhatsApp are confirmed or dismissed above the list', async () => {
  const draft = {
    id: ID,
    at: AT,
    customer: 'Anna',
    phone: null,
    text: 'Ciao, vorrei ordinare. NRE 1300A4000000248',
    isDeleted: false,
  }
  const second = { ...draft, id: `${ID.slice(0, -1)}2`, customer: 'Bruno', isDeleted: true }
  let drafts = [draft, second]
  const confirmed: unknown[] = []
  const api = server(nothing)
    .on(listWhatsAppDrafts, () => ({ drafts }))
    .on(confirmWhatsAppDraft, ({ params, body }) => {
      confirmed.push(body.fields)
      drafts = drafts.filter(({ id }) => id !== params.draftId)
      return order(8)
    })
    .on(dismissWhatsAppDraft, ({ params }) => {
      drafts = drafts.filter(({ id }) => id !== params.draftId)
      return {}
    })
  const { user } = renderDashboard('/', api)
  const banner = await screen.findByText(/^2 ordini arrivati su WhatsApp/)
  // Nothing of what was ordered before it is opened.
  expect(banner.textContent).not.toContain('ordinare')
  await user.click(screen.getByRole('button', { name: 'Controlla' }))
  let sheet = await screen.findByRole('dialog', { name: 'Ordine da WhatsApp' })
  // Back closes the sheet, and not the page.
  act(() => history.back())
  await waitFor(() => expect(sheet.isConnected).toBe(false))
  await user.click(screen.getByRole('button', { name: 'Controlla' }))
  sheet = await screen.findByRole('dialog', { name: 'Ordine da WhatsApp' })
  const prescription = await within(sheet).findByRole('region', { name: 'Ricetta' })
  within(prescription).getByText('1300A4000000248')
  await user.clear(within(sheet).getByLabelText('Cliente'))
  await user.click(within(sheet).getByRole('button', { name: 'Crea ordine' }))
  await within(sheet).findByText('Scrivi il nome del cliente.')
  await user.type(within(sheet).getByLabelText('Cliente'), 'Anna Rossi')
  await user.click(within(sheet).getByRole('button', { name: 'Crea ordine' }))
  await screen.findByText('Ordine 8 creato')
  expect(confirmed).toEqual([{ Cliente: 'Anna Rossi', Ordine: draft.text }])
  await screen.findByText(/^Un ordine arrivato su WhatsApp/)
  await waitFor(() => expect(sheet.isConnected).toBe(false))
  await user.click(screen.getByRole('button', { name: 'Controlla' }))
  const next = await screen.findByRole('dialog', { name: 'Ordine da WhatsApp' })
  within(next).getByText(/^Il cliente ha poi eliminato questo messaggio/)
  await user.click(within(next).getByRole('button', { name: 'Ignora' }))
  await waitFor(() => expect(screen.queryByText(/arrivato su WhatsApp/)).toBeNull())
})

test('a customer who has written is named above the orders until their message was seen', async () => {
  let customers = [
    { recordId: order(7).id, number: '7', name: 'Anna', at: AT },
    { recordId: order(9).id, number: null, name: null, at: AT },
  ]
  const message = { ...plain, id: ID, from: 'customer', at: AT, text: 'Siete aperti?' } as const
  const api = server({ ...nothing, conversation: [{ ...message, order: null }] })
    .on(listUnreadCustomers, () => ({ customers }))
    .on(markCustomerRead, ({ params, body }) => {
      expect(body).toEqual({ until: AT })
      customers = customers.filter(({ recordId }) => recordId !== params.recordId)
      return {}
    })
  const unread = customers
  customers = []
  const scrolled = vi.fn<() => void>()
  const scrollIntoView = Element.prototype.scrollIntoView
  Element.prototype.scrollIntoView = scrolled
  onTestFinished(() => {
    Element.prototype.scrollIntoView = scrollIntoView
  })
  const { user } = renderDashboard('/?pageSize=50', api)
  await screen.findAllByText('Anna')
  await waitFor(() =>
    expect(api.requests.some(({ path }) => path === '/api/whatsapp/unread')).toBe(true),
  )
  customers = unread
  act(() => publishPharmacyEvent(topicEvents.whatsapp))
  const banner = await screen.findByText(/^Anna ha scritto su WhatsApp per l'ordine 7, e anche/)
  expect(banner.textContent).not.toContain('aperti')
  await user.click(screen.getByRole('button', { name: 'Leggi' }))
  const details = await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  const read = (await within(details).findByText('Siete aperti?')).closest('li')
  await waitFor(() => expect(document.activeElement).toBe(read))
  expect(scrolled.mock.contexts).toContain(read)
  expect(await screen.findByText('Un cliente ha scritto su WhatsApp.')).toBeDefined()
  expect(window.location.search).toContain('pageSize=50')
})

test('codes in messages of an order are shown with those of its text, and not those of another order', async () => {
  const created = Date.parse(order(7).fields.Created)
  const message = (hours: number, text: string) => ({
    ...plain,
    id: ID.replace(/.$/, String(hours + 30).at(-1) ?? ''),
    from: 'customer' as const,
    at: new Date(created + hours * 3_600_000).toISOString(),
    text,
    order: null,
  })
  const conversation = [
    message(-25, 'La ricetta di prima 1200A1234567890'),
    message(-1, 'cf RSSMRA79B11C566R'),
    { ...message(1, 'ricetta 1200A1234567891'), change: 'deleted' as const },
    message(2, 'Ecco: 1300A 4000000248'),
    message(47, 'Ora anche 1200A1234567892'),
  ]
  const next = order(8, { Created: new Date(created + 48 * 3_600_000).toISOString() })
  const api = server({ ...nothing, conversation }).on(getOrder, () =>
    detailsOf(order(7), { earlier: { count: 1, records: [next] } }),
  )
  const { dialog } = await openDetails(api, 7)
  const section = await within(dialog).findByRole('region', { name: 'Ricetta' })
  const values = within(section).getAllByRole('definition')
  expect(values.map(({ textContent }) => textContent)).toEqual([
    'RSSMRA79B11C566R',
    '1300A4000000248',
  ])
  expect(within(dialog).getByText('1300A 4000000248').localName).toBe('mark')
})
