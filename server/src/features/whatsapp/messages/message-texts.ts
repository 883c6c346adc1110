import type { NoticeKind } from '@bancone/contract/whatsapp-messages'

/** The values of a notice. None of them says what was ordered. */
export type NoticeValues = {
  /** The number of the order. */
  number: string
  pharmacy: string
  /** Of the pharmacy's public page, or of the customer's page. */
  link: string
  /** Where the customer is called to. */
  desk: string
}

type Notice = {
  /** Free text, for the time in which Meta delivers it. */
  text(values: NoticeValues): string
  /** The name of the template at Meta. Another text needs another name. */
  name: string
  /** With `{{1}}`, …; Meta lets none begin or end with a variable. */
  body: string
  values(values: NoticeValues): string[]
  samples: readonly string[]
  /** A button that leads to the pharmacy's page. */
  button?: string
}

const STOP = 'Per non ricevere altri avvisi rispondi STOP.'
const READY = 'Ciao, la tua richiesta {{1}} è pronta per il ritiro presso {{2}}.'
const LINK =
  'Ciao, per la tua richiesta {{1}}: quando arrivi presso {{2}} apri {{3}} e premi «Sono in farmacia», così ti chiamiamo appena possibile.'
const CALL = 'È il tuo turno per la richiesta {{1}} presso {{2}}: vieni, ti aspettiamo qui: {{3}}.'

export const noticeTexts: Record<NoticeKind, Notice> = {
  ready: {
    text: ({ number, pharmacy, link }) =>
      `${filled(READY, [number, pharmacy])} Orari e dettagli: ${link}\n\n${STOP}`,
    name: 'bancone_ordine_pronto_1',
    body: `${READY}\n\n${STOP}`,
    values: ({ number, pharmacy }) => [number, pharmacy],
    samples: ['1042', 'Farmacia San Marco'],
    button: 'Orari e dettagli',
  },
  link: {
    text: ({ number, pharmacy, link }) => `${filled(LINK, [number, pharmacy, link])}\n\n${STOP}`,
    name: 'bancone_link_arrivo_1',
    body: `${LINK}\n\n${STOP}`,
    values: ({ number, pharmacy, link }) => [number, pharmacy, link],
    samples: [
      '1042',
      'Farmacia San Marco',
      'https://bancone.example.it/priority/PHARM-0001/recA1b2#t=xyz',
    ],
  },
  call: {
    text: ({ number, pharmacy, desk }) => `${filled(CALL, [number, pharmacy, desk])}\n\n${STOP}`,
    name: 'bancone_chiamata_1',
    body: `${CALL}\n\n${STOP}`,
    values: ({ number, pharmacy, desk }) => [number, pharmacy, desk],
    samples: ['1042', 'Farmacia San Marco', 'Banco 2'],
  },
}

/** Meta refuses line breaks, tabs and many spaces in a value. */
export const cleanValue = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)

/** The text with its values. */
export function filled(body: string, values: readonly string[]): string {
  return body.replaceAll(/\{\{(\d+)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? '')
}

/** What answers a customer who asks for an end, or for notices. */
export const answers = {
  stop: (pharmacy: string) =>
    `Va bene, ${pharmacy} non ti manderà altri avvisi. Per riceverli di nuovo scrivi AVVISAMI.`,
  start: (pharmacy: string) =>
    `Va bene, ${pharmacy} ti avviserà qui quando i tuoi ordini sono pronti. Per smettere scrivi STOP.`,
} as const

/** The number of an order as a customer may see it; undefined where it could be something else. */
export function shownNumber(number: string | null): string | undefined {
  const text = cleanValue(number ?? '')
  return /^(?=.*\d)[\w.#/-]{1,20}$/.test(text) ? text : undefined
}
