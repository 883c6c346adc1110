import type { MessageTemplate, NoticeKind, SentKind } from '@bancone/contract/whatsapp-messages'

export const kindNames: Record<NoticeKind, string> = {
  ready: 'Pronto per il ritiro',
  part: 'Pronto in parte',
  reminder: 'Promemoria del ritiro',
  received: 'Ricevuto da chiusi',
  link: 'Link Priority',
  call: 'È il tuo turno',
}

/** What a message of the meter is. */
export const sentNames: Record<SentKind, string> = {
  ...kindNames,
  reply: 'Risposte scritte a mano',
  answer: 'Conferme di STOP e AVVISAMI',
}

const statuses: Readonly<Record<string, string>> = {
  APPROVED: 'Approvato da Meta',
  PENDING: 'In esame da Meta',
  IN_APPEAL: 'In esame da Meta',
  REJECTED: 'Rifiutato da Meta',
  PAUSED: 'Sospeso da Meta',
  DISABLED: 'Disattivato da Meta',
}

/** The state of a template, and what follows when it cannot be used. */
export function templateState({ status, category }: MessageTemplate): {
  word: string
  alarm: string | null
} {
  if (status === 'APPROVED' && category !== 'UTILITY')
    return {
      word: 'Categoria cambiata',
      alarm:
        'Meta considera questo testo pubblicità. Bancone non lo usa finché la categoria non torna «utility»: chiedi la revisione in Gestione WhatsApp.',
    }
  const word = statuses[status ?? ''] ?? 'Stato non ancora noto'
  const isRefused = ['REJECTED', 'PAUSED', 'DISABLED'].includes(status ?? '')
  return {
    word,
    alarm: isRefused
      ? 'Finché Meta non lo approva gli avvisi partono solo entro 24 ore da un messaggio del cliente.'
      : null,
  }
}

export const stopTexts = {
  restricted:
    'Bancone ha fermato i messaggi: Meta ha limitato l’account. Controlla il motivo in Gestione WhatsApp prima di attivarli di nuovo.',
  policy:
    'Bancone ha fermato i messaggi: Meta ne ha rifiutati tre perché contrari alle sue regole. Controlla il motivo in Gestione WhatsApp prima di attivarli di nuovo.',
} as const
