import { orderMessage } from '@bancone/contract/whatsapp-order'
import { describe, expect, it } from 'vitest'
import { hasOrderWords, namedCode, possibleCodes, wishOf } from './inbound.rules.ts'
import { decide, nextSendingTime, type SendingFacts, shownNumber } from './messages.rules.ts'
import {
  type KnownProduct,
  nameBeginnings,
  namesProduct,
  possibleNames,
  productsOf,
} from './order-products.rules.ts'

const at = (text: string) => Date.parse(text)
const isoOf = (time: number) => new Date(time).toISOString()

describe('notices are sent', () => {
  it.each([
    ['2026-06-10T06:00:00Z', '2026-06-10T06:00:00.000Z'],
    ['2026-06-10T18:29:59Z', '2026-06-10T18:29:59.000Z'],
    ['2026-06-10T18:30:00Z', '2026-06-11T06:00:00.000Z'],
    ['2026-06-10T05:59:00Z', '2026-06-10T06:00:00.000Z'],
    // 23:00 and 1:30 in the nights in which the clocks change.
    ['2027-03-27T22:00:00Z', '2027-03-28T06:00:00.000Z'],
    ['2027-03-28T00:30:00Z', '2027-03-28T06:00:00.000Z'],
    ['2027-10-30T21:00:00Z', '2027-10-31T07:00:00.000Z'],
    ['2027-10-31T00:30:00Z', '2027-10-31T07:00:00.000Z'],
  ])('at %s: from %s', (now, next) => {
    expect(isoOf(nextSendingTime(at(now)))).toBe(next)
  })
})

const NOON = at('2026-06-10T10:00:00Z')
const facts: SendingFacts = {
  kind: 'ready',
  isAutomatic: true,
  ignoresHours: false,
  needsTemplate: false,
  expiresAt: NOON + 3_600_000,
  isOn: true,
  pausedUntil: null,
  dailyLimit: 10,
  usedToday: 9,
  monthlyLimit: null,
  usedThisMonth: { texts: 0, paid: 0 },
  opensAt: null,
  connection: { state: 'connected', quality: 'GREEN' },
  contact: { hasConsent: true, isUnreachable: false, pausedUntil: null, lastInboundAt: null },
  order: {
    isCancelled: false,
    pickup: 'ready',
    isPartlyReady: false,
    isOverdue: false,
    hasNumber: true,
    products: null,
  },
  template: { status: 'APPROVED', category: 'UTILITY' },
}
const { contact, order } = facts
const written = { ...contact, lastInboundAt: NOON - 23 * 3_600_000 }
const overdue = { ...order, pickup: 'ready', isOverdue: true }
const reminder = { kind: 'reminder', order: overdue }
const part = {
  kind: 'part',
  isAutomatic: false,
  order: { ...order, pickup: 'none', isPartlyReady: true },
}
const received = {
  kind: 'received',
  ignoresHours: true,
  order: null,
  contact: written,
  opensAt: NOON + 3_600_000,
}
const called = { kind: 'call', expiresAt: NOON + 600_000 } as const

