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

export type Notice = {
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

/** Both ways to address a customer. */
const stops = {
  lei: 'Per non ricevere altri avvisi risponda STOP.',
  tu: 'Per non ricevere altri avvisi rispondi STOP.',
}
const ready = {
  lei: 'Buongiorno, la Sua richiesta {{1}} è pronta per il ritiro presso {{2}}.',
  tu: 'Ciao, la tua richiesta {{1}} è pronta per il ritiro presso {{2}}.',
}
const arrival = {
  lei: 'Buongiorno, per la Sua richiesta {{1}}: quando arriva presso {{2}} apra {{3}} e prema «Sono in farmacia», così La chiamiamo appena possibile.',
  tu: 'Ciao, per la tua richiesta {{1}}: quando arrivi presso {{2}} apri {{3}} e premi «Sono in farmacia», così ti chiamiamo appena possibile.',
}
const turn = {
  lei: 'È il Suo turno per la richiesta {{1}} presso {{2}}: venga, La aspettiamo qui: {{3}}.',
  tu: 'È il tuo turno per la richiesta {{1}} presso {{2}}: vieni, ti aspettiamo qui: {{3}}.',
}

export function noticeTexts(saysTu: boolean): Record<NoticeKind, Notice> {
  const form = saysTu ? 'tu' : 'lei'
  const ending = saysTu ? '1' : 'lei_1'
  const stop = stops[form]
  return {
    ready: {
      text: ({ number, pharmacy, link }) =>
        `${filled(ready[form], [number, pharmacy])} Orari e dettagli: ${link}\n\n${stop}`,
      name: `bancone_ordine_pronto_${ending}`,
      body: `${ready[form]}\n\n${stop}`,
      values: ({ number, pharmacy }) => [number, pharmacy],
      samples: ['1042', 'Farmacia San Marco'],
      button: 'Orari e dettagli',
    },
    link: {
      text: ({ number, pharmacy, link }) =>
        `${filled(arrival[form], [number, pharmacy, link])}\n\n${stop}`,
      name: `bancone_link_arrivo_${ending}`,
      body: `${arrival[form]}\n\n${stop}`,
      values: ({ number, pharmacy, link }) => [number, pharmacy, link],
      samples: [
        '1042',
        'Farmacia San Marco',
        'https://bancone.example.it/priority/PHARM-0001/recA1b2#t=xyz',
      ],
    },
    call: {
      text: ({ number, pharmacy, desk }) =>
        `${filled(turn[form], [number, pharmacy, desk])}\n\n${stop}`,
      name: `bancone_chiamata_${ending}`,
      body: `${turn[form]}\n\n${stop}`,
      values: ({ number, pharmacy, desk }) => [number, pharmacy, desk],
      samples: ['1042', 'Farmacia San Marco', 'Banco 2'],
    },
  }
}

/** Meta refuses line breaks, tabs and many spaces in a value. */
export const cleanValue = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)

/** The text with its values. */
export function filled(body: string, values: readonly string[]): string {
  return body.replaceAll(/\{\{(\d+)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? '')
}

/** What answers a customer who asks for an end, or for notices. */
export const answers = (saysTu: boolean) => ({
  stop: (pharmacy: string) =>
    saysTu
      ? `Va bene, ${pharmacy} non ti manderà altri avvisi. Per riceverli di nuovo scrivi AVVISAMI.`
      : `Va bene, ${pharmacy} non Le manderà altri avvisi. Per riceverli di nuovo scriva AVVISAMI.`,
  start: (pharmacy: string) =>
    saysTu
      ? `Va bene, ${pharmacy} ti avviserà qui quando i tuoi ordini sono pronti. Per smettere scrivi STOP.`
      : `Va bene, ${pharmacy} La avviserà qui quando i Suoi ordini sono pronti. Per smettere scriva STOP.`,
})

/** The number of an order as a customer may see it; undefined where it could be something else. */
export function shownNumber(number: string | null): string | undefined {
  const text = cleanValue(number ?? '')
  return /^(?=.*\d)[\w.#/-]{1,20}$/.test(text) ? text : undefined
}
