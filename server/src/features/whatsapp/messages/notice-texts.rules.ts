import { type Day, dayOf } from '@bancone/contract/dates'
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
  /** When the rest of a part is expected, or the pharmacy opens; in words. */
  moment: string
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

const HOURS = 'Orari e dettagli'

/** Both ways to address a customer. */
const stops = {
  lei: 'Per non ricevere altri avvisi risponda STOP.',
  tu: 'Per non ricevere altri avvisi rispondi STOP.',
}
const ready = {
  lei: 'Buongiorno, la Sua richiesta {{1}} è pronta per il ritiro presso {{2}}.',
  tu: 'Ciao, la tua richiesta {{1}} è pronta per il ritiro presso {{2}}.',
}
const part = {
  lei: 'Buongiorno, una parte della Sua richiesta {{1}} è pronta per il ritiro presso {{2}}. Il resto è atteso {{3}}.',
  tu: 'Ciao, una parte della tua richiesta {{1}} è pronta per il ritiro presso {{2}}. Il resto è atteso {{3}}.',
}
const reminder = {
  lei: 'Buongiorno, la Sua richiesta {{1}} La aspetta ancora presso {{2}}.',
  tu: 'Ciao, la tua richiesta {{1}} ti aspetta ancora presso {{2}}.',
}
const received = {
  lei: 'Buongiorno, abbiamo ricevuto la Sua richiesta {{1}}. Ora {{2}} è chiusa e riapre {{3}}: Le risponderemo allora.',
  tu: 'Ciao, abbiamo ricevuto la tua richiesta {{1}}. Ora {{2}} è chiusa e riapre {{3}}: ti risponderemo allora.',
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
        `${filled(ready[form], [number, pharmacy])} ${HOURS}: ${link}\n\n${stop}`,
      name: `bancone_ordine_pronto_${ending}`,
      body: `${ready[form]}\n\n${stop}`,
      values: ({ number, pharmacy }) => [number, pharmacy],
      samples: ['1042', 'Farmacia San Marco'],
      button: HOURS,
    },
    part: {
      text: ({ number, pharmacy, moment, link }) =>
        `${filled(part[form], [number, pharmacy, moment])} ${HOURS}: ${link}\n\n${stop}`,
      name: `bancone_ordine_in_parte_${ending}`,
      body: `${part[form]}\n\n${stop}`,
      values: ({ number, pharmacy, moment }) => [number, pharmacy, moment],
      samples: ['1042', 'Farmacia San Marco', 'per lunedì 30 novembre'],
      button: HOURS,
    },
    reminder: {
      text: ({ number, pharmacy, link }) =>
        `${filled(reminder[form], [number, pharmacy])} ${HOURS}: ${link}\n\n${stop}`,
      name: `bancone_promemoria_ritiro_${ending}`,
      body: `${reminder[form]}\n\n${stop}`,
      values: ({ number, pharmacy }) => [number, pharmacy],
      samples: ['1042', 'Farmacia San Marco'],
      button: HOURS,
    },
    received: {
      text: ({ number, pharmacy, moment }) =>
        `${filled(received[form], [number, pharmacy, moment])}\n\n${stop}`,
      name: `bancone_ricevuto_da_chiusi_${ending}`,
      body: `${received[form]}\n\n${stop}`,
      values: ({ number, pharmacy, moment }) => [number, pharmacy, moment],
      samples: ['1042', 'Farmacia San Marco', 'domani alle 08:30'],
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

const dayInWords = new Intl.DateTimeFormat('it-IT', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

/** For when the rest of an order is expected: `per lunedì 30 novembre`. @param day null: not known */
export function expectedIn(day: Day | null, now: number): string {
  return day !== null && day > dayOf(now)
    ? `per ${dayInWords.format(Date.parse(day))}`
    : 'nei prossimi giorni'
}

/** The text with its values. */
export function filled(body: string, values: readonly string[]): string {
  return body.replaceAll(/\{\{(\d+)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? '')
}

/** The texts that answer a customer who has written that notices shall end, or shall come. */
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