describe('a message', () => {
  it.each<[string, object, string]>([
    ['in order', {}, 'send template'],
    ['in the window', { contact: written }, 'send text'],
    [
      'in a window that Meta says is closed',
      { contact: written, needsTemplate: true },
      'send template',
    ],
    [
      'after the window',
      { contact: { ...contact, lastInboundAt: NOON - 86_390_000 } },
      'send template',
    ],
    ['while messages are off', { isOn: false }, 'remove '],
    ['of a person while messages are off', { isOn: false, isAutomatic: false }, 'failed off'],
    ['that comes too late', { expiresAt: NOON }, 'failed late'],
    ['to an unknown person', { contact: null }, 'remove '],
    ['without consent', { contact: { ...contact, hasConsent: false } }, 'remove '],
    [
      'that a person asks for without consent',
      { isAutomatic: false, contact: { ...contact, hasConsent: false } },
      'failed no_consent',
    ],
    ['about medicines', { order: { ...order, products: 'medicine' } }, 'held_back medicine'],
    [
      'about medicines, by the button',
      { isAutomatic: false, order: { ...order, products: 'medicine' } },
      'send template',
    ],
    [
      'about unknown products',
      { order: { ...order, products: 'unknown_products' } },
      'held_back unknown_products',
    ],
    ['about a cancelled order', { order: { ...order, isCancelled: true } }, 'remove '],
    [
      'about an order without a number',
      { order: { ...order, hasNumber: false } },
      'held_back no_number',
    ],
    [
      'to a number without WhatsApp',
      { contact: { ...contact, isUnreachable: true } },
      'failed not_on_whatsapp',
    ],
    [
      'while the number is to be connected again',
      { connection: { state: 'needs_reauth', quality: null } },
      'wait connection',
    ],
    ['at quality red', { connection: { state: 'connected', quality: 'RED' } }, 'wait quality'],
    ['in a pause of the pharmacy', { pausedUntil: NOON + 1 }, 'wait rate'],
    ['in a pause of the person', { contact: { ...contact, pausedUntil: NOON + 1 } }, 'wait person'],
    ['beyond the day', { usedToday: 10 }, 'wait budget'],
    [
      'whose template is not approved',
      { template: { status: 'PAUSED', category: 'UTILITY' } },
      'wait template',
    ],
    [
      'whose template Meta made marketing',
      { template: { status: 'APPROVED', category: 'MARKETING' } },
      'wait template',
    ],
    [
      'that replies in the window',
      { kind: 'reply', isAutomatic: false, contact: written, usedToday: 99 },
      'send text',
    ],
    [
      'that replies at quality red',
      { kind: 'reply', contact: written, connection: { state: 'connected', quality: 'RED' } },
      'send text',
    ],
    ['that replies too late', { kind: 'reply', isAutomatic: false }, 'failed window_closed'],
    ['that calls', called, 'send template'],
    [
      'that calls while the number is to be connected again',
      { ...called, connection: null, expiresAt: NOON + 1 },
      'failed connection',
    ],
    ['that calls beyond the day', { ...called, usedToday: 10 }, 'failed budget'],
    [
      'about an order that is not ready any more',
      { order: { ...order, pickup: 'none' } },
      'remove ',
    ],
    [
      'that a person asks for about an order that is not marked',
      { isAutomatic: false, order: { ...order, pickup: 'none' } },
      'send template',
    ],
    [
      'that a person asks for about a collected order',
      { isAutomatic: false, order: { ...order, pickup: 'collected' } },
      'failed outdated',
    ],
    ['that tells of a part when all is ready', { ...part, order }, 'failed outdated'],
    ['that tells of a part', part, 'send template'],
    ['that reminds', reminder, 'send template'],
    ['that reminds of an order that is kept', { ...reminder, order }, 'remove '],
    [
      'that reminds of medicines',
      { ...reminder, order: { ...overdue, products: 'medicine' } },
      'held_back medicine',
    ],
    ['that answers while the pharmacy is open', { ...received, opensAt: null }, 'remove '],
    [
      'that answers an order of a customer with consent',
      { ...received, order, contact },
      'send template',
    ],
    [
      'that answers an order that may hold medicines',
      { ...received, order: { ...order, products: 'unknown_products' } },
      'remove ',
    ],
    ['that answers what a customer has written', received, 'send text'],
    [
      'that answers a customer without consent',
      { ...received, contact: { ...written, hasConsent: null } },
      'send text',
    ],
    [
      'that answers a customer who wants no notices',
      { ...received, contact: { ...written, hasConsent: false } },
      'remove ',
    ],
    ['that answers beyond the day', { ...received, usedToday: 10 }, 'remove '],
    [
      'beyond the month',
      { monthlyLimit: 5, usedThisMonth: { texts: 0, paid: 5 } },
      'held_back monthly_limit',
    ],
    [
      'within the month',
      { monthlyLimit: 5, usedThisMonth: { texts: 0, paid: 4 } },
      'send template',
    ],
    [
      'by a person beyond the month',
      { isAutomatic: false, monthlyLimit: 0, usedThisMonth: { texts: 0, paid: 5 } },
      'send template',
    ],
    [
      'that costs nothing beyond the month',
      { contact: written, monthlyLimit: 0, usedThisMonth: { texts: 999, paid: 5 } },
      'send text',
    ],
    [
      'in the window when the free texts are used up',
      { contact: written, monthlyLimit: 0, usedThisMonth: { texts: 1_000, paid: 0 } },
      'held_back monthly_limit',
    ],
    [
      'that calls beyond the month',
      { ...called, monthlyLimit: 0, usedThisMonth: { texts: 0, paid: 0 } },
      'failed monthly_limit',
    ],
  ])('%s', (_, change, expected) => {
    const decision = decide({ ...facts, ...change }, NOON)
    const what = 'by' in decision ? decision.by : 'reason' in decision ? decision.reason : ''
    expect(`${decision.kind} ${what}`).toBe(expected)
  })

  it('at night waits for the morning, unless it is wanted at once', () => {
    const night = at('2026-06-10T21:00:00Z')
    const late = { ...facts, expiresAt: night + 86_400_000 }
    const waiting = { kind: 'wait', reason: 'hours', until: at('2026-06-11T06:00:00Z') }
    expect(decide(late, night)).toEqual(waiting)
    expect(decide({ ...late, ignoresHours: true }, night).kind).toBe('send')
    expect(decide({ ...late, ...called, expiresAt: night + 600_000 }, night)).toEqual({
      kind: 'failed',
      reason: 'hours',
    })
  })
})

