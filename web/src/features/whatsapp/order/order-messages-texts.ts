import type { OrderPickup } from '@bancone/contract/orders'
import type { MessageReason, NoticeKind } from '@bancone/contract/whatsapp-messages'
import type {
  AskedNotice,
  ChatMessage,
  Consent,
  CustomerNotice,
  MessageContent,
  OrderWhatsApp,
} from '@bancone/contract/whatsapp-orders'
import { formatDateTime } from '../../../lib/format.ts'
import { kindNames } from '../messages/messages-texts.ts'

/** The one action that the state suggests. */
export type Action = 'consent' | 'notify' | 'retry' | 'cancel' | 'call' | null

export type Row = { text: string; tone: 'plain' | 'good' | 'bad'; action: Action }

const row = (text: string, action: Action = null, tone: Row['tone'] = 'plain'): Row => ({
  text,
  tone,
  action,
})

const failures: Partial<Record<MessageReason, string>> = {
  off: "L'avviso non è partito: i messaggi erano disattivati.",
  no_consent: "L'avviso non è partito: il cliente non ha dato il consenso.",
  no_number: "L'avviso non è partito: l'ordine non aveva un numero.",
  cancelled: "L'avviso non è partito: l'ordine era annullato.",
  outdated: "L'avviso non è partito: nel frattempo l'ordine è cambiato.",
  late: "L'avviso non è partito in tempo utile.",
  no_response: "WhatsApp non ha risposto: non si sa se l'avviso è arrivato.",
  person:
    "L'avviso non è arrivato: in questi giorni WhatsApp non ne consegna altri a questa persona.",
}

/** What Meta refuses, and where to mend it. */
const refusals: Partial<Record<MessageReason, string>> = {
  payment:
    'Meta chiede un metodo di pagamento valido. Che cosa fare è scritto alla voce «WhatsApp».',
  name: 'Meta non ha approvato il nome del numero. Che cosa fare è scritto alla voce «WhatsApp».',
  registration: 'il numero non è registrato. Che cosa fare è scritto alla voce «WhatsApp».',
  policy: 'è contrario alle regole di Meta. Che cosa fare è scritto alla voce «WhatsApp».',
  restricted: "Meta ha limitato l'account. Che cosa fare è scritto alla voce «WhatsApp».",
  own_number: 'il numero è quello della farmacia. Correggi il telefono del cliente.',
  not_on_whatsapp: 'il numero non ha WhatsApp.',
  window_closed: 'sono passate più di 24 ore.',
}

const waits: Partial<Record<MessageReason, string>> = {
  budget: 'Gli avvisi di oggi sono finiti: parte domattina.',
  quality: 'In attesa: la qualità del numero è bassa e gli avvisi sono fermi.',
  connection: 'In attesa: il numero WhatsApp non è raggiungibile.',
  template: 'In attesa: Meta non ha ancora approvato il testo.',
  rate: 'In attesa: WhatsApp ha ricevuto troppi messaggi.',
  person: 'In attesa: WhatsApp per oggi non consegna altri avvisi a questa persona.',
}

const held: Partial<Record<MessageReason, string>> = {
  medicine:
    "L'ordine contiene medicinali o dispositivi medici: l'avviso parte solo se lo invii tu.",
  unknown_products: "L'ordine potrebbe contenere medicinali: l'avviso parte solo se lo invii tu.",
  no_number: "L'ordine non ha ancora un numero: l'avviso non parte da solo.",
  monthly_limit:
    "Il limite di messaggi a pagamento del mese è raggiunto: l'avviso parte solo se lo invii tu.",
}

/** How far a notice is. */
export function noticeRow({ state, reason, dueAt, at }: CustomerNotice): Row {
  const time = formatDateTime(at)
  switch (state) {
    case 'queued':
      if (reason === 'hours') return row(`L'avviso parte il ${formatDateTime(dueAt)}.`, 'cancel')
      if (reason && refusals[reason]) return row(`In attesa: ${refusals[reason]}`, 'cancel', 'bad')
      return row(waits[reason ?? 'off'] ?? "L'avviso sta per partire.", 'cancel')
    case 'sending':
      return row('Invio in corso…')
    case 'unsure':
      return row("WhatsApp non ha risposto: non si sa ancora se l'avviso è partito.")
    case 'accepted':
      return row('Avviso affidato a WhatsApp, non ancora consegnato.')
    case 'sent':
      return row(`Avviso inviato il ${time}, non ancora consegnato.`)
    case 'delivered':
      return row(`Avviso consegnato il ${time}.`, null, 'good')
    case 'read':
      return row(`Avviso letto il ${time}.`, null, 'good')
    case 'held_back':
      return row(held[reason ?? 'off'] ?? "L'avviso non parte da solo.", 'notify')
    case 'failed':
      if (reason === 'not_on_whatsapp')
        return row('Il numero non ha WhatsApp: avvisa il cliente per telefono.', 'call', 'bad')
      if (reason && refusals[reason])
        return row(`L'avviso non è stato consegnato: ${refusals[reason]}`, 'retry', 'bad')
      return row(failures[reason ?? 'off'] ?? "L'avviso non è stato consegnato.", 'retry', 'bad')
  }
}