const offer = (
  name: string,
  regulatoryClass: KnownProduct['regulatoryClass'],
  code: string | null = null,
) => ({
  name,
  code,
  regulatoryClass,
})
const known = [
  offer('Crema mani', 'libero'),
  offer('Termometro', 'dispositivo_medico'),
  offer('Tosse Sciroppo', 'medicinale_otc_sop'),
  offer('Pastiglie', 'libero', '012745093'),
]
const product = (name: string, medicine = false) => ({
  name,
  cents: 450,
  quantity: 1,
  equivalent: false,
  discounted: false,
  medicine,
})

it.each<[string, string | null, string | null]>([
  ['an offer', 'Crema  mani', null],
  ['an order of the public page', orderMessage([product('Crema mani')], 'ABC234'), null],
  ['several', orderMessage([product('Crema mani'), product('crema mani')], 'ABC234'), null],
  [
    'an unknown one among them',
    orderMessage([product('Crema mani'), product('Altro')]),
    'unknown_products',
  ],
  ['a device', 'Termometro', 'medicine'],
  ['a medicine', 'tosse sciroppo', 'medicine'],
  ['the code of a medicine', 'Pastiglie', 'medicine'],
  ['a reservation', orderMessage([product('Crema mani', true)]), 'medicine'],
  [
    'a prescription',
    `${orderMessage([product('Crema mani')])}\nCodice fiscale: RSSMRA79B11C566R`,
    'medicine',
  ],
  ['something written', 'Crema mani e altro', 'unknown_products'],
  ['nothing', null, 'unknown_products'],
])('an order with %s', (_, details, expected) => {
  expect(productsOf(details, known, false)).toBe(expected)
  expect(productsOf(details, known, true)).toBe('medicine')
})

it('a name of the register is found at the beginning of a product', () => {
  expect(nameBeginnings('Prodotto: Aspirina C 20 cpr')).toContain('aspirina c')
  expect(nameBeginnings('crema, Oki bustine')).toContain('oki')
})

it('a name of the register is found anywhere in a reply', () => {
  const names = possibleNames("L'Aspirina C è pronta, e l'Oki per domani")
  expect(names).toEqual(expect.arrayContaining(['aspirina', 'aspirina c', 'oki']))
  for (const harmless of ['l', 'è', 'pronta', 'domani']) expect(names).not.toContain(harmless)
})

it.each([
  ['La aspettiamo oggi alle 18, grazie', false],
  ['La tachipirina è qui', true],
  ['La TACHIPIRINA!', true],
  ['Il farmaco è qui', true],
  ['Medicinali pronti', true],
  ['Gentile Rossi, la Farmacia San Marco La aspetta', false],
  ['Una confezione è pronta', false],
  ['Della ricetta mancano il numero (15 caratteri) e il codice fiscale', false],
  ['È giusto rssmra79b11c566r?', true],
])('%j names a product: %s', (text, expected) => {
  expect(
    namesProduct(
      text,
      'Tachipirina 1000, una confezione per Rossi. Numero della ricetta: 15 caratteri, codice fiscale RSSMRA79B11C566R',
      ['Farmacia San Marco', 'Anna Rossi'],
    ),
  ).toBe(expected)
})

describe('a customer', () => {
  it.each([
    'STOP',
    ' basta! ',
    'Annulla.',
    'Stop grazie',
    'STOP!',
    'Stop 🙏',
    'sto\u0300p',
    '*Stop*',
    '𝗦𝗧𝗢𝗣',
    'Buongiorno, stop per favore',
    'Stop. Ho già ritirato.',
    'stop stop STOOOP',
    'Stop messaggi',
    'basta messaggi',
    'Basta con questi avvisi',
    'basta di scrivermi',
    'niente più messaggi grazie',
    'non voglio più messaggi',
    'Buonasera, non voglio più ricevere i vostri messaggi.',
    'non desidero ricevere comunicazioni',
    'non voglio più essere contattato',
    'Non mi scrivete più',
    'non scrivermi più',
    'Non mandatemi più avvisi',
    'non mandatemi più niente',
    'Non mi inviate messaggi',
    'potete non mandarmi più messaggi?',
    'disiscrivimi',
    'Vorrei disiscrivermi',
    'cancellami',
    'cancellatemi dalla lista',
    'disattivate le notifiche',
    'come faccio a bloccare gli avvisi?',
    'Annullo l’iscrizione',
    'revoco il consenso',
    'smettetela di scrivermi',
    'lasciatemi in pace',
    'Unsubscribe',
  ])('ends the consent: %s', (text) => expect(wishOf(text)).toBe('stop'))

  it.each([
    'avvisami',
    'Sì, avvisami',
    'Avvisami grazie',
    'sì avvisatemi pure',
    'Avvisami quando è pronto',
  ])('gives the consent: %s', (text) => expect(wishOf(text)).toBe('start'))

  it.each([
    'no',
    'No grazie',
    'basta così',
    'basta una scatola',
    'Basta scrivermi qui quando arriva',
    'basta avvisarmi domani',
    'siete aperti non stop?',
    'Stop Ansia gocce',
    'non annullate',
    "annulla l'ordine",
    'Non disattivate gli avvisi',
    'non disiscrivetemi',
    'Ho cancellato il messaggio per sbaglio',
    'non ho ricevuto messaggi',
    'non ricevo più messaggi da voi',
    'Perché non mi mandate più avvisi?',
    'non mi avete avvisato',
    'Non mi mandi più la crema',
    'toglietemi la crema dalla lista',
    'non avvisarmi, passo io',
    'Ciao, la tua richiesta 12 è pronta. Per non ricevere altri avvisi rispondi STOP. Che cosa significa?',
    '',
  ])('does neither: %s', (text) => expect(wishOf(text)).toBeUndefined())
})

const prepared = orderMessage([product('Crema mani')], 'ABC234')
const bare = orderMessage([product('Crema mani')])

describe('the code of the public page', () => {
  it.each([
    prepared,
    `${prepared} grazie`,
    `${prepared}\n\nGrazie!`,
    prepared.toLowerCase(),
    prepared.toUpperCase(),
    `${bare}\nabc234`,
    `${bare} (ABC234)`,
    `${bare}\nCodice:\nABC234`,
    `${bare}\n*Codice: ABC234*`,
    `${bare}\nCodice: *ABC*_234_`,
    `${bare}\nCodice: ABC 234`,
    `${bare}\nCodice: abc-234`,
    `${bare}\nCodice: A B C 2 3 4`,
    `${bare}\nCodice: ABC\u200b234`,
    `${bare}\nCodiceABC234`,
    `${bare}\nCodice:ABC234grazie`,
    `${bare}\nCodice: 𝗔𝗕𝗖𝟮𝟯𝟰`,
    `${bare}\nCodice: ＡＢＣ２３４`,
    prepared.replaceAll('\n', ' '),
    prepared.replaceAll('\n', '\n> '),
    `Inoltrato: «${prepared}»`,
    'Quello di prima, ABC234',
    'abc234',
  ])('is found in %j', (text) => expect(possibleCodes(text)).toContain('ABC234'))

  it.each([
    ['il mio codice ABC234', 'ABC234'],
    ['Codice: abc 234', 'ABC234'],
    ["codice dell'ordine: ABC234", 'ABC234'],
    ['Il codice è abc234', 'ABC234'],
    ['cod. QWERTY', 'QWERTY'],
    ['Codice: ABC23', undefined],
    ['Codice fiscale RSSMRA85T10A562S', undefined],
    ['il codice sembra sbagliato', undefined],
    ['codice 938475014', undefined],
    ['Crema ABC234', undefined],
  ])('named in %j is %j', (text, code) => expect(namedCode(text)).toBe(code))
})

it.each([
  [bare, true],
  ['ciao vorrei ordinare la crema', true],
  ['> *Ciao*, vorrei prenotare:', true],
  ['Buongiorno,\nvorrei ordinare: crema mani', true],
  ['Prodotto: Crema mani\nPrezzo: 9,00 €\nQuantità: 2', true],
  ['1) Crema mani - prezzo 9,00 - quantita 2', true],
  ['Ciao, vorrei sapere se siete aperti', false],
  ['In quantità? Che prezzo?', false],
  ['Mia suocera vorrei ordinare a tutti', false],
])('what is left of the prepared message in %j: %s', (text, expected) => {
  expect(hasOrderWords(text)).toBe(expected)
})

it('the number of an order is shown if it can be nothing else', () => {
  expect(['1042', ' A-12/3 '].map(shownNumber)).toEqual(['1042', 'A-12/3'])
  expect(['Tachipirina 500', 'Aspirina', null, ''].map(shownNumber)).toEqual(
    Array(4).fill(undefined),
  )
})