export const noticeOf = ({ notices }: OrderWhatsApp, kind: NoticeKind) =>
  notices.find((notice) => notice.kind === kind)

/** What the customer can be told next. */
export function nextNotice({ remindersLeft, isPartlyReady }: OrderWhatsApp): AskedNotice {
  if (remindersLeft > 0) return 'reminder'
  return isPartlyReady ? 'part' : 'ready'
}

const wishes: Partial<Record<AskedNotice, string>> = {
  part: 'Il cliente vuole essere avvisato: una parte è pronta.',
  reminder: 'Non ritirato. Il cliente vuole avvisi: puoi ricordarglielo.',
}

/** The row of an order: how far the notice is, and what can be done next. */
export function messagesRow(
  order: OrderWhatsApp,
  { status, pickup }: { status: string; pickup: OrderPickup },
): Row {
  const { consent, isReachable } = order
  const kind = nextNotice(order)
  const notice = noticeOf(order, kind)
  const isSent =
    notice && ['sent', 'delivered', 'read', 'accepted', 'sending', 'unsure'].includes(notice.state)
  if (notice && isSent) {
    const sent = noticeRow(notice)
    const text = kind === 'ready' ? sent.text : `${kindNames[kind]}: ${sent.text}`
    const isOver = kind !== 'reminder' || !consent?.isGiven
    return { ...sent, text, action: isOver ? null : 'notify' }
  }
  if (status === 'Annullato') return row("L'ordine è annullato: il cliente non riceve avvisi.")
  if (pickup === 'collected' || pickup === 'put_back')
    return row("L'ordine non è più da ritirare: il cliente non riceve avvisi.")
  if (!isReachable) return row("L'ordine non ha un numero di telefono valido.")
  if (kind === 'reminder' && !consent?.isGiven)
    return row('Non ritirato: il cliente non ha chiesto avvisi su WhatsApp.', 'call')
  if (!consent) return row('Il cliente non ha ancora detto se vuole avvisi su WhatsApp.', 'consent')
  if (!consent.isGiven) return row('Il cliente non vuole avvisi su WhatsApp.', 'consent')
  if (notice) return noticeRow(notice)
  return row(wishes[kind] ?? "Il cliente vuole essere avvisato quando l'ordine è pronto.", 'notify')
}

const channels = { counter: 'al banco', message: 'con un messaggio' } as const

/** How and when a consent came about. */
export function consentText({ isGiven, channel, by, at }: Consent): string {
  const what = isGiven ? 'Consenso dato' : 'Consenso ritirato'
  const who = by === null ? '' : `, registrato da ${by}`
  return `${what} ${channels[channel]} il ${formatDateTime(at)}${who}`
}

/** How far a message of the pharmacy is. */
export function replyState({ state, reason }: ChatMessage): string {
  switch (state) {
    case null:
      return "Dall'app WhatsApp"
    case 'queued':
    case 'sending':
      return 'Invio in corso…'
    case 'accepted':
    case 'sent':
      return 'Inviato'
    case 'delivered':
      return 'Consegnato'
    case 'read':
      return 'Letto'
    case 'unsure':
      return 'Non si sa se è partito'
    case 'held_back':
    case 'failed':
      return `Non consegnato: ${refusals[reason ?? 'off'] ?? 'Meta lo ha rifiutato.'}`
  }
}

/** What a message is besides its words, and what stands for it where it has none. */
export const contentTexts: Record<MessageContent, { label: string | null; none: string }> = {
  text: { label: null, none: 'Messaggio senza testo.' },
  image: { label: 'Foto', none: 'Foto: Bancone non la scarica.' },
  video: { label: 'Video', none: 'Video: Bancone non lo scarica.' },
  audio: { label: 'Messaggio vocale', none: 'Messaggio vocale: Bancone non lo scarica.' },
  document: { label: 'Documento', none: 'Documento: Bancone non lo scarica.' },
  sticker: { label: 'Sticker', none: 'Sticker' },
  location: { label: 'Posizione', none: 'Posizione' },
  contacts: { label: 'Contatto', none: 'Contatto' },
  reaction: { label: 'Reazione', none: 'Reazione tolta' },
  order: { label: 'Ordine dal catalogo di WhatsApp', none: 'Ordine dal catalogo di WhatsApp' },
  system: { label: 'Avviso di WhatsApp', none: 'Avviso di WhatsApp' },
  edit: { label: 'Messaggio modificato', none: 'Messaggio modificato' },
  deletion: { label: 'Messaggio eliminato', none: 'Un messaggio è stato eliminato.' },
  other: {
    label: 'Altro tipo di messaggio',
    none: "Un tipo di messaggio che qui non si vede: leggilo nell'app WhatsApp, se c'è.",
  },
}

/** What was done to a message later. */
export const changeTexts = {
  edited: 'Modificato dopo',
  deleted: 'Eliminato dopo',
} as const
